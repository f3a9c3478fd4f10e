/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify.h - plan --verify: run the configurations that may be the best, at the size
 * that is planned for, and keep the runs, so that every later plan knows of them.
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

/* One run: what was expected, knowing those before it, and what came. */
struct mt_verified_run {
    struct mt_configuration configuration;
    double predicted; /* seconds */
    double measured;  /* seconds; NaN: it failed */
};

/* Zeroed is empty. */
struct mt_verification {
    struct mt_verified_run *runs; /* owned */
    int count;
    struct mt_configuration first; /* what the plan before proposed */
    double first_seconds;          /* of it, as expected afterwards; NaN: unknown */
    int interrupted;               /* the signal that asked to stop; 0: none */
    enum mt_end end;
    struct mt_outlook outlook; /* on the best of those that were run */
    double goal;               /* the confidence that was wanted; 0: none */
};

/* What the option says. */
struct mt_verify_limit {
    int runs;    /* at most; 0: it is not given */
    double goal; /* make no more when the best is known so well; 0: no such goal */
};

/* Read "auto" or a number of runs. */
MT_MUST_CHECK int mt_verify_limit_read(struct mt_verify_limit *limit, char *text,
                                       struct mt_error *err);

/* Whether a plan of that kind for that question can be verified; MT_EINVAL says why
   not. */
MT_MUST_CHECK int mt_verification_check(const struct mt_question *question,
                                        enum mt_model_kind kind, struct mt_error *err);
/*
 * Plan, print the plan, make runs up to the limit and print each. With --json nothing
 * goes to standard output. No run is made when none promises anything; MT_EIO when all
 * that were made failed. Nodes that stop answering are left out of the cluster.
 * `verification` must be empty.
 */
MT_MUST_CHECK int mt_verification_make(struct mt_verification *verification,
                                       struct mt_inputs *inputs,
                                       const struct mt_question *question,
                                       const struct mt_verify_limit *limit,
                                       enum mt_patience patience, struct mt_error *err);
void mt_verification_clear(struct mt_verification *verification);

/* Look at what was the best before with what is known now. */
void mt_verification_judge(struct mt_verification *verification,
                           const struct mt_predictor *predictor, double size);
/* Print what became of it, `best` being the best choice now. */
void mt_verification_print(const struct mt_verification *verification,
                           const struct mt_inputs *inputs,
                           const struct mt_choice *best);
/* Say on stderr that runs are worth while, where a plan that nobody verified leaves
   much open. */
MT_MUST_CHECK int mt_verification_suggest(const struct mt_predictor *predictor,
                                          const struct mt_plan *plan, double size,
                                          struct mt_error *err);
/* A new object, or JSON's null for NULL. */
json_t *mt_verification_json(const struct mt_verification *verification,
                             const struct mt_cluster *cluster);

#endif
