/* SPDX-License-Identifier: BSD-3-Clause */
#include "campaign.h"

#include "cli/common/command.h"
#include "strassen.h"

#include "motley/quantity.h"

static int read_timeout(double *seconds, struct mt_error *err)
{
    const char *text = mt_strassen_options.timeout;
    struct mt_error reason = {0};
    if (text && mt_quantity_parse(seconds, text, MT_SECONDS, &reason))
        return mt_fail(err, reason.status, "--timeout: %s", reason.text);
    if (text && *seconds <= 0)
        return mt_fail(err, MT_EINVAL, "--timeout must be above 0, not '%s'", text);
    return MT_OK;
}

int mt_strassen_open(struct mt_campaign *campaign, struct mt_cluster *cluster,
                     struct mt_error *err)
{
    *campaign = (struct mt_campaign){
        .cluster = cluster,
        .seed = (unsigned)mt_strassen_options.seed,
        .jobs = 1,
        .quiet = mt_strassen_options.quiet,
    };
    int status = read_timeout(&campaign->timeout, err);
    if (status == MT_OK)
        status = mt_store_open(&campaign->store, mt_common.db, MT_STORE_WRITE, err);
    return status == MT_OK ? mt_store_claim(campaign->store, err) : status;
}
