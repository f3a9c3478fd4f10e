/* SPDX-License-Identifier: BSD-3-Clause */
#include "single.h"
#include "lib/input/internal.h"
#include "motley/store.h"
#include "submit.h"

#include <stdlib.h>

/* The runs of the task's configuration and size. */
static int find_runs(struct mt_runs *runs, const struct mt_campaign *campaign,
                     const struct mt_task *task, struct mt_error *err)
{
    char *text = mt_configuration_format(&task->configuration, campaign->cluster);
    if (!text)
        return mt_fail(err, MT_ENOMEM, "no memory for a configuration's text");
    const struct mt_run_filter filter = {.cluster = campaign->cluster->name,
                                         .program = campaign->program->name,
                                         .configuration = text,
                                         .size = task->size};
    const int status = mt_store_runs(campaign->store, runs, &filter, err);
    free(text);
    return status;
}

static int set_repetition(struct mt_task *task, const struct mt_campaign *campaign,
                          struct mt_error *err)
{
    struct mt_runs runs = {0};
    const int status = find_runs(&runs, campaign, task, err);
    task->repetition = 1;
    for (int i = 0; i < runs.count; i++) {
        if (runs.runs[i].repetition >= task->repetition)
            task->repetition = runs.runs[i].repetition + 1;
    }
    mt_runs_clear(&runs);
    return status;
}

int mt_single_fetch(const struct mt_campaign *campaign, const struct mt_task *task,
                    struct mt_run *run, struct mt_error *err)
{
    struct mt_runs runs = {0};
    int status = find_runs(&runs, campaign, task, err);
    if (status == MT_OK && runs.runs) {
        struct mt_run *newest = &runs.runs[runs.count - 1];
        *run = *newest;
        *newest = (struct mt_run){0};
    } else if (status == MT_OK) {
        status = mt_fail(err, MT_EIO, "the run is not in the store");
    }
    mt_runs_clear(&runs);
    return status;
}

int mt_single_run(const struct mt_campaign *campaign, struct mt_task *task,
                  struct mt_run *run, int *interrupted, struct mt_error *err)
{
    struct mt_campaign_result result = {0};
    const struct mt_tasks tasks = {.tasks = task, .count = 1};
    int status =
        mt_configuration_find_nodes(&task->configuration, campaign->cluster, err);
    if (status == MT_OK)
        status = set_repetition(task, campaign, err);
    if (status == MT_OK)
        status = mt_submit_or_run(campaign, &tasks, &result, err);
    *interrupted = result.interrupted;
    if (status == MT_OK && result.interrupted == 0)
        status = mt_single_fetch(campaign, task, run, err);
    return status;
}
