/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks.h - the runs that a measurement is made of. remaining.h says what is left of
 * them.
 */
#ifndef MT_TASKS_H
#define MT_TASKS_H

#include "motley/cluster.h"
#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/program.h"

/* A run that is to be made. */
struct mt_task {
    struct mt_configuration configuration;
    double size;
    int repetition; /* from 1 on */
};

/* Zeroed is empty. */
struct mt_tasks {
    struct mt_task *tasks; /* owned */
    int count, allocated;
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
       node of every group on 1..8 nodes, then on 12, 16, 24, 32, ... and on all; "all"
       for every configuration of the cluster. */
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

#endif
