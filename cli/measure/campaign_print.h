/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * campaign_print.h - say what came of a campaign.
 */
#ifndef MT_CLI_CAMPAIGN_PRINT_H
#define MT_CLI_CAMPAIGN_PRINT_H

#include "campaign.h"

#include "motley/error.h"

#include <stdbool.h>

/* Print how many runs were made, to stdout. */
MT_MUST_CHECK int mt_campaign_print(const struct mt_campaign_result *result,
                                    bool simulated, bool json, struct mt_error *err);

#endif
