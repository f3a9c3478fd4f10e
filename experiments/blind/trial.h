/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trial.h - what motley plans for a random program on a random cluster, by noisy runs,
 * and how good that is.
 */
#ifndef BLIND_TRIAL_H
#define BLIND_TRIAL_H

#include "truth.h"

#include "motley/model.h"

#include <stdbool.h>

/* How a plan is made. */
enum verification {
    VERIFY_NOT,   /* by models and training runs alone */
    VERIFY_RUNS,  /* by a number of runs at the size */
    VERIFY_KNOWN, /* by runs at the size until the best is known: --verify auto */
    VERIFICATIONS
};
/* "none", "runs", "auto". */
extern const char *const verification_names[VERIFICATIONS];

struct trial_options {
    int runs;   /* of the training, at most */
    int verify; /* runs of VERIFY_RUNS; 0: leave it out */
    bool known; /* also VERIFY_KNOWN */
    bool rivals;
};

/* A plan for one size. */
struct verdict {
    double size;
    bool upper;        /* in the upper half of the sizes that are planned for */
    const char *model; /* "auto", or a rival's name */
    enum verification verification;
    bool planned; /* false: a rival whose model has no plan */
    struct mt_configuration chosen;
    double seconds;                  /* true ones of that */
    struct mt_prediction prediction; /* NaN: none */
    bool covered;                    /* the interval holds a new run */
    int runs;                        /* that verified it */
    struct mt_sample best;
};

/* Zeroed is empty. */
struct trial {
    struct verdict *verdicts; /* owned */
    int count;
    int runs,
        papers_runs; /* of the training, and of NP-T's; the latter 0: it had none */
    double seconds, papers_seconds; /* likewise */
};

/* `trial` must be empty. */
MT_MUST_CHECK int trial_run(struct trial *trial, struct truth *truth,
                            const struct trial_options *options, struct mt_error *err);
void trial_clear(struct trial *trial);

#endif
