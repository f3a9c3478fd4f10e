/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify.h - plan --verify: run the configurations that may be the best, at the planned
 * size, and store the runs, so that later plans use them.
 */
#ifndef MT_CLI_VERIFY_H
#define MT_CLI_VERIFY_H

#include "cli/common/command.h"
#include "cli/common/inputs.h"
#include "cli/launch/launcher.h"
#include "lib/design/internal.h"
#include "motley/error.h"
#include "motley/plan.h"

#include <jansson.h>

/* A run: the expected time, given the runs before it, and the measured one. */
struct mt_verified_run {
    struct mt_configuration configuration;
    double predicted; /* seconds */
    double measured;  /* seconds; NaN: it failed */
};

/* Empty if zeroed. */
struct mt_verification {
    struct mt_verified_run *runs; /* owned */
    int count;
    struct mt_configuration first; /* the first choice of the plan before */
    double first_seconds;          /* of it, expected afterwards; NaN: unknown */
    int interrupted;               /* the signal that asked to stop; 0: none */
    enum mt_end end;
    struct mt_outlook outlook; /* on the best of those that ran */
    double goal;               /* the wanted confidence; 0: none */
};

/* What the option says. */
struct mt_verify_limit {
    int runs;    /* the limit; 0: not given */
    double goal; /* stop when the best is known with this confidence; 0: no such goal */
};

/* Read "auto" or a number of runs. */
MT_MUST_CHECK int mt_verify_limit_read(struct mt_verify_limit *limit, char *text,
                                       struct mt_error *err);

/* Check that a plan of that kind for that question can be verified; MT_EINVAL: the
   reason. */
MT_MUST_CHECK int mt_verification_check(const struct mt_question *question,
                                        enum mt_model_kind kind, struct mt_error *err);
/*
 * Plan, print the plan, make runs up to the limit and print each. With --json nothing
 * goes to standard output. No run is made if none promises a gain; MT_EIO: all runs
 * failed. Nodes that stop answering are left out of the cluster. `verification` must be
 * empty.
 */
MT_MUST_CHECK int mt_verification_make(struct mt_verification *verification,
                                       struct mt_inputs *inputs,
                                       const struct mt_question *question,
                                       const struct mt_verify_limit *limit,
                                       enum mt_patience patience, struct mt_error *err);
void mt_verification_clear(struct mt_verification *verification);

/* Judge the former best by all runs so far. */
void mt_verification_judge(struct mt_verification *verification,
                           const struct mt_predictor *predictor, double size);
/* Print the outcome; `best` is the best choice now. */
void mt_verification_print(const struct mt_verification *verification,
                           const struct mt_inputs *inputs,
                           const struct mt_choice *best);
/* Suggest runs on stderr if an unverified plan is very uncertain. */
MT_MUST_CHECK int mt_verification_suggest(const struct mt_predictor *predictor,
                                          const struct mt_plan *plan, double size,
                                          struct mt_error *err);
/* A new object, or JSON's null for NULL. */
json_t *mt_verification_json(const struct mt_verification *verification,
                             const struct mt_cluster *cluster);

#endif
