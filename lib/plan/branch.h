/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * branch.h - best-first branch and bound over the total number of processes.
 */
#ifndef MT_PLAN_BRANCH_H
#define MT_PLAN_BRANCH_H

#include "space.h"

/*
 * Merge the best choice of each of the best `top` P into the plan, without their
 * predictions but for the seconds. None at all is no failure. What could not be looked
 * at lowers plan->bound.
 */
MT_MUST_CHECK int mt_branch_and_bound(struct mt_plan *plan, struct mt_space *space,
                                      int top, struct mt_error *err);

#endif
