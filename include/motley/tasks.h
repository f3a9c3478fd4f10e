/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks.h - the runs that a measurement is made of, which of them are left, in which
 * order they are made, and how long they are expected to take.
 */
#ifndef MT_TASKS_H
#define MT_TASKS_H

#include "motley/cluster.h"
#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/program.h"
#include "motley/store.h"

#include <stdbool.h>

MT_C_BEGIN

/* A run that is to be made. */
struct mt_task {
    struct mt_configuration configuration;
    double size;
    int repetition; /* from 1 on */
};

/* Zeroed is empty. */
struct mt_tasks {
    struct mt_task *tasks; /* owned */
    int count;
};

/* Add a task; the order of the tasks does not matter. */
MT_MUST_CHECK int mt_tasks_add(struct mt_tasks *tasks, const struct mt_task *task,
                               struct mt_error *err);
void mt_tasks_clear(struct mt_tasks *tasks);

/* What is to be measured. */
struct mt_measurement {
    const struct mt_cluster *cluster;
    const struct mt_program *program;
    /* Configurations separated by commas; "homogeneous" stands for all processes per
       node of every group on 1..8 nodes, then on 12, 16, 24, 32, ... and on all, and
       for their layouts with several threads on 1, 2, 4, ... and all, or, where these
       leave cores over, on one and all; "all" for every configuration of the cluster.
     */
    const char *configurations;
    const double *sizes;
    int nsizes;
    int repeat; /* runs of each */
};

/* Add its runs, except where the program may not run (its `valid`, the memory of the
   nodes); MT_EINVAL when nothing is left. */
MT_MUST_CHECK int mt_tasks_plan(struct mt_tasks *tasks,
                                const struct mt_measurement *measurement,
                                struct mt_error *err);

/*
 * How long runs will take, judged by those that ended: seconds = a + b * work, by least
 * squares, neither below 0.
 *
 * Runs are made in random order, so that what ended is a fair sample of what is left.
 * Likewise for what runs take beyond the time that the program says, by that time in
 * place of the work.
 */

/* Sums over the runs that ended. Zeroed is empty. */
struct mt_estimate {
    int runs;
    double seconds, work, seconds_work, work_work;
    double most_work;
};

/* The work of a run, whatever its P: the program's at that size for one process, or the
   size when it gives none. */
double mt_estimate_work(const struct mt_program *program, double size);
/* A run with so much work has ended. */
void mt_estimate_add(struct mt_estimate *estimate, double work, double seconds);
/* Expected seconds of a run; NaN: no run has ended yet. */
double mt_estimate_seconds(const struct mt_estimate *estimate, double work);
/* Whether runs with so much work were seen; otherwise it is a lower bound at best. */
bool mt_estimate_covers(const struct mt_estimate *estimate, double work);

/* What is left of a measurement. */

/* Zeroed but for what is borrowed it is empty. */
struct mt_remaining {
    const struct mt_tasks *tasks;     /* borrowed */
    const struct mt_cluster *cluster; /* borrowed */
    const struct mt_program *program; /* borrowed */
    int *order;                       /* owned; indices of the tasks that are left */
    int count;                        /* of them */
    struct mt_estimate estimate;      /* by all runs that ended */
};

/* The tasks without a successful run in the store (NULL: all), in the random order of
   the seed; the times of these runs are what is expected of the others. */
MT_MUST_CHECK int mt_remaining_find(struct mt_remaining *remaining,
                                    struct mt_store *store, unsigned seed,
                                    struct mt_error *err);
/* The same by a list of successful runs, which is sorted. */
MT_MUST_CHECK int mt_remaining_make(struct mt_remaining *remaining,
                                    struct mt_runs *done, unsigned seed,
                                    struct mt_error *err);
void mt_remaining_clear(struct mt_remaining *remaining);

/* The i-th that is left, and the seconds that it is expected to take; NaN: unknown. */
const struct mt_task *mt_remaining_at(const struct mt_remaining *remaining, int i);
double mt_remaining_seconds(const struct mt_remaining *remaining, int i);

/* Bring them into the order of the tasks. */
void mt_remaining_sort(struct mt_remaining *remaining);
/* How many from i on differ in their repetition only, when they are sorted. */
int mt_remaining_repetitions(const struct mt_remaining *remaining, int i);

/* Take out, from the `from`-th on, what too few nodes of the cluster answer for.
   Returns how many these were. */
int mt_remaining_leave_out(struct mt_remaining *remaining, int from);

/* A number that depends on the seed and the task only, for the noise of a simulated
   run: the same whatever the order of the runs. */
unsigned mt_task_seed(const struct mt_task *task, unsigned seed);

MT_C_END

#endif
