/* SPDX-License-Identifier: BSD-3-Clause */
#include "dry_run.h"

#include "cli/common/json.h"
#include "cli/common/table.h"
#include "estimate.h"
#include "todo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What is left of a campaign, and what is known about its duration. */
struct outlook {
    const struct mt_campaign *campaign;
    const struct mt_tasks *tasks;
    int *order; /* owned; in the order of the tasks */
    int count;
    struct mt_estimate estimate;
    double seconds;   /* in total; NaN: unknown */
    bool lower_bound; /* some runs are larger than any that ended */
};

static int compare_ints(const void *left, const void *right)
{
    const int *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static int look_out(struct outlook *outlook, struct mt_error *err)
{
    const struct mt_campaign *campaign = outlook->campaign;
    int status = mt_todo_find(&outlook->order, &outlook->count, &outlook->estimate,
                              campaign, outlook->tasks, err);
    if (status != MT_OK)
        return status;

    qsort(outlook->order, (size_t)outlook->count, sizeof *outlook->order, compare_ints);
    for (int i = 0; i < outlook->count; i++) {
        double work = mt_estimate_work(campaign->program,
                                       outlook->tasks->tasks[outlook->order[i]].size);
        outlook->seconds += mt_estimate_seconds(&outlook->estimate, work);
        if (!mt_estimate_covers(&outlook->estimate, work))
            outlook->lower_bound = true;
    }
    outlook->seconds /= campaign->jobs;
    return MT_OK;
}

static const struct mt_task *task_at(const struct outlook *outlook, int i)
{
    return &outlook->tasks->tasks[outlook->order[i]];
}

/* How many tasks from i on differ in their repetition only. */
static int count_repetitions(const struct outlook *outlook, int i)
{
    const struct mt_task *first = task_at(outlook, i);
    int count = 1;
    while (i + count < outlook->count) {
        const struct mt_task *task = task_at(outlook, i + count);
        if (task->size != first->size ||
            !mt_configuration_equal(&task->configuration, &first->configuration))
            break;
        count++;
    }
    return count;
}

static void print_total(const struct outlook *outlook)
{
    char text[32];
    const double most = outlook->count * mt_campaign_timeout(outlook->campaign);
    printf("%d of %d runs left", outlook->count, outlook->tasks->count);
    if (mt_cluster_simulated(outlook->campaign->cluster))
        fputs(" (simulated)", stdout);
    if (outlook->count == 0)
        puts("");
    else if (isnan(outlook->seconds))
        printf("; the time is unknown before a run has ended, at most %s by time-out\n",
               mt_format_seconds(text, most / outlook->campaign->jobs));
    else
        printf("; they take %s %s\n", outlook->lower_bound ? "at least" : "about",
               mt_format_seconds(text, outlook->seconds));
}

static int print_table(const struct outlook *outlook, struct mt_error *err)
{
    struct mt_table table = {0};
    if (outlook->count > 0)
        mt_table_add(&table, "configuration", ">N", ">runs", ">expected", NULL);
    for (int i = 0; i < outlook->count;) {
        const struct mt_task *task = task_at(outlook, i);
        const int runs = count_repetitions(outlook, i);
        const double work = mt_estimate_work(outlook->campaign->program, task->size);
        char *configuration =
            mt_configuration_format(&task->configuration, outlook->campaign->cluster);
        char size[32], count[16], seconds[32];
        snprintf(size, sizeof size, "%.15g", task->size);
        snprintf(count, sizeof count, "%d", runs);
        mt_table_add(
            &table, configuration ? configuration : "?", size, count,
            mt_format_seconds(seconds, mt_estimate_seconds(&outlook->estimate, work)),
            NULL);
        free(configuration);
        i += runs;
    }
    int status = mt_table_print(&table, stdout, err);
    print_total(outlook);
    return status;
}

static int print_json(const struct outlook *outlook, struct mt_error *err)
{
    json_t *runs = json_array();
    for (int i = 0; i < outlook->count; i++) {
        const struct mt_task *task = task_at(outlook, i);
        const double work = mt_estimate_work(outlook->campaign->program, task->size);
        char *configuration =
            mt_configuration_format(&task->configuration, outlook->campaign->cluster);
        json_array_append_new(
            runs,
            json_pack("{s:s*, s:o, s:i, s:o}", "configuration", configuration, "size",
                      mt_json_number(task->size), "repetition", task->repetition,
                      "expected_seconds",
                      mt_json_number(mt_estimate_seconds(&outlook->estimate, work))));
        free(configuration);
    }
    json_t *result = json_pack("{s:b, s:i, s:o, s:b, s:o}", "simulated",
                               mt_cluster_simulated(outlook->campaign->cluster),
                               "done_before", outlook->tasks->count - outlook->count,
                               "expected_seconds", mt_json_number(outlook->seconds),
                               "lower_bound", outlook->lower_bound, "runs", runs);
    return mt_json_print(result, stdout, err);
}

int mt_dry_run(const struct mt_campaign *campaign, const struct mt_tasks *tasks,
               bool json, struct mt_error *err)
{
    struct outlook outlook = {.campaign = campaign, .tasks = tasks};
    int status = look_out(&outlook, err);
    if (status == MT_OK)
        status = json ? print_json(&outlook, err) : print_table(&outlook, err);
    free(outlook.order);
    return status;
}
