/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gain.h - what a plan is compared with: what people run who have no plan.
 */
#ifndef MT_GAIN_H
#define MT_GAIN_H

#include "motley/plan.h"

MT_C_BEGIN

/* What a plan is compared with; one that uses no nodes is not there. */
struct mt_rivals {
    struct mt_choice all;   /* all nodes together, each group in the layout that is the
                               fastest when it is alone; not on clusters of one group */
    struct mt_choice group; /* all nodes of the group that is the fastest alone */
    int only_group;         /* which that is */
    struct mt_choice last;  /* what ran last at this size, with its measured seconds */
};

/* Of what cannot be predicted, may not run or always failed at this size, nothing is
   said. */
void mt_rivals_find(struct mt_rivals *rivals, const struct mt_predictor *predictor,
                    double size);

MT_C_END

#endif
