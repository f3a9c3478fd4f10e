/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * budget.h - measure within limits of time or runs: one run after the other, each
 * chosen by the results so far (motley/design.h), until the plan stops changing.
 */
#ifndef MT_CLI_BUDGET_H
#define MT_CLI_BUDGET_H

#include "campaign.h"

#include "motley/design.h"
#include "motley/error.h"

#include <stdio.h>

/* Set the members of the first part. Otherwise zeroed it is empty. */
struct mt_budget {
    const struct mt_campaign *campaign; /* borrowed */
    struct mt_limits limits;
    double share;   /* of the planned run, which sets limits.seconds; 0: none */
    bool no_probes; /* as in struct mt_design_case */

    double ideal; /* lower bound of the planned run's seconds: the shortest run, scaled
                     by work and ranks; 0: no run yet */
    struct mt_design *design; /* owned */
    int before;               /* runs that were in the store already */
    enum mt_end end;          /* the reason for the end */
};

/*
 * Choose among the tasks, of which only the first repetition counts. Runs in the store
 * (which may be NULL) count towards the limits. MT_EINVAL for tasks of several groups.
 * A share is relative to the current prediction for the fastest plan at the program's
 * largest planned size; before any prediction, to its lower bound, and before any run
 * has ended, to MT_LONG_CAMPAIGN.
 */
MT_MUST_CHECK int mt_budget_begin(struct mt_budget *budget,
                                  const struct mt_tasks *tasks, struct mt_error *err);
void mt_budget_clear(struct mt_budget *budget);

/* Measure; expected runs are announced on stderr. On failure `result` holds the work
   done before. */
MT_MUST_CHECK int mt_budget_run(struct mt_budget *budget,
                                struct mt_campaign_result *result,
                                struct mt_error *err);

/* " those of the base" if a forecast's seconds do not cover all runs, else "". */
const char *mt_budget_of_base(const struct mt_budget *budget,
                              const struct mt_forecast *forecast);

/* Warn that `uncovered` of `classes` groups by processes per node have no run on all
   their nodes, if any. */
void mt_budget_warn(FILE *stream, int uncovered, int classes);

#endif
