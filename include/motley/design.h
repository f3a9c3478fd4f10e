/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * design.h - which runs to make when runs are expensive: each one gains the most
 * information about the plan for its cost. Pure arithmetic: the caller makes the runs.
 *
 *     mt_design_make(&design, &of, err)
 *     mt_design_next(design, &next, &end, err)             what to run next, ...
 *     mt_design_observe(design, &next, &observation, err)  ... and what came of it
 *
 * First comes the base: for each group and layout of its nodes, the fewest nodes and
 * the most, at four sizes each, cheapest runs first, so that the cost of the expensive
 * ones is known in time. If the base exceeds its share of the runs, it has fewer sizes,
 * and of each group only the fewest processes per node, the most, and one number
 * between, of the layouts that use all cores. Layouts whose threads leave cores idle
 * are left out. The largest size is chosen so that the base takes 5 % of the time of
 * all candidates, or the limit if that is less; on the fewest nodes it may be larger if
 * 30 % of the limit suffice. A neighbour replaces a multiple of 64, which invites cache
 * conflicts. If a cluster has several groups, a third of the runs and 40 % of the time
 * are kept for later runs.
 *
 * Then each run is the one with the most value for its share of the limits. Its value
 * is the variance that it removes from the predicted times (their logarithms) of the
 * targets: the configurations that may be the best, of all and of each set of groups,
 * at up to five of the program's plan sizes. Targets are weighted by the time that they
 * are expected to save. The runs to choose from are the candidates and, as probes, the
 * targets themselves, each at the largest size that takes no more than a third of the
 * remaining time.
 *
 * A surprising run is repeated, twice at most: one whose time differs from the
 * prediction of models fitted to the other runs by more than a tenth, by five times the
 * usual error and by 2.5 standard deviations. The median counts. At most a fifth of the
 * runs are repeats.
 *
 * The design ends when a limit is used up, when every candidate has run, or when the
 * plan has settled: the base is complete, and better choices are expected to save no
 * more than 0.2 % of the time at any of these sizes. Without a limit it also ends after
 * twice the time of a usual base. (enum mt_end)
 */
#ifndef MT_DESIGN_H
#define MT_DESIGN_H

#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/model.h"
#include "motley/plan.h"
#include "motley/program.h"

#include <stdbool.h>

MT_C_BEGIN

/*
 * The loop in which runs are chosen, made and learned from: propose, run, observe. The
 * library chooses and learns, the caller makes the runs: mt_design_next() and
 * mt_design_observe() for runs to fit models to, mt_verify_next() and
 * mt_verify_observe() for the best configuration at a size. Both end for one of the
 * reasons of enum mt_end. Observations are kept, however the loop ends.
 */

/* What a run is for. */
enum mt_phase {
    MT_PHASE_BASE,        /* the models need it */
    MT_PHASE_PROBES,      /* of the configuration that would be planned, at a large
                             size */
    MT_PHASE_FURTHER,     /* the most informative one for its cost */
    MT_PHASE_VERIFICATION /* of a configuration that may be the best, at the planned
                             size */
};

struct mt_proposal {
    struct mt_configuration configuration;
    double size;
    double
        seconds;  /* that the program is expected to take; NaN: no time is known yet */
    double spent; /* that the run is expected to take from the limit; likewise */
    enum mt_phase phase;
    int repeat; /* runs of it that were made before */
};

/* The outcome of a proposal; zeroed when a run is asked for. */
struct mt_observation {
    bool made;      /* false: it could not be made, and is not proposed again */
    double seconds; /* of the program, > 0; NaN: the run failed, and is not proposed
                       again */
    double spent;   /* seconds that count towards the limit */
    bool stop;      /* make no more runs; a finished run is still observed */
};

/* A run that may be made. */
struct mt_candidate {
    struct mt_configuration configuration;
    double size; /* > 0 */
};

/* Zeroed members do not limit. */
struct mt_limits {
    double seconds; /* spent on all runs together */
    int runs;
};

/* Why nothing more is proposed. */
enum mt_end {
    MT_END_NONE,         /* there is a proposal */
    MT_END_SETTLED,      /* no run promises to change the answer */
    MT_END_ALL_MEASURED, /* every candidate has run */
    MT_END_RUNS_USED,    /* the limit on runs is reached */
    MT_END_SECONDS_USED, /* too little time is left for a run */
    MT_END_STOPPED       /* the experimenter asked for it */
};

/* The runs that a measurement is made of. */

/* A run that is to be made. */
struct mt_task {
    struct mt_configuration configuration;
    double size;
    int repetition; /* from 1 on */
};

/* Empty if zeroed. */
struct mt_tasks {
    struct mt_task *tasks; /* owned */
    int count;
};

void mt_tasks_clear(struct mt_tasks *tasks);

/* What is to be measured. */
struct mt_measurement {
    const struct mt_cluster *cluster;
    const struct mt_program *program;
    /* Configurations separated by commas; "homogeneous" stands for all processes per
       node of every group on 1..8 nodes, then on 12, 16, 24, 32, ... and on all, and
       for their layouts with several threads on 1, 2, 4, ... and all, or, where these
       leave cores over, on one and all; "all" for every configuration of the cluster.
     */
    const char *configurations;
    const double *sizes;
    int nsizes;
    int repeat; /* runs of each */
};

