/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state.h - what a design knows, for the files that share it.
 */
#ifndef MT_DESIGN_STATE_H
#define MT_DESIGN_STATE_H

#include "internal.h"
#include "motley/plan.h"
#include "variance.h"

/* Runs that one model answers for: a group, with a layout of its nodes. */
struct mt_design_class {
    int group;
    struct mt_layout layout;
    int level; /* 0: the fewest or the most processes of its group, also of those that
                  use all cores; 1: between these; 2: others; 3: with threads, that
                  leave cores over */
};

/* What is above it is measured only where that is asked for. */
enum { MT_MOST_LEVEL = 2 };

/* The candidates of one configuration: order[first .. first + count - 1], from the
   smallest size on. */
struct mt_ladder {
    int first, count;
    int class;
    bool base; /* the fewest or the most nodes of its class */
    bool most; /* the most */
};

enum { MT_KEPT_RUNS = 5 };

/* What came of a candidate's runs. */
struct mt_candidate_runs {
    int runs;                     /* that succeeded */
    double seconds[MT_KEPT_RUNS]; /* of the first of them */
    double log_seconds;           /* the median of these */
    bool failed;                  /* once; it is not proposed again */
    bool suspect;                 /* the others contradict it: it is to be run again */
    int looked_at;                /* runs that had succeeded when that was looked at */
};

/* The choice of the probes: in rounds, each for one of the sizes that are planned. */
struct mt_probing {
    bool begun, over;
    bool only_several; /* the plan had settled, without a run of several groups */
    int round, made;   /* probes of this round */
    bool in_round;     /* there is a predictor, and candidates */
    struct mt_predictor predictor;
    struct mt_verify verify;
};

struct mt_design {
    const struct mt_cluster *cluster; /* borrowed */
    const struct mt_program *program; /* borrowed */
    struct mt_candidate *candidates;  /* owned; of one group each */
    struct mt_candidate_runs *trials; /* owned; one a candidate */
    int count;                        /* of candidates */
    struct mt_candidate *mixed;       /* owned; of several groups */
    int nmixed;
    struct mt_limits limits;
    bool no_probes;
    bool exact; /* a run takes the same time whenever it is made */

    int *order;                /* owned; candidates by class, nodes, size */
    struct mt_ladder *ladders; /* owned */
    int nladders;
    struct mt_design_class *classes; /* owned */
    int nclasses;
    int nplanned; /* of the classes, those of a level that is measured without being
                     asked for */

    struct mt_design_point *points; /* owned; the candidates, then the targets */
    struct mt_variance posterior;  /* of the points */
    double middle_size;             /* log N of points' zero */
    const double *sizes;            /* borrowed; that are planned */
    int nsizes;

    /* Owned; all that was observed, failed ones with NaN as seconds; those that failed
       before, which do not count, with NaN as spent, too. */
    struct mt_past_run *past;
    int npast;
    int runs, succeeded; /* that count; `runs` with the probes */
    int probes;
    double probes_spent; /* seconds, on all of these */
    double spent;        /* seconds, on all runs */
    /* What a run spends beyond the program's seconds: the start, and what the program
       does outside of the part that it times, which grows with that. */
    struct mt_estimate overhead;
    struct mt_probing probing;

    struct mt_choice *plan;      /* owned; one a size; NULL: no review yet */
    struct mt_choice *reference; /* owned; the plan that has not changed since */
    bool planned;
    int unreviewed; /* runs since the last review */
    /* Of the runs that succeeded, without the probes: how many the plan has not changed
       for; how many there were at the last review, and when the widest interval of what
       is planned had last become narrower. */
    int unchanged, reviewed_at, narrowed_at;
    double width; /* that interval: its half, as a share of the time; 0: none yet */
    bool settled;
    bool rehearsal; /* for a forecast: times are expected ones, of which nothing can be
                       learned */
};

#endif
