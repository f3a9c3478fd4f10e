/* SPDX-License-Identifier: BSD-3-Clause */
/* How the runs of a campaign are made, and whether they can be. */
#include "settings.h"

#include "cli/launch/allocation.h"
#include "cli/launch/job.h"
#include "cli/launch/testbed.h"
#include "lib/input/internal.h"
#include "stage.h"

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

/* Inside a job of Slurm all runs must fit into it. */
static int check_allocation(const struct mt_campaign *campaign,
                            const struct mt_remaining *remaining, struct mt_error *err)
{
    struct mt_allocation allocation = {0};
    int status = mt_allocation_read(&allocation, err);
    for (int i = 0; i < remaining->count && status == MT_OK; i++)
        status =
            mt_allocation_check(&allocation, campaign->cluster,
                                &mt_remaining_at(remaining, i)->configuration, err);
    mt_allocation_clear(&allocation);
    return status;
}

static int try_run(const struct mt_campaign *campaign, const struct mt_task *task,
                   struct mt_error *err)
{
    struct mt_job job = {0};
    const struct mt_launch launch = {.cluster = campaign->cluster,
                                     .program = campaign->program,
                                     .configuration = &task->configuration,
                                     .size = task->size,
                                     .weights = campaign->weights,
                                     .patience = campaign->patience,
                                     .script = campaign->submit.wanted};
    int status = mt_job_make(&job, &launch, err);
    mt_job_clear(&job);
    if (status == MT_OK)
        status = mt_stage_try(&launch, err);
    return status;
}

bool mt_trial_is_of_run(int status)
{
    return status == MT_EINVAL || status == MT_EINFEASIBLE;
}

/* Until one can be made. */
static int try_runs(const struct mt_campaign *campaign,
                    const struct mt_remaining *remaining, struct mt_error *err)
{
    struct mt_error first = {0}, reason = {0};
    int status = try_run(campaign, mt_remaining_at(remaining, 0), &first);
    if (mt_trial_is_of_run(status) && campaign->part)
        return MT_OK;
    reason = first;
    for (int i = 1; i < remaining->count && mt_trial_is_of_run(status); i++)
        status = try_run(campaign, mt_remaining_at(remaining, i), &reason);
    if (status == MT_OK)
        return MT_OK;
    return mt_trial_is_of_run(status) ? mt_fail(err, first.status, "%s", first.text)
                                      : mt_fail(err, status, "%s", reason.text);
}

int mt_trial(const struct mt_campaign *campaign, const struct mt_remaining *remaining,
             struct mt_error *err)
{
    int status = MT_OK;
    if (!campaign->submit.wanted)
        status = mt_testbed_check(campaign->cluster, err);
    if (status == MT_OK && !campaign->submit.wanted)
        status = check_allocation(campaign, remaining, err);
    return status == MT_OK ? try_runs(campaign, remaining, err) : status;
}
