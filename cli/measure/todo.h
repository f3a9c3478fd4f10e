/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * todo.h - which tasks of a campaign are left, and in which order they are made.
 */
#ifndef MT_CLI_TODO_H
#define MT_CLI_TODO_H

#include "campaign.h"
#include "estimate.h"
#include "motley/error.h"
#include "motley/store.h"

#include <stdint.h>

/*
 * Make `*order` the indices of the tasks without a successful run among `done`, in the
 * random order of the seed, and `*count` their number. Sorts `done`. The caller frees
 * the order.
 */
MT_MUST_CHECK int mt_todo_make(int **order, int *count, const struct mt_tasks *tasks,
                               const struct mt_cluster *cluster, struct mt_runs *done,
                               unsigned seed, struct mt_error *err);

/*
 * The same for a campaign, by what is in its store (NULL: nothing), whose runs are
 * added to `estimate`.
 */
MT_MUST_CHECK int mt_todo_find(int **order, int *count, struct mt_estimate *estimate,
                               const struct mt_campaign *campaign,
                               const struct mt_tasks *tasks, struct mt_error *err);

/*
 * Take out of the order, from `from` on, the tasks for which too few nodes of the
 * cluster answer. Returns how many these were, which `*count` is less by.
 */
int mt_todo_leave_out(int *order, int *count, int from, const struct mt_tasks *tasks,
                      const struct mt_cluster *cluster);

/* A number that depends on the seed and the task only, for the noise of a simulated
   run: the same whatever the order of the runs. */
unsigned mt_task_seed(const struct mt_task *task, unsigned seed);

#endif
