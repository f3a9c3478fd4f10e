/* SPDX-License-Identifier: BSD-3-Clause */
#include "todo.h"

#include <stdlib.h>
#include <string.h>

/* splitmix64 (Steele, Lea and Flood 2014): the next number of the sequence. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

/* Fisher and Yates. The remainder's bias is below 2^-32 for any list in memory. */
static void shuffle(int *order, int count, unsigned seed)
{
    uint64_t state = seed;
    for (int i = count - 1; i > 0; i--) {
        int j = (int)(next_random(&state) % ((uint64_t)i + 1));
        int other = order[j];
        order[j] = order[i];
        order[i] = other;
    }
}

static int compare_runs(const void *left, const void *right)
{
    const struct mt_run *a = left, *b = right;
    int order = strcmp(a->configuration, b->configuration);
    if (order == 0)
        order = (a->size > b->size) - (a->size < b->size);
    if (order == 0)
        order = (a->repetition > b->repetition) - (a->repetition < b->repetition);
    return order;
}

int mt_todo_make(int **order, int *count, const struct mt_tasks *tasks,
                 const struct mt_cluster *cluster, struct mt_runs *done, unsigned seed,
                 struct mt_error *err)
{
    int *left = calloc((size_t)tasks->count + 1, sizeof *left);
    if (!left)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", tasks->count);
    if (done->count > 0)
        qsort(done->runs, (size_t)done->count, sizeof *done->runs, compare_runs);

    int nleft = 0;
    for (int i = 0; i < tasks->count; i++) {
        const struct mt_task *task = &tasks->tasks[i];
        struct mt_run wanted = {.size = task->size, .repetition = task->repetition};
        wanted.configuration = mt_configuration_format(&task->configuration, cluster);
        if (!wanted.configuration) {
            free(left);
            return mt_fail(err, MT_ENOMEM, "no memory for a configuration");
        }
        if (done->count == 0 || !bsearch(&wanted, done->runs, (size_t)done->count,
                                         sizeof *done->runs, compare_runs))
            left[nleft++] = i;
        free(wanted.configuration);
    }
    shuffle(left, nleft, seed);
    *order = left;
    *count = nleft;
    return MT_OK;
}

int mt_todo_find(int **order, int *count, struct mt_estimate *estimate,
                 const struct mt_campaign *campaign, const struct mt_tasks *tasks,
                 struct mt_error *err)
{
    const struct mt_run_filter filter = {.cluster = campaign->cluster->name,
                                         .program = campaign->program->name,
                                         .succeeded_only = true};
    struct mt_runs done = {0};
    int status =
        campaign->store ? mt_store_runs(campaign->store, &done, &filter, err) : MT_OK;
    for (int i = 0; i < done.count; i++)
        if (done.runs[i].wall > 0) /* imported runs may not say */
            mt_estimate_add(estimate,
                            mt_estimate_work(campaign->program, done.runs[i].size),
                            done.runs[i].wall);
    if (status == MT_OK)
        status = mt_todo_make(order, count, tasks, campaign->cluster, &done,
                              campaign->seed, err);
    mt_runs_clear(&done);
    return status;
}

int mt_todo_leave_out(int *order, int *count, int from, const struct mt_tasks *tasks,
                      const struct mt_cluster *cluster)
{
    int kept = from;
    for (int i = from; i < *count; i++)
        if (mt_configuration_find_nodes(&tasks->tasks[order[i]].configuration, cluster,
                                        NULL) == MT_OK)
            order[kept++] = order[i];
    const int left_out = *count - kept;
    *count = kept;
    return left_out;
}

unsigned mt_task_seed(const struct mt_task *task, unsigned seed)
{
    uint64_t state = seed, size;
    memcpy(&size, &task->size, sizeof size);
    state = next_random(&state) ^ size;
    state = next_random(&state) ^ (uint64_t)task->repetition;
    for (int g = 0; g < MT_MAX_GROUPS; g++) {
        const struct mt_use use = task->configuration.use[g];
        state =
            next_random(&state) ^ (uint64_t)use.nodes << 32 ^ (uint64_t)use.processes;
    }
    return (unsigned)next_random(&state);
}
