/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * campaign.h - carry out a list of runs and keep each in the store as it ends; used by
 * measure, run and evaluate.
 */
#ifndef MT_CLI_CAMPAIGN_H
#define MT_CLI_CAMPAIGN_H

#include "motley/cluster.h"
#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/program.h"
#include "motley/store.h"

#include <stdbool.h>

/* A run that is to be made. */
struct mt_task {
    struct mt_configuration configuration;
    double size;
    int repetition;
};

struct mt_tasks {
    struct mt_task *tasks; /* owned */
    int count;
};
MT_MUST_CHECK int mt_tasks_add(struct mt_tasks *tasks, const struct mt_task *task,
                               struct mt_error *err);
void mt_tasks_clear(struct mt_tasks *tasks);

struct mt_campaign {
    const struct mt_cluster *cluster; /* borrowed */
    const struct mt_program *program; /* borrowed */
    struct mt_store *store;           /* borrowed; claimed */
    unsigned seed;  /* of the order of the runs and of the simulated noise */
    int jobs;       /* runs side by side; more than 1 only on simulated clusters */
    double timeout; /* of a run, seconds */
    bool quiet;     /* no progress bar */
};

/* What came of it. */
struct mt_campaign_result {
    int done;    /* runs that succeeded now */
    int failed;  /* runs that failed now */
    int skipped; /* tasks whose run was in the store already */
    bool interrupted;
};

/*
 * Carry out the tasks in random order; those whose run succeeded before are skipped. A
 * run that fails is kept and does not end the campaign. On SIGINT or SIGTERM the
 * running jobs' process groups are killed, and the result says interrupted.
 */
MT_MUST_CHECK int mt_campaign_run(const struct mt_campaign *campaign,
                                  const struct mt_tasks *tasks,
                                  struct mt_campaign_result *result,
                                  struct mt_error *err);

#endif
