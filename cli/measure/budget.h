/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * budget.h - measure within limits of time or runs: one run after the other, each
 * chosen by what is known by then (motley/design.h), until the plan stops changing.
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
    bool no_probes; /* as struct mt_design_case has it */

    double ideal; /* seconds that the planned run takes at least: the shortest that was
                     seen, scaled by work and ranks; 0: nothing was seen */
    struct mt_design *design; /* owned */
    int before;               /* runs that were in the store already */
    enum mt_end end;          /* why nothing was proposed any more */
};

/*
 * Choose among the tasks, of which only the first repetition counts. Runs in the store
 * (which may be NULL) count towards the limits. MT_EINVAL for tasks of several groups.
 * A share is one of the time that the fastest plan for the program's largest size to
 * plan takes, as it is predicted at the time; before that can be, of the least that it
 * can take, and before a run has ended, of MT_LONG_CAMPAIGN.
 */
MT_MUST_CHECK int mt_budget_begin(struct mt_budget *budget,
                                  const struct mt_tasks *tasks, struct mt_error *err);
void mt_budget_clear(struct mt_budget *budget);

/* Measure; what is to come is told on stderr. On failure `result` holds what was done
   before. */
MT_MUST_CHECK int mt_budget_run(struct mt_budget *budget,
                                struct mt_campaign_result *result,
                                struct mt_error *err);

/* " those of the base" where a forecast's seconds are not those of all runs, else "".
 */
const char *mt_budget_of_base(const struct mt_budget *budget,
                              const struct mt_forecast *forecast);

/* Say that `uncovered` of `classes` groups by processes per node stay without a run on
   all their nodes; nothing when none does. */
void mt_budget_warn(FILE *stream, int uncovered, int classes);

#endif
