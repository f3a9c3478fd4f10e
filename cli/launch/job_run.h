/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job_run.h - one job, to its end, outside a campaign: nothing of it is stored.
 */
#ifndef MT_CLI_JOB_RUN_H
#define MT_CLI_JOB_RUN_H

#include "cli/process/process.h"
#include "launcher.h"
#include "motley/error.h"

/*
 * Run the job in `process`, whose time-out and echo the caller has set and which the
 * caller clears. `*interrupted` is the signal that asked to stop, otherwise 0.
 */
MT_MUST_CHECK int mt_job_run(const struct mt_job *job, struct mt_process *process,
                             int *interrupted, struct mt_error *err);

#endif
