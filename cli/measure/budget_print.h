/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * budget_print.h - say what a campaign within limits will do, and what came of it.
 */
#ifndef MT_CLI_BUDGET_PRINT_H
#define MT_CLI_BUDGET_PRINT_H

#include "budget.h"

#include "motley/error.h"

#include <stdbool.h>

/* Print on stdout what is expected to be run, summed up by group, and then one by one
   if `listed`. */
MT_MUST_CHECK int mt_budget_print_forecast(const struct mt_budget *budget, bool listed,
                                           struct mt_error *err);
/* Print what came of it on stdout: the runs, why they ended, and the plan. */
MT_MUST_CHECK int mt_budget_print(const struct mt_budget *budget,
                                  const struct mt_campaign_result *result, bool json,
                                  struct mt_error *err);

#endif
