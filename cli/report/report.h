/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - what the files of 'motley report' put on its page.
 */
#ifndef MT_CLI_REPORT_SECTIONS_H
#define MT_CLI_REPORT_SECTIONS_H

#include "cli/page/page.h"
#include "motley/plan.h"

/* One size: the plan, how it is started, and times over the nodes. In size.c. */
MT_MUST_CHECK int mt_report_size(struct mt_page *page,
                                 const struct mt_predictor *predictor,
                                 const struct mt_question *question,
                                 struct mt_error *err);

/* Times over nodes of each group alone, and of several: a diagram and a table. In
   curves.c. */
void mt_report_curves(struct mt_page *page, const struct mt_predictor *predictor,
                      const struct mt_plan *plan, double size);

#endif
