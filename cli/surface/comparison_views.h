/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison_views.h - two surfaces side by side: as a table and in words, as CSV, as
 * JSON.
 */
#ifndef MT_CLI_SURFACE_COMPARISON_VIEWS_H
#define MT_CLI_SURFACE_COMPARISON_VIEWS_H

#include "motley/error.h"
#include "motley/survey.h"
#include "text.h"

#include <stdbool.h>

/* A comparison, and the shortest labels that tell the two apart. */
struct mt_labelled {
    struct mt_comparison found;
    char labels[2][MT_SURFACE_LABEL];
};

bool mt_labelled_simulated(const struct mt_labelled *comparison);

MT_MUST_CHECK int mt_labelled_print(const struct mt_labelled *comparison,
                                    struct mt_error *err);
/* A line for each change of who is faster. */
MT_MUST_CHECK int mt_labelled_print_csv(const struct mt_labelled *comparison,
                                        struct mt_error *err);
MT_MUST_CHECK int mt_labelled_print_json(const struct mt_labelled *comparison,
                                         struct mt_error *err);

#endif
