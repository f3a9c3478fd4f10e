/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * climb.h - good configurations without a proof, by changing one group of a good one at
 * a time: where there are too many to try each, and the search wants an incumbent, or
 * limits are to be kept with a chance, which has no useful bounds.
 */
#ifndef MT_PLAN_CLIMB_H
#define MT_PLAN_CLIMB_H

#include "motley/plan.h"

/* What configurations are judged by. All borrowed. */
struct mt_climb {
    const struct mt_predictor *predictor;
    const struct mt_question *question;
    int evaluations; /* that may still be made; counted down */
};

/*
 * Climb from the constructions that lie at hand: each group alone, and all of them
 * together, with most and fewest processes on a node, on as many nodes as are allowed,
 * and merge what is found into the plan, the best one of each of the best `top` P.
 */
MT_MUST_CHECK int mt_climb_from_scratch(struct mt_climb *climb, struct mt_plan *plan,
                                        int top, struct mt_error *err);

#endif
