/* SPDX-License-Identifier: BSD-3-Clause */
/* The terms that the models of the papers are made from. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *join(const struct mt_terms *terms)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    for (int i = 0; i < mt_terms_count(terms); i++)
        fprintf(stream, "%s%s", i > 0 ? ", " : "", mt_terms_text(terms, i));
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static char *join_or(const struct mt_terms *terms, const char *defaults)
{
    return terms ? join(terms) : strdup(defaults);
}

char *mt_fit_formulas(const struct mt_program *program,
                      const struct mt_fit_options *options, struct mt_error *err)
{
    char *text = NULL;
    if (options->terms)
        text = strdup(options->terms);
    else if (options->kind == MT_MODEL_AUTO)
        text = strdup(program->work ? mt_expr_text(program->work) : "");
    else if (options->kind == MT_MODEL_NT)
        text = join_or(program->terms_nt, mt_default_terms_nt);
    else if (options->kind == MT_MODEL_PT)
        text = join_or(program->terms_pt, mt_default_terms_pt);
    else
        text = join_or(program->terms_npt, mt_default_terms_npt);
    if (!text)
        mt_fail(err, MT_ENOMEM, "no memory for the terms of a model");
    return text;
}

bool mt_fit_splits(const struct mt_program *program,
                   const struct mt_fit_options *options)
{
    return program->split && !options->no_split && options->kind != MT_MODEL_AUTO;
}
