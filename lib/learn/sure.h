/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * learn_sure.h - how sure learned parameters are, and which runs would make predictions
 * surer.
 */
#ifndef MT_LEARN_SURE_H
#define MT_LEARN_SURE_H

#include "choose.h"

#include "motley/error.h"
#include "motley/learn.h"

/*
 * What is believed of a form's coefficients after the samples: normal about the fit.
 * Before them, each is known to within some powers of ten.
 */
struct mt_learn_belief {
    int count;
    double covariance[MT_LEARN_MAX_COEFFICIENTS][MT_LEARN_MAX_COEFFICIENTS];
    double noise;    /* standard deviation of a run's relative error */
    double quantile; /* so many standard deviations hold 90 %, by Student */
};

MT_MUST_CHECK int mt_learn_believe(struct mt_learn_belief *belief,
                                   const struct mt_learn_tried *fit,
                                   const struct mt_learn_sample *samples, int nsamples,
                                   struct mt_error *err);
/* List the parameters of the components with their intervals. */
void mt_learn_list_parameters(struct mt_learned *learned,
                              const struct mt_learn_tried *fit,
                              const struct mt_learn_belief *belief);

#endif
