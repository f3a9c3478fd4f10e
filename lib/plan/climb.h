/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * climb.h - finds good configurations without a proof, by changing one group of a good
 * one at a time. It serves searches that have too many configurations to try each and
 * need an incumbent, and limits with a chance, which have no useful bounds.
 */
#ifndef MT_PLAN_CLIMB_H
#define MT_PLAN_CLIMB_H

#include "motley/plan.h"

/* The search and its criteria. All borrowed. */
struct mt_climb {
    const struct mt_predictor *predictor;
    const struct mt_question *question;
    int evaluations; /* that may still be made; counted down */
};

/*
 * Climb from simple configurations: each group alone, and all together, with most and
 * fewest processes on a node, on as many nodes as are allowed. Merge the results into
 * the plan, the best one for each of the best `top` P.
 */
MT_MUST_CHECK int mt_climb_from_scratch(struct mt_climb *climb, struct mt_plan *plan,
                                        int top, struct mt_error *err);

#endif
