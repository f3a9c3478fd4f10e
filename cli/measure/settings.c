/* SPDX-License-Identifier: BSD-3-Clause */
#include "settings.h"

#include "lib/input/internal.h"

double mt_campaign_timeout(const struct mt_campaign *campaign)
{
    return campaign->timeout > 0 ? campaign->timeout : campaign->program->timeout;
}

int mt_campaign_check(const struct mt_campaign *campaign, struct mt_error *err)
{
    const bool simulated = mt_cluster_simulated(campaign->cluster);
    if (campaign->jobs < 1)
        return mt_fail(err, MT_EINVAL, "the number of jobs must be at least 1, not %d",
                       campaign->jobs);
    if (campaign->jobs > 1 && !simulated && !campaign->submit.wanted)
        return mt_fail(
            err, MT_EINVAL,
            "runs side by side would disturb each other: cluster '%s' is not "
            "simulated",
            campaign->cluster->name);
    if (simulated && !mt_program_pattern(campaign->program))
        return mt_fail(err, MT_EINVAL,
                       "the wall time of program '%s' means nothing on simulated "
                       "cluster '%s': give a 'match' for its time",
                       campaign->program->name, campaign->cluster->name);
    return MT_OK;
}
