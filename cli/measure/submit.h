/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * submit.h - runs that are made by jobs which are handed in to Slurm, and kept when
 * these have ended, whoever waits for that; and one run that is asked for, by a job or
 * not, whether it was made before or not.
 */
#ifndef MT_CLI_SUBMIT_H
#define MT_CLI_SUBMIT_H

#include "campaign.h"
#include "motley/error.h"
#include "motley/store.h"

#include "cli/common/inputs.h"

#include <popt.h>

/* --submit and --cancel, to be put into a command's own table with
   POPT_ARG_INCLUDE_TABLE, and what they ask for. MT_EINVAL: --cancel without --submit;
   or the cluster's launcher is not slurm. */
extern struct poptOption mt_submit_options[];
MT_MUST_CHECK int mt_submit_read(struct mt_submit *submit,
                                 const struct mt_cluster *cluster,
                                 struct mt_error *err);

/*
 * mt_campaign_run(), or, if the campaign wants that, the same by jobs, of which up to
 * the campaign's `jobs` are in the queue at once; those that were handed in before
 * count among them, and are waited for. What they wait for is told on stderr. When
 * motley is asked to stop they stay in the queue, and are kept by a later call or by
 * mt_submit_collect(); unless `submit.cancel` is set, or the user, asked on a
 * terminal, wants them to be cancelled. The same when all of them wait for what does
 * not come by itself, which is MT_EINFEASIBLE.
 */
MT_MUST_CHECK int mt_submit_or_run(const struct mt_campaign *campaign,
                                   const struct mt_tasks *tasks,
                                   struct mt_campaign_result *result,
                                   struct mt_error *err);

/* Keep in the store of --db what jobs of this cluster and program have ended since.
   What stands in the way is told on stderr, and nothing else fails by it. */
void mt_submit_collect(const struct mt_inputs *inputs);

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
