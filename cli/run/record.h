/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - what is kept of a process that has ended: its outcome, time, and reason;
 * and the list of those that failed, which ends a campaign.
 */
#ifndef MT_CLI_RECORD_H
#define MT_CLI_RECORD_H

#include "cli/launch/job.h"
#include "cli/process/process.h"
#include "motley/store.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * The seconds of a run whose program's pattern matched. MT_EINVAL: what was printed is
 * not a number above 0, or not a time that this run can have taken: more than from its
 * start to its end, apart from the rounding of printed digits, or less than a millionth
 * of it.
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

/* Say where the folder of the run stays: on stderr of one that succeeded, and in the
   reason of one that failed. */
void mt_record_folder(struct mt_run *run, const char *folder);

/* Rescue finished runs that the store, STORE, could not keep: print them on stderr as
   CSV that `motley import` takes, and append them to STORE.rescued.csv. Clears the
   runs. */
void mt_rescue_runs(struct mt_runs *runs);
/* The same of one struct mt_run, for mt_memory_save_first(); a cleared one is passed
   over. */
void mt_rescue_run(void *run);

/* Runs that failed one after the other for the same cause. Zeroed is empty. */
struct mt_streak {
    char *cause; /* owned; of the last run */
    int length;
    bool succeeded; /* some run did */
};

/* Add a run that has ended. Causes are the same if outcome and the lines that tell why
   (output.h) are equal apart from digits. */
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
