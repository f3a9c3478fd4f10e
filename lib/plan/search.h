/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * search.h - the search, for callers that continue if it finds nothing.
 */
#ifndef MT_PLAN_SEARCH_H
#define MT_PLAN_SEARCH_H

#include "motley/plan.h"

/* Like mt_plan_make(), but finding nothing is not a failure: the plan then has no
   choices, and `exact` tells whether that is proven. */
MT_MUST_CHECK int mt_search_find(struct mt_plan *plan,
                                 const struct mt_predictor *predictor,
                                 const struct mt_question *question,
                                 struct mt_error *err);
/*
 * The best configuration of each of the best `top` P by P-T or NP-T models, as
 * mt_search_find(), for any number of configurations: `plan->bound` is proven, and
 * `plan->exact` means that nothing has a lower value, though another one may tie with
 * the first.
 */
MT_MUST_CHECK int mt_intervals_search(struct mt_plan *plan,
                                      const struct mt_predictor *predictor,
                                      const struct mt_question *question, int top,
                                      struct mt_error *err);
/* Why mt_search_find() found nothing: MT_EINFEASIBLE; the reason names a constraint
   whose removal leaves some. */
MT_MUST_CHECK int mt_search_explain(const struct mt_predictor *predictor,
                                    const struct mt_question *question, bool proven,
                                    struct mt_error *err);

#endif
