/* SPDX-License-Identifier: BSD-3-Clause */
/* The common part of all ways to make runs: checks, recording, and the end of a
   campaign. */
#include "run.h"

#include "cli/launch/job.h"
#include "cli/launch/parts.h"
#include "cli/process/memory.h"
#include "lib/base/pattern.h"
#include "lib/input/internal.h"
#include "lib/store/internal.h"
#include "stage.h"

#include <stdio.h>

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

struct mt_launch mt_runner_launch(const struct mt_runner *runner,
                                  const struct mt_task *task)
{
    const struct mt_campaign *campaign = runner->campaign;
    return (struct mt_launch){.cluster = campaign->cluster,
                              .program = campaign->program,
                              .configuration = &task->configuration,
                              .size = task->size,
                              .weights = campaign->weights,
                              .seed = mt_task_seed(task, campaign->seed),
                              .patience = campaign->patience,
                              .script = campaign->submit.wanted};
}

bool mt_is_of_run(int status)
{
    return status == MT_EINVAL || status == MT_EINFEASIBLE;
}

/* Inside a Slurm job, all runs must fit into it. */
static int check_allocation(const struct mt_cluster *cluster,
                            const struct mt_remaining *remaining, struct mt_error *err)
{
    struct mt_allocation allocation = {0};
    int status = mt_allocation_read(&allocation, err);
    for (int i = 0; i < remaining->count && status == MT_OK; i++)
        status = mt_allocation_check(
            &allocation, cluster, &mt_remaining_at(remaining, i)->configuration, err);
    mt_allocation_clear(&allocation);
    return status;
}

static int try_run(const struct mt_runner *runner, const struct mt_task *task,
                   struct mt_error *err)
{
    struct mt_job job = {0};
    const struct mt_launch launch = mt_runner_launch(runner, task);
    int status = mt_job_make(&job, &launch, err);
    mt_job_clear(&job);
    if (status == MT_OK)
        status = mt_stage_try(&launch, err);
    return status;
}

/* Until one can be made. */
static int try_runs(const struct mt_runner *runner,
                    const struct mt_remaining *remaining, struct mt_error *err)
{
    struct mt_error first = {0}, reason = {0};
    int status = try_run(runner, mt_remaining_at(remaining, 0), &first);
    if (mt_is_of_run(status) && runner->campaign->part)
        return MT_OK;
    reason = first;
    for (int i = 1; i < remaining->count && mt_is_of_run(status); i++)
        status = try_run(runner, mt_remaining_at(remaining, i), &reason);
    if (status == MT_OK)
        return MT_OK;
    return mt_is_of_run(status) ? mt_fail(err, first.status, "%s", first.text)
                                : mt_fail(err, status, "%s", reason.text);
}

static int try_all(const struct mt_runner *runner, const struct mt_remaining *remaining,
                   struct mt_error *err)
{
    const struct mt_campaign *campaign = runner->campaign;
    int status = MT_OK;
    if (!campaign->submit.wanted)
        status = mt_testbed_check(campaign->cluster, err);
    if (status == MT_OK && !campaign->submit.wanted)
        status = check_allocation(campaign->cluster, remaining, err);
    return status == MT_OK ? try_runs(runner, remaining, err) : status;
}

int mt_runner_begin(struct mt_runner *runner, struct mt_error *err)
{
    const struct mt_campaign *campaign = runner->campaign;
    const char *match = mt_program_pattern(campaign->program);
    runner->ops = campaign->submit.wanted ? &mt_runs_by_slurm : &mt_runs_here;
    runner->streak = campaign->streak ? campaign->streak : &runner->own_streak;
    int status = match ? mt_pattern_compile(&runner->pattern, match, err) : MT_OK;
    runner->has_pattern = match && status == MT_OK;
    return status == MT_OK ? runner->ops->begin(runner, err) : status;
}

int mt_runner_open(struct mt_runner *runner, const struct mt_remaining *remaining,
                   struct mt_error *err)
{
    const int most = runner->campaign->jobs, all = remaining->count + runner->busy;
    runner->jobs = most < all ? most : all;
    int status = runner->ops->open ? runner->ops->open(runner, err) : MT_OK;
    if (status == MT_OK && remaining->count > 0)
        status = try_all(runner, remaining, err);
    if (status == MT_OK)
        status = mt_watch_begin(&runner->watch, err);
    runner->open = status == MT_OK;
    return status;
}

bool mt_runner_has_room(const struct mt_runner *runner)
{
    return runner->busy < runner->jobs && !runner->full && !runner->watch.interrupted &&
           !mt_streak_is_hopeless(runner->streak);
}

int mt_runner_start(struct mt_runner *runner, const struct mt_task *task, bool *taken,
                    struct mt_error *err)
{
    return runner->ops->start(runner, task, taken, err);
}

bool mt_runner_is_busy(const struct mt_runner *runner)
{
    return runner->busy > 0 && !runner->over && !runner->vain;
}

int mt_runner_wait(struct mt_runner *runner, struct mt_error *err)
{
    return runner->ops->wait(runner, err);
}

int mt_runner_keep(struct mt_runner *runner, struct mt_run *run, struct mt_error *err)
{
    const struct mt_campaign *campaign = runner->campaign;
    struct mt_runs left = {0};
    const int status = mt_store_keep_run(campaign->store, run, &left, err);
    if (status != MT_OK) {
        mt_progress_end(runner->bar);
        mt_rescue_runs(&left);
        mt_rescue_run(run);
        mt_run_clear(run);
        return status;
    }
    if (runner->jobs > 0 && run->wall > 0) {
        runner->spent += run->wall / runner->jobs;
        mt_estimate_add(runner->estimate,
                        mt_estimate_work(campaign->program, run->size), run->wall);
    }
    if (run->outcome == MT_RUN_OK) {
        runner->result->done++;
        mt_run_clear(run);
    } else {
        runner->result->failed++;
        mt_failures_add(&runner->failures, run);
    }
    return MT_OK;
}

int mt_runner_end(struct mt_runner *runner, bool unstarted, int status,
                  struct mt_error *err)
{
    struct mt_runs left = {0};
    struct mt_error reason;
    if (runner->open) {
        status = runner->ops->leave(runner, status, err);
        runner->result->interrupted = runner->watch.interrupted;
    }
    if (runner->failures.count > 0)
        mt_progress_end(runner->bar);
    mt_failures_print(&runner->failures, stderr);
    if (runner->open && unstarted && mt_streak_is_hopeless(runner->streak))
        mt_streak_print(runner->streak, stderr);
    /* The store may have been removed during a run that was abandoned. */
    const int settled =
        runner->open ? mt_store_settle(runner->campaign->store, &left, &reason) : MT_OK;
    if (settled != MT_OK)
        status = mt_fail(err, settled, "%s", reason.text);
    mt_rescue_runs(&left);
    if (runner->ops)
        runner->ops->clear(runner);
    mt_failures_clear(&runner->failures);
    mt_streak_clear(&runner->own_streak);
    if (runner->has_pattern)
        regfree(&runner->pattern);
    return status;
}
