/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan_map.h - the best configuration for each of several problem sizes, and the
 * decision map: from which size on which configuration is the best.
 */
#ifndef MT_CLI_PLAN_MAP_H
#define MT_CLI_PLAN_MAP_H

#include "cli/common/command.h"
#include "knowledge.h"

#include "motley/error.h"
#include "motley/model.h"
#include "motley/plan.h"

#include <stdbool.h>

/* The best configuration for a size. */
struct mt_map_point {
    double size;
    bool possible;           /* otherwise nothing is allowed at this size */
    bool exact;              /* proven that none is better */
    struct mt_choice choice; /* when possible */
};

/* Zeroed, but for what is asked, is empty. */
struct mt_plan_map {
    const struct mt_inputs *inputs; /* borrowed */
    enum mt_model_kind kind;
    struct mt_question question;   /* the limits for each size; its size is not used */
    struct mt_knowledge knowledge; /* owned */

    struct mt_map_point *points; /* owned; the sizes that were asked for, ascending */
    int npoints;
    /* Owned; each is the best from its size on, up to the next one's; the first is that
       of the smallest size. */
    struct mt_map_point *changes;
    int nchanges;
    double configurations;   /* in the search space */
    struct mt_error why_not; /* nothing is allowed at the first impossible point */
};

/*
 * Get the models ready, search at each of the `count` sizes, which are distinct, and
 * between any two neighbours with different answers for the whole numbers from which on
 * another one is the best. Changes that follow each other within 1 % of N are taken for
 * one. Failures as of mt_planning_search(), when nothing is allowed at any of the
 * sizes. The map is to be cleared in any case.
 */
MT_MUST_CHECK int mt_plan_map_find(struct mt_plan_map *map, const double *sizes,
                                   int count, struct mt_error *err);
void mt_plan_map_clear(struct mt_plan_map *map);

MT_MUST_CHECK int mt_plan_map_print_table(const struct mt_plan_map *map,
                                          struct mt_error *err);
MT_MUST_CHECK int mt_plan_map_print_json(const struct mt_plan_map *map,
                                         struct mt_error *err);
/* Draw into `target`, as mt_plot_draw() takes it: predicted times over N, a line for
   each configuration that is the best somewhere, with its band where it is; and by how
   much each of them is slower than the best. */
MT_MUST_CHECK int mt_plan_map_plot(const struct mt_plan_map *map, const char *target,
                                   struct mt_error *err);

#endif
