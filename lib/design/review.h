/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * review.h - whether the plan by what was observed still changes.
 */
#ifndef MT_DESIGN_REVIEW_H
#define MT_DESIGN_REVIEW_H

#include "state.h"

/* Runs without a change that make a plan settled. */
int mt_design_enough(const struct mt_design *design);

/* Fit the default models to what was observed, plan with them for every size, and see
   whether the plan has settled. Until the runs determine the models there is no plan,
   which is no failure. */
MT_MUST_CHECK int mt_design_review(struct mt_design *design, struct mt_error *err);
/* Whether so many runs were made since the last one that it may tell more. */
bool mt_design_review_due(const struct mt_design *design);
/* The last runs, without the probes, that say whether a plan has settled. */
int mt_design_history(const struct mt_design *design);

#endif
