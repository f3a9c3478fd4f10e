/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * survey_views.h - what 'motley surface predict' prints of a survey, and
 * 'motley surface report' puts on a page.
 */
#ifndef MT_CLI_SURVEY_VIEWS_H
#define MT_CLI_SURVEY_VIEWS_H

#include "cli/page/page.h"
#include "motley/error.h"
#include "motley/surface.h"

#include <jansson.h>

/* Tables, of what fits on a screen. */
MT_MUST_CHECK int mt_survey_print(const struct mt_survey *survey, struct mt_error *err);
/* A line for each point. */
MT_MUST_CHECK int mt_points_print_csv(const struct mt_survey *survey,
                                      struct mt_error *err);
/* An array with an object for each point; NULL: out of memory. */
json_t *mt_points_json(const struct mt_survey *survey);
/* All of it. */
MT_MUST_CHECK int mt_survey_print_json(const struct mt_survey *survey,
                                       struct mt_error *err);
/* The sizes of equal efficiency, the best sizes and the cliffs. */
void mt_survey_put(struct mt_page *page, const struct mt_survey *survey);
void mt_survey_put_speedups(struct mt_page *page, const struct mt_survey *survey);

#endif
