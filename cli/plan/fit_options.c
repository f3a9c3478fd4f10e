/* SPDX-License-Identifier: BSD-3-Clause */
/* The options that say how models are fitted. */
#include "fit_options.h"

#include "cli/common/inputs.h"
#include "cli/process/memory.h"
#include "lib/base/argv.h"
#include "lib/base/options.h"
#include "lib/model/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the options say; popt writes here. */
static struct {
    const char *terms, *sizes;
    int no_split;
    struct mt_number_option glitch_k, glitch_tolerance;
    int refuse_negative;
} wanted = {
    .glitch_k = {.kind = MT_NUMBER_FROM, .most = 1},
    .glitch_tolerance = {.most = MT_MOST_COUNT},
};

struct poptOption mt_fit_option_table[] = {
    {"terms", 0, POPT_ARG_STRING, &wanted.terms, 0,
     "the terms of the models (default: the program's for the kind)", "TERM,TERM"},
    {"no-split", 0, POPT_ARG_NONE, &wanted.no_split, 0,
     "one model for every P, also where the program has a split", NULL},
    {"training-sizes", 0, POPT_ARG_STRING, &wanted.sizes, 0,
     "fit from the runs at these problem sizes alone", "N,N"},
    {"glitch-k", 0, POPT_ARG_STRING, &wanted.glitch_k, MT_OPTION_NUMBER,
     "leave out runs whose speed is at most K times the best at a smaller N (default: "
     "keep all)",
     "K"},
    {"glitch-tolerance", 0, POPT_ARG_STRING, &wanted.glitch_tolerance, MT_OPTION_NUMBER,
     "n-t, p-t: configurations with more glitches get no model (default: 0)", "N"},
    {"refuse-negative", 0, POPT_ARG_NONE, &wanted.refuse_negative, 0,
     "n-t, p-t: refuse models whose first coefficient is negative", NULL},
    POPT_TABLEEND,
};

int mt_fit_options_read(struct mt_fit_options *options, struct mt_error *err)
{
    struct mt_fit_options read = {.no_split = wanted.no_split,
                                  .glitch_k = wanted.glitch_k.value,
                                  .glitch_tolerance =
                                      (int)wanted.glitch_tolerance.value,
                                  .refuse_negative = wanted.refuse_negative};
    struct mt_terms *terms = NULL; /* read here only to say which option is wrong */
    int status = wanted.sizes ? mt_sizes_option(&read.sizes, &read.nsizes,
                                                "--training-sizes", wanted.sizes, err)
                              : MT_OK;
    if (status == MT_OK && wanted.terms)
        status =
            mt_option_blame(mt_terms_parse(&terms, wanted.terms, err), "--terms", err);
    mt_terms_free(terms);
    if (status == MT_OK && wanted.terms)
        read.terms = mt_strdup(wanted.terms);
    if (status == MT_OK)
        *options = read;
    else
        mt_fit_options_clear(&read);
    return status;
}

char *mt_fit_options_text(const struct mt_fit_options *options)
{
    char *text = NULL;
    size_t length;
    FILE *stream = mt_memory_open(&text, &length);
    if (options->terms) {
        fputs(" --terms ", stream);
        mt_print_shell_word(stream, options->terms);
    }
    if (options->no_split)
        fputs(" --no-split", stream);
    for (int i = 0; i < options->nsizes; i++)
        fprintf(stream, "%s%.15g", i ? "," : " --training-sizes ", options->sizes[i]);
    if (options->glitch_k > 0)
        fprintf(stream, " --glitch-k %g", options->glitch_k);
    if (options->glitch_tolerance > 0)
        fprintf(stream, " --glitch-tolerance %d", options->glitch_tolerance);
    if (options->refuse_negative)
        fputs(" --refuse-negative", stream);
    mt_memory_close(stream);
    return text;
}
