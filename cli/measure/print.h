/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * print.h - print the expected runs of a campaign, their time, and its results; also
 * for one within limits.
 */
#ifndef MT_CLI_MEASURE_PRINT_H
#define MT_CLI_MEASURE_PRINT_H

#include "budget.h"
#include "campaign.h"
#include "motley/error.h"

#include <stdbool.h>

/* Print the tasks that are left to stdout, summed up by group, and then one by one if
   `listed`. The campaign's store may be NULL: no runs yet. */
MT_MUST_CHECK int mt_dry_run(const struct mt_campaign *campaign,
                             const struct mt_tasks *tasks, bool listed,
                             struct mt_error *err);
/* Print how many runs were made, to stdout. */
void mt_campaign_print(const struct mt_campaign_result *result, bool simulated);

/* Print the expected runs on stdout, summed up by group, and then one by one if
   `listed`. */
MT_MUST_CHECK int mt_budget_print_forecast(const struct mt_budget *budget, bool listed,
                                           struct mt_error *err);
/* Print the results on stdout: the runs, the reason for the end, and the plan. */
MT_MUST_CHECK int mt_budget_print(const struct mt_budget *budget,
                                  const struct mt_campaign_result *result,
                                  struct mt_error *err);

#endif
