/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * evaluation.h - evaluations as tables, CSV, JSON and a picture.
 */
#ifndef MT_CLI_EVALUATION_H
#define MT_CLI_EVALUATION_H

#include "motley/error.h"
#include "motley/evaluation.h"

#include <stdio.h>

/* What is put out: the evaluations of several kinds of models over the same sizes. All
   borrowed. */
struct mt_evaluations {
    const struct mt_truth *truth;
    const struct mt_evaluation *evaluations;
    int count; /* at least 1 */
};

/* A table of the sizes for each kind, and one of the summaries. */
MT_MUST_CHECK int mt_evaluations_print(const struct mt_evaluations *all, FILE *stream,
                                       struct mt_error *err);
/* One line for each kind and size. */
MT_MUST_CHECK int mt_evaluations_write_csv(const struct mt_evaluations *all,
                                           const char *path, struct mt_error *err);
/* One JSON object. */
MT_MUST_CHECK int mt_evaluations_print_json(const struct mt_evaluations *all,
                                            FILE *stream, struct mt_error *err);
/* Predicted and measured times, and the regret below them, over the size. */
MT_MUST_CHECK int mt_evaluations_plot(const struct mt_evaluations *all,
                                      const char *target, struct mt_error *err);

#endif
