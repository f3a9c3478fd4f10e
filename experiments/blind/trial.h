/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trial.h - what motley plans for a random program on a random cluster, by noisy runs,
 * and how good that is.
 */
#ifndef BLIND_TRIAL_H
#define BLIND_TRIAL_H

#include "truth.h"

#include "motley/model.h"

struct trial_options {
    int runs;     /* of the training, at most */
    int verify;   /* runs at each size for the verified plan */
    double noise; /* standard deviation of the logarithm of a run's seconds */
};

/* A plan for one size. */
struct verdict {
    double size;
    bool upper;    /* in the upper half of the sizes that are planned for */
    bool verified; /* by runs at this size */
    struct mt_configuration chosen;
    double seconds; /* true ones of that */
    struct mt_prediction prediction;
    bool covered; /* the interval holds a new run */
    int runs;     /* that verified it */
    struct mt_sample best;
};

/* Zeroed is empty. */
struct trial {
    struct verdict *verdicts; /* owned */
    int count;
    int runs;       /* of the training */
    double seconds; /* likewise */
};

/* `trial` must be empty. */
MT_MUST_CHECK int trial_run(struct trial *trial, struct truth *truth,
                            const struct trial_options *options, struct mt_error *err);
void trial_clear(struct trial *trial);

#endif
