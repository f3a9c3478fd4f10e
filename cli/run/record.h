/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - the record of an ended process: its outcome, time and reason; and the list
 * of failures at the end of a campaign.
 */
#ifndef MT_CLI_RECORD_H
#define MT_CLI_RECORD_H

#include "cli/launch/job.h"
#include "cli/process/process.h"
#include "motley/store.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * The seconds of a run whose program's pattern matched. MT_EINVAL: the match is not a
 * number above 0, or an impossible time for this run: more than from its start to its
 * end, apart from rounding of the printed digits, or less than a millionth of that.
 */
MT_MUST_CHECK int mt_record_seconds(double *seconds, const struct mt_launch *launch,
                                    const struct mt_process *process,
                                    struct mt_error *err);

/* Fill `run`, which must be empty, except for its id. The reason is NULL when the run
   succeeded. */
void mt_record_ended(struct mt_run *run, const struct mt_launch *launch, int repetition,
                     const struct mt_job *job, const struct mt_process *process);
/* The same for a process that could not be started, for that reason. */
void mt_record_not_started(struct mt_run *run, const struct mt_launch *launch,
                           int repetition, const struct mt_job *job,
                           const char *reason);

/* Report the kept folder of a run: on stderr if the run succeeded, in the reason if it
   failed. */
void mt_record_folder(struct mt_run *run, const char *folder);

/* Rescue finished runs that the store, STORE, could not keep: print them on stderr as
   CSV that `motley import` takes, and append them to STORE.rescued.csv. Clears the
   runs. */
void mt_rescue_runs(struct mt_runs *runs);
/* The same of one struct mt_run, for mt_memory_save_first(); a cleared one is
   skipped. */
void mt_rescue_run(void *run);

/* A streak: consecutive runs that failed for the same cause. Empty if zeroed. */
struct mt_streak {
    char *cause; /* owned; of the last run */
    int length;
    bool succeeded; /* some run did */
};

/* Add a run that has ended. Causes are the same if the outcomes and the lines with the
   cause (output.h) are equal apart from digits. */
void mt_streak_add(struct mt_streak *streak, const struct mt_run *run);
/* Whether five runs failed for the same cause and none succeeded, so that others would
   fail, too. */
bool mt_streak_is_hopeless(const struct mt_streak *streak);
/* Report it. The list of failures shows the cause. */
void mt_streak_print(const struct mt_streak *streak, FILE *stream);
void mt_streak_clear(struct mt_streak *streak);

enum { MT_FAILURES_SHOWN = 10 };

/* The first runs that failed and the number of all. Empty if zeroed. */
struct mt_failures {
    struct mt_run shown[MT_FAILURES_SHOWN]; /* owned */
    int count;
};

/* Add a failed run, which the list takes over: `run` is empty afterwards. */
void mt_failures_add(struct mt_failures *failures, struct mt_run *run);
/* Print each run, its reason and the end of its output; nothing if the list is
   empty. */
void mt_failures_print(const struct mt_failures *failures, FILE *stream);
void mt_failures_clear(struct mt_failures *failures);

#endif
