/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * front.h - the front of time against cost or energy as a table, as JSON and as
 * a picture.
 */
#ifndef MT_CLI_PLAN_FRONT_H
#define MT_CLI_PLAN_FRONT_H

#include "cli/common/view.h"
#include "cli/plot/plot.h"
#include "motley/error.h"
#include "motley/plan.h"

/* The front to print. All borrowed. */
struct mt_front_report {
    const struct mt_predictor *predictor;
    const struct mt_question *question;
    const struct mt_front *front; /* at least one point */
};

/* The front's points as a view; notes on the marks and on certainty, a line each. */
void mt_front_view(struct mt_view *view, const struct mt_front_report *report);
void mt_front_print_notes(const struct mt_front_report *report, FILE *stream);
void mt_front_print_table(const struct mt_front_report *report);
void mt_front_print_json(const struct mt_front_report *report);
/* The lowest cost within each time, as steps. The caller clears the plot. */
void mt_front_plot(struct mt_plot *plot, const struct mt_front_report *report);

#endif
