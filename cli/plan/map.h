/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map.h - a decision map as a table, as JSON and as a picture.
 */
#ifndef MT_CLI_PLAN_MAP_H
#define MT_CLI_PLAN_MAP_H

#include "cli/common/view.h"
#include "cli/plot/plot.h"
#include "lib/plan/internal.h"

/* The best of each size, and the decision map. */
void mt_plan_map_view_sizes(struct mt_view *view, const struct mt_plan_map *map);
void mt_plan_map_view_changes(struct mt_view *view, const struct mt_plan_map *map);
/* Notes on the marks and on certainty, a line each. */
void mt_plan_map_print_notes(const struct mt_plan_map *map, FILE *stream);
void mt_plan_map_print_table(const struct mt_plan_map *map);
void mt_plan_map_print_json(const struct mt_plan_map *map);
/* Predicted times over N, a line for each configuration that is the best somewhere,
   with its intervals there; and the loss of each to the best. The caller clears the
   plot. */
void mt_plan_map_plot(struct mt_plot *plot, const struct mt_plan_map *map);

#endif
