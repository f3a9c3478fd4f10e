/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forms.h - a rival: models in the performance model normal form, found as Extra-P's
 * papers describe (Calotoiu and others, SC 2013 and CLUSTER 2016; Ritter and others,
 * IPDPS 2020, for few runs), by an implementation of our own.
 *
 * For each group and number of processes per node a term N^i log2(N)^j is looked for
 * among the runs with one P, where there are most sizes; then one of P, in how both are
 * combined: a + b, a b, a b + a, a b + b, or one of them, always with a constant.
 * Exponents are the published 20 up to 3, with j up to 2, and for P the negative ones
 * as well, as its implementation allows: times shrink with P. Coefficients are of
 * ordinary least squares, and what is best is said by the symmetric mean absolute
 * percentage error (SMAPE) of leaving one run out. It needs three sizes at one P.
 */
#ifndef BLIND_FORMS_H
#define BLIND_FORMS_H

#include "motley/error.h"
#include "motley/model.h"
#include "motley/samples.h"

/* Models of NP-T's kind, of the groups and numbers of processes per node that there are
   runs enough of; maybe none. `models` must be empty. */
MT_MUST_CHECK int forms_fit(struct mt_models *models, const struct mt_cluster *cluster,
                            const struct mt_program *program,
                            const struct mt_samples *samples, struct mt_error *err);

#endif
