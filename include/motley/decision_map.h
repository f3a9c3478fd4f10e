/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decision_map.h - the best configuration for each of several problem sizes, and the
 * decision map: from which size on which configuration is the best.
 */
#ifndef MT_DECISION_MAP_H
#define MT_DECISION_MAP_H

#include "motley/error.h"
#include "motley/plan.h"
#include "motley/predictor.h"

#include <stdbool.h>

MT_C_BEGIN

/* The best configuration for a size. */
struct mt_map_point {
    double size;
    bool possible;           /* otherwise nothing is allowed at this size */
    bool exact;              /* proven that none is better */
    struct mt_choice choice; /* when possible */
};

/* Zeroed is empty. */
struct mt_plan_map {
    const struct mt_predictor *predictor; /* borrowed */
    struct mt_question question; /* the limits for each size; its size is not used */
    struct mt_map_point *points; /* owned; the sizes that were asked for, ascending */
    int npoints;
    /* Owned; each is the best from its size on, up to the next one's; the first is that
       of the smallest size. */
    struct mt_map_point *changes;
    int nchanges;
    double configurations;   /* in the search space */
    bool coarse;             /* changes between the sizes were not looked for */
    struct mt_error why_not; /* nothing is allowed at the first impossible point */
};

/*
 * Plan at each of the `count` sizes, which are distinct, and between any two neighbours
 * with different answers for the whole numbers from which on another one is the best.
 * Changes that follow each other within 1 % of N are taken for one. Of more than a
 * million configurations another one is the best at almost every size: there changes
 * are those from one of the sizes to the next. Failures as of mt_plan_make(), when
 * nothing is allowed at any of the sizes. `map` must be empty.
 */
MT_MUST_CHECK int mt_plan_map_find(struct mt_plan_map *map,
                                   const struct mt_predictor *predictor,
                                   const struct mt_question *question,
                                   const double *sizes, int count,
                                   struct mt_error *err);
void mt_plan_map_clear(struct mt_plan_map *map);

MT_C_END

#endif
