/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - what is kept of a process that has ended: its outcome, time, and reason.
 */
#ifndef MT_CLI_RECORD_H
#define MT_CLI_RECORD_H

#include "campaign.h"
#include "cli/process/process.h"
#include "motley/error.h"
#include "motley/run.h"

/* Fill `run`, which must be empty, except for its id. The reason is NULL when the run
   succeeded. */
MT_MUST_CHECK int mt_record_ended(struct mt_run *run,
                                  const struct mt_campaign *campaign,
                                  const struct mt_task *task, const struct mt_job *job,
                                  const struct mt_process *process,
                                  struct mt_error *err);
/* The same for a process that could not be started, for that reason. */
MT_MUST_CHECK int mt_record_not_started(struct mt_run *run,
                                        const struct mt_campaign *campaign,
                                        const struct mt_task *task,
                                        const struct mt_job *job, const char *reason,
                                        struct mt_error *err);

#endif
