/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * figures.h - what is reported of a kind of model on one cluster and app: its trials
 * with several seeds in short.
 */
#ifndef HEHO_FIGURES_H
#define HEHO_FIGURES_H

#include "trial.h"

/* Regrets are means over the seeds of the largest or mean regret over the sizes;
   `worst_seed` is the largest over seeds and sizes. */
struct regret {
    double max, mean, worst_seed;
};

struct figures {
    int seeds, sizes,
        configurations;       /* configurations: with truth at the largest size */
    int measured, predicted;  /* configurations, sizes and seeds; with a prediction */
    struct regret all, upper; /* over all sizes, over the upper half */
    double error_median, error_worst; /* of the predicted time, absolute, over the upper
                                         half of the sizes and all seeds */
    int covered, cases;               /* intervals of the chosen configurations */
    int top_covered, top_cases;       /* of the best tenth */
    double training_runs, training_seconds; /* means over the seeds */
    double verification_runs;               /* mean over the seeds and sizes */
    double verification_seconds; /* of the dearest size, mean over the seeds */
};

/* `count` trials of the same combination. */
MT_MUST_CHECK int figures_of(struct figures *figures, const struct trial *trials,
                             int count, struct mt_error *err);

#endif
