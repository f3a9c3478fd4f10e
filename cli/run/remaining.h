/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remaining.h - the remaining runs of a measurement without a limit.
 */
#ifndef MT_CLI_REMAINING_H
#define MT_CLI_REMAINING_H

#include "lib/design/internal.h"
#include "motley/store.h"

/* Zeroed except for what is borrowed it is empty. */
struct mt_remaining {
    const struct mt_tasks *tasks;     /* borrowed */
    const struct mt_cluster *cluster; /* borrowed */
    const struct mt_program *program; /* borrowed */
    int *order;                       /* owned; indices of the tasks that are left */
    int count;                        /* of them */
    struct mt_estimate estimate;      /* by all runs that ended */
};

/* The tasks without a successful run in the store (NULL: all), in the random order of
   the seed; the times of successful runs predict the others. */
MT_MUST_CHECK int mt_remaining_find(struct mt_remaining *remaining,
                                    struct mt_store *store, unsigned seed,
                                    struct mt_error *err);
/* The same by a list of successful runs, which is sorted. */
MT_MUST_CHECK int mt_remaining_make(struct mt_remaining *remaining,
                                    struct mt_runs *done, unsigned seed,
                                    struct mt_error *err);
void mt_remaining_clear(struct mt_remaining *remaining);

/* The i-th remaining task, and its expected seconds; NaN: unknown. */
const struct mt_task *mt_remaining_at(const struct mt_remaining *remaining, int i);
double mt_remaining_seconds(const struct mt_remaining *remaining, int i);

/* Sort them in the order of the tasks. */
void mt_remaining_sort(struct mt_remaining *remaining);

/* Remove, from the `from`-th on, tasks for which too few nodes answer. Returns their
   number. */
int mt_remaining_leave_out(struct mt_remaining *remaining, int from);

/* A number that depends on the seed and the task only, for the noise of a simulated
   run: the same whatever the order of the runs. */
unsigned mt_task_seed(const struct mt_task *task, unsigned seed);

#endif
