/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * survey_views.h - what 'motley surface predict' prints of a survey, and
 * 'motley surface report' puts on a page.
 */
#ifndef MT_CLI_SURVEY_VIEWS_H
#define MT_CLI_SURVEY_VIEWS_H

#include "cli/page/page.h"
#include "lib/surface/map.h"
#include "motley/error.h"

#include <jansson.h>

/* Tables, of what fits on a screen. */
void mt_survey_print(const struct mt_survey *survey);
/* A line for each point. */
void mt_points_print_csv(const struct mt_survey *survey);
/* An array with an object for each point. */
json_t *mt_points_json(const struct mt_survey *survey);
/* All of it. */
void mt_survey_print_json(const struct mt_survey *survey);
/* The sizes of equal efficiency, the best sizes and the cliffs. */
void mt_survey_put(struct mt_page *page, const struct mt_survey *survey);
void mt_survey_put_speedups(struct mt_page *page, const struct mt_survey *survey);

/* The diagrams of a page (lines.c), each put into its section. */

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
