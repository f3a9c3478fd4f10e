/* SPDX-License-Identifier: BSD-3-Clause */
#include "campaign_print.h"

#include "cli/common/json.h"

#include <stdio.h>

static void print_text(const struct mt_campaign_result *result, bool simulated)
{
    printf("%d run%s measured%s, %d failed, %d measured before", result->done,
           result->done == 1 ? "" : "s", simulated ? " (simulated)" : "",
           result->failed, result->skipped);
    if (result->left_out > 0)
        printf("; left out for want of nodes that answer: %d", result->left_out);
    puts(result->interrupted ? "; interrupted" : "");
}

int mt_campaign_print(const struct mt_campaign_result *result, bool simulated,
                      bool json, struct mt_error *err)
{
    if (json)
        return mt_json_print(json_pack("{s:b, s:i, s:i, s:i, s:i, s:b}", "simulated",
                                       (int)simulated, "done", result->done, "failed",
                                       result->failed, "skipped", result->skipped,
                                       "left_out", result->left_out, "interrupted",
                                       (int)(result->interrupted != 0)),
                             stdout, err);
    print_text(result, simulated);
    return MT_OK;
}
