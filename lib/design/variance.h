/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * posterior.h - what is expected of the times of runs, before and after some of them
 * were made: the logarithms of the seconds are jointly normal.
 *
 * log seconds = log(work / P) + a sum of simple functions of log N and log P with
 * unknown coefficients. Some are common to all runs, as is the speed of everything;
 * some belong to a class (a group with so many processes on a node). The variances of
 * the coefficients say how much is thought possible before the first run. Observations
 * change the means; the variances depend only on which runs were observed, so the worth
 * of a run is known before it is made. It is no model to plan with, and is not used so.
 */
#ifndef MT_DESIGN_VARIANCE_H
#define MT_DESIGN_VARIANCE_H

#include "motley/error.h"

/* A run, made or only thought of. */
struct mt_design_point {
    int class;
    double size;  /* log N, from the middle of the candidates */
    double ranks; /* log P */
    double prior; /* log(work / P) */
};

/* Zeroed is empty. */
struct mt_variance {
    const struct mt_design_point *points; /* borrowed */
    int count;
    int first_target; /* the points from there on are what is to be known */
    double *mean;     /* owned; one a point: of log seconds */
    double *variance; /* owned; likewise */
    double *targets;  /* owned; covariances of a point, by rows, with the targets */
    double *rows;     /* owned; one for each observation, of `count` each */
    int nrows;
};

MT_MUST_CHECK int mt_variance_init(struct mt_variance *posterior,
                                    const struct mt_design_point *points, int count,
                                    int first_target, struct mt_error *err);
void mt_variance_clear(struct mt_variance *posterior);

/* Point i was observed. */
MT_MUST_CHECK int mt_variance_observe(struct mt_variance *posterior, int i,
                                       double log_seconds, struct mt_error *err);
/* Forget the last observations: the variances are as with `nrows` of them. The means
   are, too, if those that are forgotten were equal to the mean. */
void mt_variance_forget(struct mt_variance *posterior, int nrows);

/* By how much observing point i takes from the sum of the targets' variances. */
double mt_variance_gain(const struct mt_variance *posterior, int i);

#endif
