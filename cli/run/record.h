/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - what is kept of a process that has ended: its outcome, time, and reason;
 * and the list of those that failed, which ends a campaign.
 */
#ifndef MT_CLI_RECORD_H
#define MT_CLI_RECORD_H

#include "cli/launch/job.h"
#include "cli/process/process.h"
#include "motley/cluster.h"
#include "motley/design.h"
#include "motley/error.h"
#include "motley/program.h"
#include "motley/store.h"

#include <stdbool.h>
#include <stdio.h>

/* What was started. */
struct mt_attempt {
    const struct mt_cluster *cluster;
    const struct mt_program *program;
    const struct mt_task *task;
    const struct mt_job *job;
};

/* Fill `run`, which must be empty, except for its id. The reason is NULL when the run
   succeeded. */
MT_MUST_CHECK int mt_record_ended(struct mt_run *run, const struct mt_attempt *attempt,
                                  const struct mt_process *process,
                                  struct mt_error *err);
/* The same for a process that could not be started, for that reason. */
MT_MUST_CHECK int mt_record_not_started(struct mt_run *run,
                                        const struct mt_attempt *attempt,
                                        const char *reason, struct mt_error *err);

/* Say where the folder of the run stays: on stderr of one that succeeded, and in the
   reason of one that failed. */
MT_MUST_CHECK int mt_record_folder(struct mt_run *run, const char *folder,
                                   struct mt_error *err);

/* Rescue finished runs that the store, STORE, could not keep: print them on stderr as
   CSV that `motley import` takes, and append them to STORE.rescued.csv. Clears the
   runs. */
void mt_rescue_runs(struct mt_runs *runs);
/* The same of one struct mt_run, for mt_memory_save_first(). */
void mt_rescue_run(void *run);

/* Runs that failed one after the other for the same cause. Zeroed is empty. */
struct mt_streak {
    char *cause; /* owned; of the last run */
    int length;
    bool succeeded; /* some run did */
};

/* Add a run that has ended. Causes are the same where outcome and the lines that tell
   why (cause.h), but for digits, are. */
void mt_streak_add(struct mt_streak *streak, const struct mt_run *run);
/* Whether five runs failed for the same cause and none succeeded: so will the others.
 */
bool mt_streak_is_hopeless(const struct mt_streak *streak);
/* Say so. The list of failures shows the cause. */
void mt_streak_print(const struct mt_streak *streak, FILE *stream);
void mt_streak_clear(struct mt_streak *streak);

enum { MT_FAILURES_SHOWN = 10 };

/* The first runs that failed and the number of all. Zeroed is empty. */
struct mt_failures {
    struct mt_run shown[MT_FAILURES_SHOWN]; /* owned */
    int count;
};

/* Add a run that failed, which becomes the list's: `run` is empty afterwards. */
void mt_failures_add(struct mt_failures *failures, struct mt_run *run);
/* Print what each was, the reason, and the end of what it printed; nothing when the
   list is empty. */
void mt_failures_print(const struct mt_failures *failures, FILE *stream);
void mt_failures_clear(struct mt_failures *failures);

#endif
