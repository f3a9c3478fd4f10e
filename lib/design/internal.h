/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal.h - what the rest of motley uses of tasks, designs and verification beyond
 * the public headers.
 */
#ifndef MT_DESIGN_INTERNAL_H
#define MT_DESIGN_INTERNAL_H

#include "motley/design.h"

#include <stdbool.h>

/* The maker of runs in the loop of design.h, mt_design_run() or mt_verify_run(). If
   `run` fails, the loop ends and returns its status, as if the proposal had not been
   made. Called again, the loop goes on from there. */
struct mt_experimenter {
    int (*run)(void *context, const struct mt_proposal *proposal,
               struct mt_observation *observation, struct mt_error *err);
    void *context;
};

/* A run that was made before. */
struct mt_past_run {
    struct mt_configuration configuration;
    double size;
    double seconds; /* of the program; NaN: it failed */
    double spent;   /* of the limit */
};

/* Tasks, and how long they are expected to take. */

/* Add a task; the order of the tasks does not matter. */
MT_MUST_CHECK int mt_tasks_add(struct mt_tasks *tasks, const struct mt_task *task,
                               struct mt_error *err);

/* Predicts the time of runs from those that ended, a fair sample since their order is
   random: seconds = a + b * work, by least squares, a and b not negative. Time beyond
   the program's own likewise, with the program's time in place of the work. The members
   are sums over the runs that ended. Empty if zeroed. */
struct mt_estimate {
    int runs;
    double seconds, work, seconds_work, work_work;
    double most_work;
};

/* The work of a run, whatever its P: the program's at that size for one process, or the
   size when it gives none. */
double mt_estimate_work(const struct mt_program *program, double size);
/* A run with this work has ended. */
void mt_estimate_add(struct mt_estimate *estimate, double work, double seconds);
/* Expected seconds of a run; NaN: no run has ended yet. */
double mt_estimate_seconds(const struct mt_estimate *estimate, double work);
/* Whether runs with that much work ended; otherwise the expected seconds are a lower
   bound at best. */
bool mt_estimate_covers(const struct mt_estimate *estimate, double work);

/* Designs. */

/*
 * Observe runs that were made before, the oldest first, each as if it had been proposed
 * now, so a design may be settled at once. Runs that are neither candidates nor
 * possible probes, at a candidate's or a planned size, only inform the models, and do
 * not count. Failed runs do not count either, and are tried again, except probes.
 */
MT_MUST_CHECK int mt_design_recall(struct mt_design *design,
                                   const struct mt_past_run *runs, int count,
                                   struct mt_error *err);

/* Make the proposed runs, plan by all of them, and set the reason for the end.
   MT_EINVAL: an impossible observation. */
MT_MUST_CHECK int mt_design_run(struct mt_design *design,
                                const struct mt_experimenter *experimenter,
                                enum mt_end *end, struct mt_error *err);
/* Change the time limit from the next proposal on. */
void mt_design_limit_seconds(struct mt_design *design, double seconds);
/* The plan of the last review, which lives until the next: a choice for each of the
   program's plan sizes, or, where it gives none, of its measure sizes. Zeroed: nothing
   yet. */
struct mt_design_plan {
    const struct mt_choice *choices; /* borrowed; uses no nodes at a size without a
                                        plan */
    const double *sizes;             /* borrowed */
    int count;
};

struct mt_design_plan mt_design_plan(const struct mt_design *design);

/* The progress of the design. */
struct mt_design_state {
    int runs;      /* observed, also probes and those that failed */
    double spent;  /* on them, seconds */
    int probes;    /* of these runs */
    int base_left; /* runs of the base still to make; they may exceed the limits */
    int classes;   /* groups by processes per node */
    int uncovered; /* of them those not seen on their largest number of nodes */
    double gain;   /* the share of the planned times that better choices are expected to
                      save; NaN: unknown yet */
    double all;    /* expected seconds of all candidates; NaN: unknown */
};

MT_MUST_CHECK int mt_design_state(struct mt_design *design,
                                  struct mt_design_state *state, struct mt_error *err);

/* The runs that are expected to come. Empty if zeroed. */
struct mt_forecast {
    struct mt_proposal *runs; /* owned; of the base, in order */
    int count;
    int further;    /* that may follow; 0: none, or an unknown number */
    double seconds; /* of the base, or what is left of the limit; NaN: unknown yet */
    int cheap;      /* runs after which that is known: the cheap half of the base */
    int classes;    /* groups by processes per node */
    int uncovered;  /* of them those that did not run on all their nodes yet */
};

MT_MUST_CHECK int mt_design_forecast(struct mt_forecast *forecast,
                                     const struct mt_design *design,
                                     struct mt_error *err);
void mt_forecast_clear(struct mt_forecast *forecast);

/*
 * How certain the best of some configurations is, by the joint distribution of their
 * true times, to decide whether runs at that size pay.
 */

/* Configurations that may be the fastest at one size. */
struct mt_contest {
    const struct mt_problem *problem; /* of auto models */
    double size;
    /* Distinct configurations, of which the first is judged; borrowed. */
    const struct mt_configuration *configurations;
    int count; /* at least 1 */
};

struct mt_outlook {
    double confidence; /* the probability that the first is as good as the fastest */
    double gain;       /* the expected saving of the fastest, as a share of the first
                          one's time */
};

/* Uses draws of the true times; the same contest has the same outlook. */
MT_MUST_CHECK int mt_outlook_find(struct mt_outlook *outlook,
                                  const struct mt_contest *contest,
                                  struct mt_error *err);

/* The expected improvement of a time over another one, relative to that: E max(0, 1 -
   e^X), where X, the logarithm of their ratio, is normal. */
double mt_improvement(double log_ratio, double deviation);

/* Verification. */

/*
 * Make the proposed runs, and set the reason for the end: MT_END_SETTLED when none
 * promises enough or the goal is reached, MT_END_RUNS_USED, or MT_END_STOPPED. No run
 * uses nodes left out of the cluster in the meantime, or a configuration that failed.
 */
MT_MUST_CHECK int mt_verify_run(struct mt_verify *verify,
                                const struct mt_experimenter *experimenter,
                                enum mt_end *end, struct mt_error *err);

/* The certainty of the best; zeros when no run succeeded. */
MT_MUST_CHECK int mt_verify_outlook(const struct mt_verify *verify,
                                    struct mt_outlook *outlook, struct mt_error *err);

#endif
