/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - a plan as a table or as JSON.
 */
#ifndef MT_CLI_REPORT_H
#define MT_CLI_REPORT_H

#include "cli/common/view.h"
#include "motley/plan.h"

#include <jansson.h>
#include <stdio.h>

/* The plan to print. All borrowed. */
struct mt_plan_report {
    const struct mt_predictor *predictor;
    const struct mt_question *question;
    const struct mt_plan *plan;
    bool all;             /* every configuration was tried */
    bool on_page;         /* for readers who give no options, as of a page */
    const char *launch;   /* the command that starts the best one; NULL: see why_not */
    const char *why_not;  /* reason why `launch` is NULL */
    const char *hostfile; /* that was written; NULL: none */
    const char *script;   /* that was written for sbatch; NULL: none */
};

/* The choices, one a row; `shown`: only what the table shows. */
void mt_plan_view(struct mt_view *view, const struct mt_plan_report *report,
                  bool shown);
/* The gain of the first choice over its rivals, the choices without a plan: ": 31 %
   less time than all nodes, ...", or nothing. */
void mt_plan_print_gains(const struct mt_plan_report *report, FILE *stream);
/* Notes on the marks in the table, on peculiarities of the plan, and on possible better
   choices, a line each. */
void mt_plan_print_notes(const struct mt_plan_report *report, FILE *stream);

/* Print the choices and the notes; mt_plan_print_table() also prints the launch
   command. */
void mt_plan_print_choices(const struct mt_plan_report *report);
void mt_plan_print_table(const struct mt_plan_report *report);
/* Adds `verification`, which it takes over. */
void mt_plan_print_json(const struct mt_plan_report *report, json_t *verification);

#endif
