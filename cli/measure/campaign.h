/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * campaign.h - carry out a list of runs, or a single one, and store each as it ends.
 */
#ifndef MT_CLI_CAMPAIGN_H
#define MT_CLI_CAMPAIGN_H

#include "cli/run/run.h"
#include "motley/design.h"
#include "motley/error.h"

/*
 * Carry out the tasks in random order; those whose run succeeded before are skipped. A
 * run that fails is kept, does not end the campaign, and is listed on stderr at the
 * end; but five failures for the same cause end it if no run succeeded (mt_streak).
 * When nodes of such a run do not answer (see down.h), it is made again, if the others
 * of their group are enough, and the tasks that need them are left out. On SIGINT,
 * SIGQUIT, SIGTERM or SIGHUP the running jobs' process groups are killed, and the
 * result says interrupted. A run that cannot be made, while others can (say a
 * placeholder has no value), counts as failed; if none can be made, nothing is started,
 * for the first one's reason. A missing launcher or program, or a store that cannot be
 * written, ends the campaign; earlier results are kept, and finished runs are rescued
 * by mt_rescue_runs().
 *
 * With submission, runs are jobs of Slurm, up to the campaign's `jobs` in the queue at
 * once; earlier submitted ones count, too, and are waited for. stderr shows why they
 * wait. When motley is asked to stop they stay in the queue, and are kept by a later
 * call or by mt_submit_collect(); unless `submit.cancel` is set, or the user, asked on
 * a terminal, wants them to be cancelled. The same if all of them wait for a reason
 * that does not pass by itself, which is MT_EINFEASIBLE.
 */
MT_MUST_CHECK int mt_campaign_run(const struct mt_campaign *campaign,
                                  const struct mt_tasks *tasks,
                                  struct mt_campaign_result *result,
                                  struct mt_error *err);

/* Seconds to spend without asking. */
#define MT_LONG_CAMPAIGN 3600.0

/* Print the expected time of all runs, and ask whether to make those that are left.
   False without a terminal on standard input and error, or after a signal. */
bool mt_consent_ask(double seconds, int left);

/*
 * Make the run as a further repetition of its configuration and size, which
 * `task->repetition` becomes, and hand over its record, also when it failed. `run` must
 * be empty; it stays so when a signal asked to stop, which is then `*interrupted`,
 * otherwise 0.
 */
MT_MUST_CHECK int mt_single_run(const struct mt_campaign *campaign,
                                struct mt_task *task, struct mt_run *run,
                                int *interrupted, struct mt_error *err);

/* The record of the newest run of the task's configuration and size. `run` must be
   empty. */
MT_MUST_CHECK int mt_single_fetch(const struct mt_campaign *campaign,
                                  const struct mt_task *task, struct mt_run *run,
                                  struct mt_error *err);

#endif
