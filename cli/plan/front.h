/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * front.h - the front of time against cost or energy as a table, as JSON, as CSV
 * and as a picture.
 */
#ifndef MT_CLI_PLAN_FRONT_H
#define MT_CLI_PLAN_FRONT_H

#include "cli/common/view.h"
#include "cli/plot/plot.h"
#include "motley/error.h"
#include "motley/plan.h"

/* What is printed. All borrowed. */
struct mt_front_report {
    const struct mt_predictor *predictor;
    const struct mt_question *question;
    const struct mt_front *front; /* of one point or more */
};

/* Its points; and what the marks mean, and how sure it is, a line each. */
void mt_front_view(struct mt_view *view, const struct mt_front_report *report);
void mt_front_print_notes(const struct mt_front_report *report, FILE *stream);
void mt_front_print_table(const struct mt_front_report *report);
void mt_front_print_json(const struct mt_front_report *report);
/* A line for each point, into the file `path`. */
MT_MUST_CHECK int mt_front_write_csv(const struct mt_front_report *report,
                                     const char *path, struct mt_error *err);
/* Make a picture, and hand it to `use` with `to`: what is to be had for which time, in
   steps. */
MT_MUST_CHECK int mt_front_plot(const struct mt_front_report *report, mt_plot_use *use,
                                void *to, struct mt_error *err);

#endif
