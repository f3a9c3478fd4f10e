/* SPDX-License-Identifier: BSD-3-Clause */
/* The remaining runs of a measurement without a limit, in random order, with expected
   times. */
#include "remaining.h"

#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "lib/stats/random.h"

#include <stdlib.h>
#include <string.h>

/* Fisher and Yates. The remainder's bias is below 2^-32 for any list in memory. */
static void shuffle(int *order, int count, unsigned seed)
{
    uint64_t state = seed;
    for (int i = count - 1; i > 0; i--) {
        int j = (int)(mt_random_next(&state) % ((uint64_t)i + 1));
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

static bool is_done(bool *done, const struct mt_task *task, const struct mt_runs *runs,
                    const struct mt_cluster *cluster)
{
    struct mt_run wanted = {.size = task->size, .repetition = task->repetition};
    wanted.configuration = mt_configuration_format(&task->configuration, cluster);
    if (!wanted.configuration)
        return false;
    *done = runs->count > 0 && bsearch(&wanted, runs->runs, (size_t)runs->count,
                                       sizeof *runs->runs, compare_runs);
    free(wanted.configuration);
    return true;
}

int mt_remaining_make(struct mt_remaining *remaining, struct mt_runs *done,
                      unsigned seed, struct mt_error *err)
{
    const struct mt_tasks *tasks = remaining->tasks;
    int *left = calloc((size_t)tasks->count + 1, sizeof *left);
    int count = 0;
    if (!left)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", tasks->count);
    if (done->count > 0)
        qsort(done->runs, (size_t)done->count, sizeof *done->runs, compare_runs);
    for (int i = 0; i < tasks->count; i++) {
        bool was_made;
        if (!is_done(&was_made, &tasks->tasks[i], done, remaining->cluster)) {
            free(left);
            return mt_fail(err, MT_ENOMEM, "no memory for a configuration");
        }
        if (!was_made)
            left[count++] = i;
    }
    shuffle(left, count, seed);
    remaining->order = left;
    remaining->count = count;
    return MT_OK;
}

int mt_remaining_find(struct mt_remaining *remaining, struct mt_store *store,
                      unsigned seed, struct mt_error *err)
{
    const struct mt_program *program = remaining->program;
    const struct mt_run_filter filter = {.cluster = remaining->cluster->name,
                                         .program = program->name,
                                         .succeeded_only = true};
    struct mt_runs done = {0};
    int status = store ? mt_store_runs(store, &done, &filter, err) : MT_OK;
    for (int i = 0; i < done.count; i++)
        if (done.runs[i].wall > 0) /* imported runs may not say */
            mt_estimate_add(&remaining->estimate,
                            mt_estimate_work(program, done.runs[i].size),
                            done.runs[i].wall);
    if (status == MT_OK)
        status = mt_remaining_make(remaining, &done, seed, err);
    mt_runs_clear(&done);
    return status;
}

void mt_remaining_clear(struct mt_remaining *remaining)
{
    free(remaining->order);
    *remaining = (struct mt_remaining){0};
}

const struct mt_task *mt_remaining_at(const struct mt_remaining *remaining, int i)
{
    return &remaining->tasks->tasks[remaining->order[i]];
}

double mt_remaining_seconds(const struct mt_remaining *remaining, int i)
{
    const double size = mt_remaining_at(remaining, i)->size;
    return mt_estimate_seconds(&remaining->estimate,
                               mt_estimate_work(remaining->program, size));
}

void mt_remaining_sort(struct mt_remaining *remaining)
{
    if (remaining->count > 0)
        qsort(remaining->order, (size_t)remaining->count, sizeof *remaining->order,
              mt_compare_ints);
}

int mt_remaining_leave_out(struct mt_remaining *remaining, int from)
{
    int kept = from;
    for (int i = from; i < remaining->count; i++)
        if (mt_configuration_find_nodes(&mt_remaining_at(remaining, i)->configuration,
                                        remaining->cluster, NULL) == MT_OK)
            remaining->order[kept++] = remaining->order[i];
    const int left_out = remaining->count - kept;
    remaining->count = kept;
    return left_out;
}

unsigned mt_task_seed(const struct mt_task *task, unsigned seed)
{
    uint64_t state = seed, size;
    memcpy(&size, &task->size, sizeof size);
    state = mt_random_next(&state) ^ size;
    state = mt_random_next(&state) ^ (uint64_t)task->repetition;
    for (int g = 0; g < MT_MAX_GROUPS; g++) {
        const struct mt_use use = task->configuration.use[g];
        state = mt_random_next(&state) ^ (uint64_t)use.nodes << 32 ^
                (uint64_t)use.layout.processes;
    }
    return (unsigned)mt_random_next(&state);
}
