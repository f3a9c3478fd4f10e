/* SPDX-License-Identifier: BSD-3-Clause */
#include "trial.h"

#include "cli/launch/allocation.h"
#include "cli/launch/job.h"
#include "cli/launch/testbed.h"

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

static int try_job(const struct mt_campaign *campaign, const struct mt_task *task,
                   struct mt_error *err)
{
    struct mt_job job = {0};
    const struct mt_launch launch = {.cluster = campaign->cluster,
                                     .program = campaign->program,
                                     .configuration = &task->configuration,
                                     .size = task->size,
                                     .yielding = campaign->yielding};
    const int status = mt_job_make(&job, &launch, err);
    mt_job_clear(&job);
    return status;
}

int mt_trial(const struct mt_campaign *campaign, const struct mt_remaining *remaining,
             struct mt_error *err)
{
    int status = mt_testbed_check(campaign->cluster, err);
    if (status == MT_OK)
        status = check_allocation(campaign, remaining, err);
    return status == MT_OK ? try_job(campaign, mt_remaining_at(remaining, 0), err)
                           : status;
}
