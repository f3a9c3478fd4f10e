/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slot.h - a place where one run after the other is made: its job, its folder, its
 * process, from the begin to what is kept of it.
 */
#ifndef MT_CLI_SLOT_H
#define MT_CLI_SLOT_H

#include "cli/lateness/report.h"
#include "cli/launch/job.h"
#include "cli/process/process.h"
#include "motley/design.h"
#include "settings.h"
#include "stage.h"

/* What a run waits for in Slurm's queue. Zeroed: it has not waited yet. */
struct mt_waiting {
    double began, asked; /* on mt_clock(); 0: not yet */
    char reason[128];    /* the last that was told */
};

/* Zeroed but for what is borrowed it is free. */
struct mt_slot {
    const struct mt_campaign *campaign; /* borrowed */
    const regex_t *pattern;             /* borrowed; of the program's time */
    struct mt_progress *progress;       /* borrowed; the bar that messages end */
    char *folder;                       /* owned; of the launcher's files */
    const struct mt_task *task;         /* borrowed; of the run that is made */
    struct mt_job job;
    struct mt_stage stage;
    struct mt_report_place report;
    struct mt_process process; /* at work while it has a pid */
    struct mt_waiting waiting;
};

/*
 * Begin the run of a task; the slot is free. `*interrupted` is the signal that asked
 * motley to stop meanwhile, otherwise 0. A run that fails before its process is there
 * is recorded in the empty `run`, and still has to be ended. What fails else cannot be
 * made at all.
 */
MT_MUST_CHECK int mt_slot_begin(struct mt_slot *slot, const struct mt_task *task,
                                struct mt_run *run, int *interrupted,
                                struct mt_error *err);
/* Record the run whose process has ended, and keep its report on late ranks, if there
   is one. A run is worth more than its report: what is wrong with that is said on
   stderr.
 */
MT_MUST_CHECK int mt_slot_record(struct mt_slot *slot, struct mt_run *run,
                                 struct mt_error *err);
/* Clean up after the run, which is recorded and not kept yet, as `keep_folder` says,
   and free the slot. `*interrupted` as above. */
MT_MUST_CHECK int mt_slot_end(struct mt_slot *slot, struct mt_run *run,
                              bool keep_folder, int *interrupted, struct mt_error *err);
/* Say what the run waits for in the launcher's queue. */
void mt_slot_look_at_queue(struct mt_slot *slot);
/* Remove what is left of a run that was given up, and release the slot. */
void mt_slot_clear(struct mt_slot *slot);

#endif
