/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state.h - the state of a design, for the files that share it.
 */
#ifndef MT_DESIGN_STATE_H
#define MT_DESIGN_STATE_H

#include "internal.h"
#include "motley/plan.h"

/* The runs of a group with a layout of its nodes. */
struct mt_design_class {
    int group;
    struct mt_layout layout;
    int level; /* 0: the fewest or the most processes of its group, also of those that
                  use all cores; 1: between these; 2: others; 3: with threads, that
                  leave cores over */
};

/* Classes above this level are measured only on request. */
enum { MT_MOST_LEVEL = 2 };

/* The candidates of one configuration, from the smallest size on. */
struct mt_ladder {
    int first, count;
    int class;
    bool fewest, most; /* nodes of its class: the base has these ladders */
};

/* The results of a candidate's runs, and the expected time of another one. */
struct mt_candidate_runs {
    int runs; /* that succeeded */
    bool failed;
    double seconds; /* of the program; dimensionless until a run succeeds */
};

struct mt_design {
    const struct mt_cluster *cluster; /* borrowed */
    const struct mt_program *program; /* borrowed */
    struct mt_limits limits;
    bool no_probes;
    bool exact;          /* repeated runs take the same time */
    const double *sizes; /* borrowed; that are planned */
    int nsizes;

    /* Owned; of one group each, by class, nodes, size. */
    struct mt_candidate *candidates;
    struct mt_candidate_runs *trials; /* owned; one a candidate */
    int count;                        /* of candidates */
    struct mt_candidate *mixed;       /* owned; of several groups */
    int nmixed;

    struct mt_ladder *ladders; /* owned */
    int nladders;
    struct mt_design_class *classes; /* owned */
    int nclasses;
    int nplanned; /* classes of a level that is measured without request */

    /* Owned; all observed runs: failed ones have NaN as seconds; those that failed
       before the design, which do not count, have NaN as spent, too. */
    struct mt_past_run *past;
    int npast;
    int runs, succeeded; /* that count; `runs` with the probes */
    int probes;
    double spent; /* seconds, on all runs */
    /* The time of a run beyond the program's seconds: the start, and the program's
       untimed part, which grows with the timed one. */
    struct mt_estimate overhead;

    struct mt_predictor predictor; /* of the first `fitted` runs that succeeded */
    int fitted;
    struct mt_choice *plan; /* owned; one a size; NULL: no review yet */
    double gain; /* the share of the planned times that better choices are expected to
                    save; NaN: no review yet */
};

/* Sort the candidates into ladders and classes. */
MT_MUST_CHECK int mt_design_sort(struct mt_design *design, struct mt_error *err);
/* The index of a candidate; -1: it is none. */
int mt_design_find(const struct mt_design *design,
                   const struct mt_configuration *configuration, double size);
/* Whether a configuration may be run at that size, as a candidate or as a probe. */
bool mt_design_may_run(const struct mt_design *design,
                       const struct mt_configuration *configuration, double size);
/* Fit models to all runs; those that the runs do not determine are missing. */
MT_MUST_CHECK int mt_design_fit(struct mt_design *design, struct mt_error *err);

/* The expected cost of a run; before any run succeeded, for candidates only, in the
   units of their `seconds`. */
double mt_design_cost(const struct mt_design *design, double seconds);
/* The most that a run may cost with that much time left. */
double mt_design_most_cost(const struct mt_design *design, double rest);
/* Whether a candidate may be run: it did not fail, and its nodes are there. */
bool mt_design_is_open(const struct mt_design *design, int candidate);
/* The time that a design usually takes without a limit. */
double mt_design_usual_cost(const struct mt_design *design);
/* The number of probes in total. */
int mt_design_count_probes(const struct mt_design *design);

/* The runs of the base that are left, and their total number. */
struct mt_base {
    int *wanted; /* owned: free() it; in the order in which they are made */
    int left, total;
    int dropped; /* that the limits do not allow for */
};
MT_MUST_CHECK int mt_design_base(struct mt_base *base, const struct mt_design *design,
                                 struct mt_error *err);
/* Classes that neither ran on their most nodes nor will in the coming runs, if
   given. */
int mt_design_uncovered(const struct mt_design *design, const struct mt_base *coming);

#endif
