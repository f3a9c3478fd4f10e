/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * design.h - which run to make next, when runs are dear: the one that tells most about
 * the plan for what it costs. Pure arithmetic: whoever asks makes the runs.
 *
 *     mt_design_make(&design, cluster, program, candidates, count, &limits, err)
 *     while mt_design_next(design, &next) has a run to propose:
 *         make the run candidates[next.index]
 *         mt_design_observe(design, next.index, seconds, spent, err)
 *         mt_design_review(design, &settled, err), and stop when it is settled
 *     and after the base, before the first other run, mt_design_probes()
 *
 * First comes the base: for each group and number of processes per node the fewest
 * nodes and the most, at four sizes each, from the cheapest run on, so that what the
 * dear ones cost is known when it is their turn. The largest size is such that the base
 * takes 5 % of the time of all candidates, or the limit if that is less; multiples of
 * 64, which invite cache conflicts, give way to a neighbour. Where a cluster has
 * several groups, probes follow: runs of the configurations of several groups that
 * seem to be the best ones, as no run of one group tells what these suffer from. An
 * eighth of the runs and a quarter of the time are kept for them. If the limits do not
 * allow for the whole base, and for the runs after it, a run is worth the variance that
 * it takes from the predicted times (their logarithms) at the program's plan sizes, for
 * the numbers of processes that the plan prefers, per share of the limits that it
 * needs.
 */
#ifndef MT_DESIGN_H
#define MT_DESIGN_H

#include "motley/cluster.h"
#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/plan.h"
#include "motley/program.h"

#include <stdbool.h>

/* A run that may be made: nodes of one group only. */
struct mt_candidate {
    struct mt_configuration configuration;
    double size; /* > 0 */
};

/* Zeroed members do not limit. */
struct mt_design_limits {
    double seconds; /* spent on all runs together */
    int runs;
};

struct mt_design;

/*
 * Make a design. It keeps `cluster` and `program`, which must live as long (nodes that
 * are left out of the cluster meanwhile, it no longer proposes to use), and copies
 * the candidates; candidates are known by their index from then on. MT_EINVAL for
 * candidates of several groups, and for limits below 0.
 */
MT_MUST_CHECK int mt_design_make(struct mt_design **design,
                                 const struct mt_cluster *cluster,
                                 const struct mt_program *program,
                                 const struct mt_candidate *candidates, int count,
                                 const struct mt_design_limits *limits,
                                 struct mt_error *err);
/* NULL is allowed. */
void mt_design_free(struct mt_design *design);

/* Why there is nothing to propose. */
enum mt_design_end {
    MT_DESIGN_GOES_ON,
    MT_DESIGN_MEASURED,     /* all candidates have been observed */
    MT_DESIGN_RUNS_USED,    /* as many as the limit */
    MT_DESIGN_SECONDS_USED, /* what is left of the limit is too short for each of them
                             */
};

struct mt_proposal {
    int index;       /* of the candidate; -1: none */
    double expected; /* what it will spend, seconds; NaN before the first observation */
    double seconds;  /* of these, the program's own; likewise NaN */
    bool base;       /* it belongs to the base */
    enum mt_design_end end;
};

/* Propose the next run. Asked again without an observation in between, it answers the
   same. Without a time observed nothing is known of speeds: the first proposal is the
   run that is the cheapest of the base relative to the others. */
MT_MUST_CHECK int mt_design_next(struct mt_design *design, struct mt_proposal *next,
                                 struct mt_error *err);

/*
 * A run of the candidate has ended: the program took `seconds` (NaN: it failed, and is
 * not proposed again), and `spent` seconds, which may be more, count towards the limit.
 * Runs that were made before are observed likewise, in any order, also of candidates
 * that were not proposed. More runs of the same candidate are averaged.
 */
MT_MUST_CHECK int mt_design_observe(struct mt_design *design, int index, double seconds,
                                    double spent, struct mt_error *err);

/*
 * Fit the default models to what was observed and plan with them for every size.
 * `settled`: the plan has not changed in the last reviews, as many as there are models
 * to be fitted and at least four, and the base is complete. It has changed when what it
 * proposed is now predicted to be more than 3 % slower than the best, or when a
 * predicted time differs by more than 5 %. Until the runs determine the models there is
 * no plan, which is no failure.
 */
MT_MUST_CHECK int mt_design_review(struct mt_design *design, bool *settled,
                                   struct mt_error *err);

/*
 * The probes that are left: runs of configurations of several groups at the largest
 * size that was observed. Whoever asks chooses them, by all that is known of these
 * (motley/verify.h), and says what each of them spent, whether it succeeded or failed.
 */
struct mt_design_probes {
    int left;        /* that the limits allow for; 0 where the cluster has one group */
    double size;     /* of the problem */
    double expected; /* seconds that each is expected to spend; unknown before the first
                        observation */
};
struct mt_design_probes mt_design_probes(const struct mt_design *design);
void mt_design_probed(struct mt_design *design, double spent);

/* What is planned: a choice for each of the program's plan sizes, or, where it gives
   none, of its measure sizes. Zeroed: nothing yet. */
struct mt_design_plan {
    const struct mt_choice *choices; /* borrowed; that of a size for which nothing can
                                        be planned uses no nodes */
    const double *sizes;             /* borrowed */
    int count;
};
/* The plan of the last review, which lives until the next. */
struct mt_design_plan mt_design_plan(const struct mt_design *design);

/* How far the design is. */
struct mt_design_state {
    int runs;      /* observed, also probes and those that failed */
    double spent;  /* on them, seconds */
    int base_left; /* runs of the base that are not made yet; they may be too dear */
    int classes;   /* groups by processes per node */
    int uncovered; /* of them those not seen on their largest number of nodes */
    int unchanged; /* reviews in which the plan has not changed */
    int enough;    /* unchanged reviews that make it settled */
    double all;    /* expected seconds of all candidates; NaN: unknown */
};
MT_MUST_CHECK int mt_design_state(struct mt_design *design,
                                  struct mt_design_state *state, struct mt_error *err);

#endif
