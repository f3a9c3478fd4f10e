/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * campaign.h - carry out a list of runs, or one that is asked for, and keep each in the
 * store as it ends.
 */
#ifndef MT_CLI_CAMPAIGN_H
#define MT_CLI_CAMPAIGN_H

#include "cli/run/run.h"
#include "motley/design.h"
#include "motley/error.h"

/*
 * Carry out the tasks in random order; those whose run succeeded before are skipped. A
 * run that fails is kept, does not end the campaign, and is listed on stderr at the
 * end; five that fail for the same cause do, if none succeeded (mt_streak). When nodes
 * of such a run do not answer (see down.h), it is made again, if the others of their
 * group are enough, and the tasks that need them are left out. On SIGINT, SIGQUIT,
 * SIGTERM or SIGHUP the running jobs' process groups are killed, and the result says
 * interrupted. A run that cannot be made, while others can (a placeholder has no value
 * there), has failed; when none can be made, nothing is started, with the first one's
 * reason. Else a job that cannot be made (the launcher or the program is missing) and a
 * store that cannot be written end the campaign; what was done before is kept, and so
 * are runs that have ended, as mt_rescue_runs() says.
 *
 * If the campaign wants that, the same by jobs of Slurm, of which up to the campaign's
 * `jobs` are in the queue at once; those that were handed in before count among them,
 * and are waited for. What they wait for is told on stderr. When motley is asked to
 * stop they stay in the queue, and are kept by a later call or by mt_submit_collect();
 * unless `submit.cancel` is set, or the user, asked on a terminal, wants them to be
 * cancelled. The same when all of them wait for what does not come by itself, which is
 * MT_EINFEASIBLE.
 */
MT_MUST_CHECK int mt_campaign_run(const struct mt_campaign *campaign,
                                  const struct mt_tasks *tasks,
                                  struct mt_campaign_result *result,
                                  struct mt_error *err);

/* Seconds to spend without asking. */
#define MT_LONG_CAMPAIGN 3600.0

/* Say how long all runs are expected to take, and ask whether to make those that are
   left. No where nobody can be asked, as standard input and error are no terminal, or a
   signal comes. */
bool mt_consent_ask(double seconds, int left);

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
