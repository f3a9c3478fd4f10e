/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calibration.h - what runs say about the errors of run-time models, and predictions
 * that are corrected by it.
 *
 * The logarithm of measured over predicted seconds is taken for a Gaussian process over
 * the configurations and sizes. Where groups are mixed, which the models were not
 * fitted from, it is alike for all configurations, the more the more alike they use the
 * cluster: by the groups' shares of the ranks, the processes on a node and P; and where
 * the same group is the slowest, for the same P, and at sizes near each other. What is
 * particular to a set of groups is not known before one configuration of it was run. Of
 * a group alone the models have seen runs: what they get wrong there they get wrong for
 * that group, which says nothing about mixed configurations. The posterior mean
 * corrects a prediction; its spread, with the noise of runs that suits them best, gives
 * the interval. What a run says about other configurations is bounded, so that a single
 * wild run cannot turn a plan over.
 */
#ifndef MT_CALIBRATION_H
#define MT_CALIBRATION_H

#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/model.h"
#include "motley/samples.h"

MT_C_BEGIN

/* What is known of one configuration at one size; private to the module. */
struct mt_calibration_point;

/* All members are private to the module. Zeroed is empty. */
struct mt_calibration {
    struct mt_problem problem;           /* whose models' errors they are; borrowed */
    struct mt_calibration_point *points; /* owned */
    int count;
    double noise;             /* variance of the logarithm of a single run's seconds */
    double *factor, *weights; /* owned; of the covariance of the points */
};

/*
 * Calibrate by `nsamples` runs, the newest last (none: NULL and 0). Those that the
 * models cannot predict are passed over, and of very many the oldest. What `problem`
 * points to must outlive `calibration`, which must be empty.
 */
MT_MUST_CHECK int mt_calibration_init(struct mt_calibration *calibration,
                                      const struct mt_problem *problem,
                                      const struct mt_sample *samples, int nsamples,
                                      struct mt_error *err);
void mt_calibration_clear(struct mt_calibration *calibration);

/* Take in one more run. On failure `calibration` is to be cleared. */
MT_MUST_CHECK int mt_calibration_add(struct mt_calibration *calibration,
                                     const struct mt_sample *sample,
                                     struct mt_error *err);

/*
 * As mt_models_predict(), corrected: seconds is the median that is expected now, and
 * low .. high holds 90 % of the measured times that are expected of one run. A
 * configuration that was run at this size is predicted close to its measured time.
 * `deviation`, unless it is NULL, is that of the logarithm of the configuration's true
 * time, without the noise of a single run.
 */
MT_MUST_CHECK int mt_calibration_predict(const struct mt_calibration *calibration,
                                         const struct mt_configuration *configuration,
                                         double size, struct mt_prediction *prediction,
                                         double *deviation, struct mt_error *err);

/* What is expected of the logarithms of the true seconds of several configurations
   together. Zeroed is empty. */
struct mt_joint {
    int count;
    double *means;      /* owned */
    double *covariance; /* owned; the lower triangle, by columns */
};

/* At one size; the configurations are different ones. `joint` must be empty. */
MT_MUST_CHECK int mt_calibration_joint(struct mt_joint *joint,
                                       const struct mt_calibration *calibration,
                                       const struct mt_configuration *configurations,
                                       int count, double size, struct mt_error *err);
void mt_joint_clear(struct mt_joint *joint);

MT_C_END

#endif
