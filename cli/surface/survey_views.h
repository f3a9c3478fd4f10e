/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * survey_views.h - what 'motley surface predict' prints of a survey.
 */
#ifndef MT_CLI_SURVEY_VIEWS_H
#define MT_CLI_SURVEY_VIEWS_H

#include "motley/error.h"
#include "motley/survey.h"

/* Tables, of what fits on a screen. */
MT_MUST_CHECK int mt_survey_print(const struct mt_survey *survey, struct mt_error *err);
/* All of it. */
MT_MUST_CHECK int mt_survey_print_json(const struct mt_survey *survey,
                                       struct mt_error *err);

#endif
