/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * made_posterior.h - auto models that are known exactly: hypotheses with certain
 * coefficients, from two runs that say nothing.
 */
#ifndef MT_TESTS_MADE_POSTERIOR_H
#define MT_TESTS_MADE_POSTERIOR_H

#include "lib/model/posterior.h"

/* Of all groups and layouts of a cluster, each a speed of the posterior, at one size.
   mt_models_clear() frees it with the models that own it. */
struct mt_posterior *make_posterior(const struct mt_cluster *cluster,
                                    const struct mt_program *program, double size);

/* A hypothesis: `compute` are the seconds for all of the work on one rank, one a speed;
   `coefficients` one a term, in order, above 0. The weights have to add up to 1. */
void add_hypothesis(struct mt_posterior *posterior, unsigned terms, double weight,
                    const double *compute, const double *coefficients);

#endif
