/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * confidence.h - how well the runs determine the coefficients, and which further runs
 * would make predictions for many more nodes more certain.
 */
#ifndef MT_LEARN_CONFIDENCE_H
#define MT_LEARN_CONFIDENCE_H

#include "choose.h"
#include "internal.h"

/*
 * The posterior distribution of a form's coefficients after the samples: normal about
 * the fit. Before them, each is uncertain by some powers of ten.
 */
struct mt_learn_posterior {
    int count;
    double covariance[MT_LEARN_MAX_COEFFICIENTS][MT_LEARN_MAX_COEFFICIENTS];
    double noise;    /* standard deviation of a run's relative error */
    double quantile; /* standard deviations that hold 90 %, by Student */
};

MT_MUST_CHECK int mt_learn_find_posterior(struct mt_learn_posterior *posterior,
                                          const struct mt_learn_tried *fit,
                                          const struct mt_learn_data *data,
                                          struct mt_error *err);
/* List the runs, on at most `most_ranks` ranks (0: any number). Each is the best, given
   those before it; `posterior` becomes the one expected after all of them. */
void mt_learn_want_runs(struct mt_learned *learned, const struct mt_learn_tried *fit,
                        struct mt_learn_posterior *posterior,
                        const struct mt_learn_data *data, const struct mt_shape *shape,
                        int most_ranks);

#endif
