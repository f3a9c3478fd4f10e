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

#include <stdbool.h>

/* A run of a candidate that has ended. */
struct mt_budget_run {
    int candidate;
    double seconds; /* NaN: it failed */
    double spent;   /* seconds of the budget */
};

/* Zeroed is empty. */
struct mt_budget {
    const struct mt_campaign *campaign; /* borrowed */
    struct mt_design_limits limits;
    struct mt_candidate *candidates; /* owned */
    int count;
    struct mt_design *design;   /* owned */
    struct mt_budget_run *runs; /* owned; that the design has observed, in order */
    int nruns, allocated;
    int probes;                  /* runs of several groups at the candidates' sizes */
    double probes_spent;         /* seconds of the budget, on all of these */
    int before;                  /* runs that were in the store already, with probes */
    struct mt_choice *corrected; /* owned; the design's plan, corrected by the probes;
                                    NULL: there are none */
    bool settled;                /* the plan has stopped changing */
    enum mt_design_end end;      /* why nothing was proposed any more */
};

/*
 * Choose among the tasks, of which only the first repetition counts. Runs in the store
 * (which may be NULL) count towards the limits. MT_EINVAL for tasks of several groups.
 * On failure `budget` is empty.
 */
MT_MUST_CHECK int mt_budget_init(struct mt_budget *budget,
                                 const struct mt_campaign *campaign,
                                 const struct mt_tasks *tasks,
                                 const struct mt_design_limits *limits,
                                 struct mt_error *err);
void mt_budget_clear(struct mt_budget *budget);

/* Measure; what is to come is told on stderr. On failure `result` holds what was done
   before. */
MT_MUST_CHECK int mt_budget_run(struct mt_budget *budget,
                                struct mt_campaign_result *result,
                                struct mt_error *err);

/* A probe has ended; its run takes from the limits. */
void mt_budget_probed(struct mt_budget *budget, const struct mt_run *run);
/* The probes that are to be made yet. */
struct mt_design_probes mt_budget_probes_left(const struct mt_budget *budget);
/*
 * Make them: what the models propose at that size among the configurations of several
 * groups, then what promises most. None where nothing can be proposed yet. Adds to
 * `result`.
 */
MT_MUST_CHECK int mt_budget_probe(struct mt_budget *budget,
                                  struct mt_progress *progress,
                                  struct mt_campaign_result *result,
                                  struct mt_error *err);

/* Correct the plan by what the probes say, as `motley plan` does. */
MT_MUST_CHECK int mt_budget_plan(struct mt_budget *budget, struct mt_error *err);

/* The runs that are expected to come, in order, as far as can be told now. Zeroed is
   empty. */
struct mt_forecast {
    struct mt_proposal *runs; /* owned */
    int count;
    int probes;     /* and so many probes, when the base is through, ... */
    double size;    /* ... at this size */
    double seconds; /* of all of them; NaN: nothing is known of speeds yet */
    int cheap;     /* the cheap half of the base, which tells how long the rest takes */
    int classes;   /* groups by processes per node */
    int uncovered; /* of them those that these runs do not see on all their nodes */
};

MT_MUST_CHECK int mt_forecast_make(struct mt_forecast *forecast,
                                   const struct mt_budget *budget,
                                   struct mt_error *err);
void mt_forecast_clear(struct mt_forecast *forecast);

/* Print the forecast on stderr, in words. */
void mt_forecast_announce(const struct mt_forecast *forecast,
                          const struct mt_budget *budget);
/* Print the forecast on stdout, run by run. */
MT_MUST_CHECK int mt_forecast_print(const struct mt_forecast *forecast,
                                    const struct mt_budget *budget, bool json,
                                    struct mt_error *err);
/* Print what came of it on stdout: the runs, why they ended, and the plan. */
MT_MUST_CHECK int mt_budget_print(const struct mt_budget *budget,
                                  const struct mt_campaign_result *result, bool json,
                                  struct mt_error *err);

#endif
