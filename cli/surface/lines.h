/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lines.h - the diagrams of a surface's page, lines over sizes or nodes. Each is put
 * into the page's section.
 */
#ifndef MT_CLI_SURFACE_LINES_H
#define MT_CLI_SURFACE_LINES_H

#include "cli/page/page.h"
#include "lib/surface/map.h"
#include "motley/error.h"

/* Efficiency over sizes, a line for each of some numbers of nodes. */
MT_MUST_CHECK int mt_lines_sections(struct mt_page *page,
                                    const struct mt_survey *survey,
                                    struct mt_error *err);
/* Speed of all nodes together over nodes, a line for each of some sizes. */
MT_MUST_CHECK int mt_lines_speeds(struct mt_page *page, const struct mt_survey *survey,
                                  struct mt_error *err);
/* The three speed-ups over nodes. */
MT_MUST_CHECK int mt_lines_speedups(struct mt_page *page,
                                    const struct mt_survey *survey,
                                    struct mt_error *err);
/*
 * For each level the smallest and the largest sizes with at least that efficiency, over
 * the map's nodes, with the best size and the memory limit; of more levels than
 * MT_MOST_LEVELS so many, evenly. Between the two an efficiency may be less, beyond a
 * cliff.
 */
enum { MT_MOST_LEVELS = 5 };
void mt_lines_levels(struct mt_page *page, const struct mt_survey *survey,
                     const struct mt_surface_map *map, const double *levels, int count);

#endif