/* Add its runs except those that the program's `valid` or the nodes' memory rule out;
   MT_EINVAL if none is left. */
MT_MUST_CHECK int mt_tasks_plan(struct mt_tasks *tasks,
                                const struct mt_measurement *measurement,
                                struct mt_error *err);

/* What is to be measured. */
struct mt_design_case {
    const struct mt_cluster *cluster; /* borrowed; nodes left out of it in the meantime
                                         are no longer proposed */
    const struct mt_program *program; /* borrowed */
    /* Runs of one group each; copied. If some are of several groups, probes are chosen
       among these, otherwise among all that the cluster allows. */
    const struct mt_candidate *candidates;
    int count;
    struct mt_limits limits;
    bool no_probes; /* not even where the cluster has several groups */
    bool exact; /* a run takes the same time whenever it is made: none is made again */
};

struct mt_design;

/* Make a design. MT_EINVAL without a candidate of one group, and for limits below 0. */
MT_MUST_CHECK int mt_design_make(struct mt_design **design,
                                 const struct mt_design_case *of, struct mt_error *err);
/* NULL is allowed. */
void mt_design_free(struct mt_design *design);

/*
 * Propose the next run. Asked again without an observation in between, it answers the
 * same. Before the first observation, speeds are unknown: the first proposal is the run
 * of the base with the least relative cost.
 */
MT_MUST_CHECK int mt_design_next(struct mt_design *design, struct mt_proposal *next,
                                 enum mt_end *end, struct mt_error *err);
/* Record the outcome of this or any other candidate; repeated runs count by their
   median. */
MT_MUST_CHECK int mt_design_observe(struct mt_design *design,
                                    const struct mt_proposal *proposal,
                                    const struct mt_observation *observation,
                                    struct mt_error *err);

/*
 * Which configurations to run at one size to find the best one with few runs.
 *
 *     mt_verify_init(&verify, &predictor, &plan, size, runs, err)
 *     mt_verify_next(&verify, &next, &end, err)
 *     mt_verify_observe(&verify, &next, &observation, err)
 *     mt_verify_best(&verify)
 *
 * The first run is of the models' best configuration. Then come the anchors, unless one
 * is expected to take ten times as long as the best: the fastest at the nearest size,
 * all nodes with the fewest processes, all nodes with the most, the fastest group alone
 * on all its nodes, and the fastest single node. Then each run is the one with the
 * largest expected improvement over the best run so far; the improvement counts three
 * times for the first run of a set of groups, since other runs say little about it.
 * Once only a small improvement is expected, sets of groups that never ran on a part of
 * their nodes follow: the fastest such mix of each is run if it is expected to take
 * less than 1.1 times as long as the best. At the end, or when two runs are left, the
 * best ones are repeated, since the fastest of many runs was also lucky.
 *
 * mt_verify_until() sets a goal: runs are made until no other configuration is more
 * than 3.6 % faster, with that confidence. That needs the anchors and these mixes.
 */

struct mt_verify_candidate {
    struct mt_configuration configuration;
    int groups;    /* the first candidate that uses the same groups */
    int runs;      /* that succeeded at this size */
    bool failed;   /* and is not to be run again */
    double spread; /* of the logarithms of its runs, from the least to the most */
    double seconds, deviation; /* the median of its runs, or what is expected now, and
                                  the deviation of the true time's logarithm */
};

/* All members are private to the module. Empty if zeroed. */
struct mt_verify {
    struct mt_predictor *predictor; /* borrowed */
    double size;
    struct mt_verify_candidate *candidates; /* owned */
    int count;
    int most_nodes; /* of a candidate */
    int left;       /* runs that may still be made */
    int repeats;    /* that are kept for the best ones */
    double goal;    /* confidence that is wanted; 0: runs are the only limit */
    struct mt_verify_candidate *fastest_near; /* of what was run at the size nearest to
                                                 this one; NULL: too little was */
};

/*
 * Begin with the most promising configurations of `plan`, which is ranked, as
 * candidates, for at most `runs` runs at `size`; the runs that the predictor knows of
 * are recalled. Every run is added to `predictor`, of auto models, which must outlive
 * `verify`; MT_EINVAL when a candidate cannot be predicted. `verify` must be empty.
 */
MT_MUST_CHECK int mt_verify_init(struct mt_verify *verify,
                                 struct mt_predictor *predictor,
                                 const struct mt_plan *plan, double size, int runs,
                                 struct mt_error *err);
void mt_verify_clear(struct mt_verify *verify);

/* Go on until the best is known with this confidence, as far as the runs allow. */
void mt_verify_until(struct mt_verify *verify, double confidence);

/* Propose the next run, and learn what came of it, as mt_design_next() and
   mt_design_observe() do. */
MT_MUST_CHECK int mt_verify_next(struct mt_verify *verify, struct mt_proposal *next,
                                 enum mt_end *end, struct mt_error *err);
MT_MUST_CHECK int mt_verify_observe(struct mt_verify *verify,
                                    const struct mt_proposal *proposal,
                                    const struct mt_observation *observation,
                                    struct mt_error *err);

/* The fastest of those that ran, by their medians; NULL: no run succeeded. */
const struct mt_configuration *mt_verify_best(const struct mt_verify *verify);

MT_C_END

#endif
