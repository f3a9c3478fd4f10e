/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map.h - a decision map as a table, as JSON and as a picture.
 */
#ifndef MT_CLI_PLAN_MAP_H
#define MT_CLI_PLAN_MAP_H

#include "motley/decision_map.h"
#include "motley/error.h"

MT_MUST_CHECK int mt_plan_map_print_table(const struct mt_plan_map *map,
                                          struct mt_error *err);
MT_MUST_CHECK int mt_plan_map_print_json(const struct mt_plan_map *map,
                                         struct mt_error *err);
/* Draw into `target`, as mt_plot_draw() takes it: predicted times over N, a line for
   each configuration that is the best somewhere, with its band where it is; and by how
   much each of them is slower than the best. In map_picture.c. */
MT_MUST_CHECK int mt_plan_map_plot(const struct mt_plan_map *map, const char *target,
                                   struct mt_error *err);

#endif
