/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * points_view.h - the points of a survey.
 */
#ifndef MT_CLI_POINTS_VIEW_H
#define MT_CLI_POINTS_VIEW_H

#include "cli/page/page.h"

#include "motley/error.h"
#include "motley/survey.h"

#include <jansson.h>

/* A grid of the efficiency, or, where sizes or nodes are a single number, all that is
   known of each point. */
MT_MUST_CHECK int mt_points_print(const struct mt_survey *survey, struct mt_error *err);
/* A line for each point. */
MT_MUST_CHECK int mt_points_print_csv(const struct mt_survey *survey,
                                      struct mt_error *err);
/* An array with an object for each point; NULL: out of memory. */
json_t *mt_points_json(const struct mt_survey *survey);
/* A table of all points. */
void mt_points_put(struct mt_page *page, const struct mt_survey *survey);

#endif
