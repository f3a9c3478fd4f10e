/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * evidence.h - what runs say about the errors of run-time models, and predictions that
 * are corrected by it.
 *
 * The logarithm of measured over predicted seconds is taken for a Gaussian process over
 * the configurations and sizes. Where groups are mixed, which the models were not
 * fitted from, it is alike for all configurations, more alike where the same group is
 * the slowest, for the same or nearly the same P, and at sizes near each other. Of a
 * group alone the models have seen runs: what they get wrong there they get wrong for
 * that group, which says nothing about mixed configurations. The mean corrects a
 * prediction; the spread, with the noise of runs that suits the evidence best, gives
 * the interval. What a run says about other configurations is bounded, so that a single
 * wild run cannot turn a plan over.
 */
#ifndef MT_EVIDENCE_H
#define MT_EVIDENCE_H

#include "motley/cluster.h"
#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/fit.h"
#include "motley/model.h"
#include "motley/program.h"

/* What is known of one configuration at one size; private to the module. */
struct mt_evidence_point;

/* All members are private to the module. Zeroed is empty. */
struct mt_evidence {
    const struct mt_models *models; /* borrowed, as are the next two */
    const struct mt_cluster *cluster;
    const struct mt_program *program;
    struct mt_evidence_point *points; /* owned */
    int count, allocated;
    double noise;             /* variance of the logarithm of a single run's seconds */
    double *factor, *weights; /* owned; of the covariance of the points */
};

/*
 * Take `nsamples` runs as evidence, the newest last (none: NULL and 0). Those that the
 * models cannot predict are passed over, and of very many the oldest. The models, the
 * cluster and the program must outlive `evidence`, which must be empty.
 */
MT_MUST_CHECK int mt_evidence_init(struct mt_evidence *evidence,
                                   const struct mt_models *models,
                                   const struct mt_cluster *cluster,
                                   const struct mt_program *program,
                                   const struct mt_sample *samples, int nsamples,
                                   struct mt_error *err);
void mt_evidence_clear(struct mt_evidence *evidence);

/* Take in one more run. On failure `evidence` is to be cleared. */
MT_MUST_CHECK int mt_evidence_add(struct mt_evidence *evidence,
                                  const struct mt_sample *sample, struct mt_error *err);

/*
 * As mt_models_predict(), corrected: seconds is the median that is expected now, and
 * low .. high holds 90 % of the measured times that are expected of one run. A
 * configuration that was run at this size is predicted close to its measured time.
 * `deviation`, unless it is NULL, is that of the logarithm of the configuration's true
 * time, without the noise of a single run.
 */
MT_MUST_CHECK int mt_evidence_predict(const struct mt_evidence *evidence,
                                      const struct mt_configuration *configuration,
                                      double size, struct mt_prediction *prediction,
                                      double *deviation, struct mt_error *err);

#endif
