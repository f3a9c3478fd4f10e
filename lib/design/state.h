/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state.h - what a design knows, for the files that share it.
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

/* What is above it is measured only where that is asked for. */
enum { MT_MOST_LEVEL = 2 };

/* The candidates of one configuration, from the smallest size on. */
struct mt_ladder {
    int first, count;
    int class;
    bool fewest, most; /* nodes of its class: the base is of these */
};

/* What came of a candidate's runs, and what a run of it is expected to take. */
struct mt_candidate_runs {
    int runs; /* that succeeded */
    bool failed;
    double seconds; /* of the program; in units of nothing while no run succeeded */
};

struct mt_design {
    const struct mt_cluster *cluster; /* borrowed */
    const struct mt_program *program; /* borrowed */
    struct mt_limits limits;
    bool no_probes;
    bool exact;          /* a run takes the same time whenever it is made */
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
    int nplanned; /* of the classes, those of a level that is measured without being
                     asked for */

    /* Owned; all that was observed, failed ones with NaN as seconds; those that failed
       before, which do not count, with NaN as spent, too. */
    struct mt_past_run *past;
    int npast;
    int runs, succeeded; /* that count; `runs` with the probes */
    int probes;
    double spent; /* seconds, on all runs */
    /* What a run spends beyond the program's seconds: the start, and what the program
       does outside of the part that it times, which grows with that. */
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
/* Fit models to all runs. Those that the runs do not determine are not there. */
MT_MUST_CHECK int mt_design_fit(struct mt_design *design, struct mt_error *err);

/* What a run is expected to spend; of candidates, where no run succeeded so far, in the
   units of their `seconds`. */
double mt_design_cost(const struct mt_design *design, double seconds);
/* The most that a run may cost when that much time is left. */
double mt_design_most_cost(const struct mt_design *design, double rest);
/* Whether a candidate may be run: it did not fail, and its nodes are there. */
bool mt_design_is_open(const struct mt_design *design, int candidate);
/* The time that a design usually takes without a limit. */
double mt_design_usual_cost(const struct mt_design *design);
/* Probes that there are to be in all. */
int mt_design_count_probes(const struct mt_design *design);

/* The runs of the base that are left, and those that it has in all. */
struct mt_base {
    int *wanted; /* owned: free() it; in the order in which they are made */
    int left, total;
    int dropped; /* that the limits do not allow for */
};
MT_MUST_CHECK int mt_design_base(struct mt_base *base, const struct mt_design *design,
                                 struct mt_error *err);
/* Classes not seen on their most nodes, nor to be by the runs to come, if given. */
int mt_design_uncovered(const struct mt_design *design, const struct mt_base *coming);

#endif
