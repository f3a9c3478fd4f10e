/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * campaign.h - carry out a list of runs and keep each in the store as it ends; used by
 * measure, run and evaluate.
 */
#ifndef MT_CLI_CAMPAIGN_H
#define MT_CLI_CAMPAIGN_H

#include "cli/run/settings.h"
#include "motley/design.h"
#include "motley/error.h"

/* What came of it. */
struct mt_campaign_result {
    int done;        /* runs that succeeded now */
    int failed;      /* runs that failed now */
    int skipped;     /* tasks whose run was in the store already */
    int left_out;    /* tasks for which too few nodes answer */
    int interrupted; /* the signal that asked to stop; 0: none */
    double
        too_long; /* seconds that it would have taken, ended for that; 0: it was not */
};

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
 */
MT_MUST_CHECK int mt_campaign_run(const struct mt_campaign *campaign,
                                  const struct mt_tasks *tasks,
                                  struct mt_campaign_result *result,
                                  struct mt_error *err);

#endif
