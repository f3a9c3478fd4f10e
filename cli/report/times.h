/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times.h - the diagram of times over the number of nodes.
 */
#ifndef MT_CLI_TIMES_H
#define MT_CLI_TIMES_H

#include "cli/page/page.h"
#include "cli/plan/report.h"

/* Each group by itself, configurations of several groups, the planned one, and the runs
   of that size. mt_plot_clear() frees it. */
void mt_report_times(struct mt_plot *plot, const struct mt_plan_report *report);

#endif
