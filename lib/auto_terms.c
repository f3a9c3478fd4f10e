/* SPDX-License-Identifier: BSD-3-Clause */
#include "auto_terms.h"

#include "motley/fit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* A list of terms while it is written. */
struct list {
    struct mt_auto_terms *terms;
    FILE *stream;
};

__attribute__((format(printf, 3, 4))) static void add(struct list *list,
                                                      enum mt_role role,
                                                      const char *format, ...)
{
    struct mt_auto_terms *terms = list->terms;
    va_list arguments;
    if (terms->count > 0)
        fputs(", ", list->stream);
    va_start(arguments, format);
    vfprintf(list->stream, format, arguments);
    va_end(arguments);
    if (terms->count < MT_MAX_TERMS)
        terms->roles[terms->count] = role;
    terms->count++;
}

/* Messages between nodes, which the processes of a node send through one link: what
   they cost, and what each further process on a node adds. */
static void add_network(struct list *list, const char *term)
{
    add(list, MT_ROLE_NETWORK, "(P>M)*(%s)", term);
    add(list, MT_ROLE_NETWORK, "(P>M)*(M-1)*(%s)", term);
}

/* Messages inside one node. */
static void add_local(struct list *list, const char *term)
{
    add(list, MT_ROLE_NETWORK, "(P<=M && P>1)*(%s)", term);
}

/* The work is shared by all ranks, more slowly once a rank's data have outgrown a cache
   of some size; a part of it, which grows like its surface, is done in turn. */
static void add_compute(struct list *list, const char *work, const char *memory)
{
    add(list, MT_ROLE_OWN, "(%s)/P", work);
    add(list, MT_ROLE_OWN, "(%s)^(2/3)/P", work);
    for (int bits = 18; memory && bits <= 26; bits += 2)
        add(list, MT_ROLE_OWN, "(%s)/P*(%s>2^%d)", work, memory, bits);
    add(list, MT_ROLE_SERIAL, "(%s)^(2/3)", work);
    add(list, MT_ROLE_SERIAL, "(%s)^(1/3)", work);
    add(list, MT_ROLE_SERIAL, "1");
}

/* Trees of messages that are as large as a surface or an edge of the work, or empty; a
   message to everybody; all of a rank's data, or their surface. */
static int add_messages(struct list *list, const char *work, const char *memory)
{
    char *text[] = {NULL, NULL, NULL, NULL};
    int made = asprintf(&text[0], "ceil(log2(P))*(%s)^(2/3)", work) >= 0 &&
               asprintf(&text[1], "ceil(log2(P))*(%s)^(1/3)", work) >= 0;
    if (made && memory)
        made = asprintf(&text[2], "%s", memory) >= 0 &&
               asprintf(&text[3], "(%s)^(2/3)", memory) >= 0;
    if (made) {
        add_network(list, text[0]);
        add_network(list, text[1]);
        add_network(list, "ceil(log2(P))");
        add_network(list, "P");
        add_local(list, "ceil(log2(P))");
        add_local(list, "P");
        for (int i = 2; memory && i < 4; i++) {
            add_network(list, text[i]);
            add_local(list, text[i]);
        }
    }
    for (int i = 0; i < 4; i++)
        free(text[i]);
    return made ? MT_OK : MT_ENOMEM;
}

static int list_generic(struct list *list, const struct mt_program *program)
{
    const char *work = mt_expr_text(program->work);
    const char *memory = program->memory ? mt_expr_text(program->memory) : NULL;
    add_compute(list, work, memory);
    return add_messages(list, work, memory);
}

/* A large size of the program, at which its terms have values. */
static double large_size(const struct mt_program *program)
{
    if (program->nplan_sizes > 0)
        return program->plan_sizes[program->nplan_sizes - 1];
    return program->nmeasure_sizes > 0
               ? program->measure_sizes[program->nmeasure_sizes - 1]
               : 1024;
}

static void list_given(struct list *list, const struct mt_terms *given, double size)
{
    const int count = mt_terms_count(given);
    double few[MT_MAX_TERMS], many[MT_MAX_TERMS];
    double values[MT_NVARIABLES] = {[MT_N] = size, [MT_P] = 2, [MT_M] = 1};
    mt_terms_values(given, values, few);
    values[MT_P] = 64;
    mt_terms_values(given, values, many);
    for (int i = 0; i < count; i++) {
        const char *text = mt_terms_text(given, i);
        if (many[i] > few[i] * (1 + 1e-9)) {
            add_network(list, text);
            add_local(list, text);
        } else {
            add(list, many[i] < few[i] * (1 - 1e-9) ? MT_ROLE_OWN : MT_ROLE_SERIAL,
                "%s", text);
        }
    }
}

static int list_terms(struct list *list, const struct mt_program *program,
                      const char *given, struct mt_error *err)
{
    if (!given && !program->terms_auto && program->work)
        return list_generic(list, program);
    const struct mt_terms *terms =
        program->terms_auto ? program->terms_auto : program->terms_npt;
    struct mt_terms *parsed = NULL;
    if (given || !terms) {
        const int status =
            mt_terms_parse(&parsed, given ? given : mt_default_terms_npt, err);
        if (status != MT_OK)
            return status;
        terms = parsed;
    }
    int status = MT_OK;
    if (mt_terms_count(terms) > MT_MAX_TERMS)
        status = mt_fail(err, MT_EINVAL, "%d terms are more than a model can have (%d)",
                         mt_terms_count(terms), MT_MAX_TERMS);
    else
        list_given(list, terms, large_size(program));
    mt_terms_free(parsed);
    return status;
}

int mt_auto_terms_make(struct mt_auto_terms *terms, const struct mt_program *program,
                       const char *given, struct mt_error *err)
{
    struct mt_auto_terms made = {0};
    size_t length;
    struct list list = {.terms = &made, .stream = open_memstream(&made.text, &length)};
    if (!list.stream)
        return mt_fail(err, MT_ENOMEM, "no memory for the terms of a model");
    int status = list_terms(&list, program, given, err);
    if (fclose(list.stream) != 0 || status == MT_ENOMEM)
        status = mt_fail(err, MT_ENOMEM, "no memory for the terms of a model");
    if (status == MT_OK && made.count > MT_MAX_TERMS)
        status = mt_fail(err, MT_EINVAL, "%d terms are more than a model can have (%d)",
                         made.count, MT_MAX_TERMS);
    if (status == MT_OK)
        *terms = made;
    else
        mt_auto_terms_clear(&made);
    return status;
}

void mt_auto_terms_clear(struct mt_auto_terms *terms)
{
    free(terms->text);
    *terms = (struct mt_auto_terms){0};
}
