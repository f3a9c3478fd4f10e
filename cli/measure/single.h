/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * single.h - one run that is asked for, whether it was made before or not.
 */
#ifndef MT_CLI_SINGLE_H
#define MT_CLI_SINGLE_H

#include "campaign.h"

#include "motley/error.h"
#include "motley/store.h"

/*
 * Make the run as a further repetition of its configuration and size, which
 * `task->repetition` becomes, and hand over what the store keeps of it, also when it
 * failed. `run` must be empty; it stays so when a signal asked to stop, which is then
 * `*interrupted`, otherwise 0.
 */
MT_MUST_CHECK int mt_single_run(const struct mt_campaign *campaign,
                                struct mt_task *task, struct mt_run *run,
                                int *interrupted, struct mt_error *err);

/* What the store keeps of the newest run of the task's configuration and size. `run`
   must be empty. */
MT_MUST_CHECK int mt_single_fetch(const struct mt_campaign *campaign,
                                  const struct mt_task *task, struct mt_run *run,
                                  struct mt_error *err);

#endif
