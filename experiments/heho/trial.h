/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trial.h - one kind of model on one recorded cluster and app, with the noise of one
 * seed: fitted, and its choice judged at every plan size.
 */
#ifndef HEHO_TRIAL_H
#define HEHO_TRIAL_H

#include "predictor.h"

/* The choice at one size, among the configurations that have truth there. */
struct verdict {
    double size;
    int measured,
        predicted;    /* configurations with truth; of these, with a prediction */
    int chosen, best; /* points */
    double chosen_seconds, best_seconds; /* without noise */
    struct mt_prediction prediction;     /* of the chosen one */
    bool covered;               /* the interval holds a new run of the chosen one */
    int top_covered, top_count; /* likewise of the best tenth of configurations */
    bool verified;              /* chosen by runs at this size, of which there were */
    int verification_runs;
    double verification_seconds;
};

/* Zeroed is empty. */
struct trial {
    struct verdict *verdicts; /* owned; ascending sizes */
    int count;
    int upper; /* the first verdict of the upper half of the sizes */
    int training_runs;
    double training_seconds;
};

/*
 * Fit and judge; with options->verify also judge the choices `verified` by runs at each
 * size, by the same models. MT_ERANK and MT_ENOTFOUND: the runs do not determine such a
 * model, or it predicts nothing at a plan size. The trials must be empty.
 */
MT_MUST_CHECK int trial_run(struct trial *trial, struct trial *verified,
                            const struct replay *replay,
                            const struct trial_options *options, struct mt_error *err);
void trial_clear(struct trial *trial);

double verdict_regret(const struct verdict *verdict);
/* Of the predicted time against the chosen configuration's truth, relative, signed. */
double verdict_error(const struct verdict *verdict);

#endif
