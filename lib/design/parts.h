/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * design_parts.h - what the files of the design share.
 */
#ifndef MT_DESIGN_PARTS_H
#define MT_DESIGN_PARTS_H

#include "motley/design.h"

#include "belief.h"

/* Runs that one model answers for: a group, with its processes on each node. */
struct mt_design_class {
    int group, processes;
};

/* The candidates of one configuration: order[first .. first + count - 1], from the
   smallest size on. */
struct mt_ladder {
    int first, count;
    int class;
    bool base; /* the fewest or the most nodes of its class */
    bool most; /* the most */
};

/* What is known of a candidate. */
struct mt_trial {
    int runs;           /* that succeeded */
    double log_seconds; /* the mean over these */
    bool failed;        /* once; it is not proposed again */
};

struct mt_design {
    const struct mt_cluster *cluster; /* borrowed */
    const struct mt_program *program; /* borrowed */
    struct mt_candidate *candidates;  /* owned */
    struct mt_trial *trials;          /* owned; one a candidate */
    int count;                        /* of candidates */
    struct mt_design_limits limits;

    int *order;                /* owned; candidates by class, nodes, size */
    struct mt_ladder *ladders; /* owned */
    int nladders;
    struct mt_design_class *classes; /* owned */
    int nclasses;

    struct mt_point *points; /* owned; the candidates, then the targets */
    struct mt_belief belief; /* of the points */
    double middle_size;      /* log N of points' zero */
    const double *sizes;     /* borrowed; that are planned */
    int nsizes;

    int runs, succeeded; /* `runs` with the probes */
    int probes;
    double probes_spent; /* seconds, on all of these */
    double spent;        /* seconds, on all runs */
    /* Sums over the runs that succeeded: the program's seconds, those spent beyond
       them, their products and the squares of the former. */
    double seconds, overhead, seconds_overhead, seconds_squared;

    struct mt_choice *plan;      /* owned; one a size; NULL: no review yet */
    struct mt_choice *reference; /* owned; the plan that has not changed since */
    bool planned;
    int unchanged; /* reviews */
};

/* Sort the candidates into ladders and classes. */
MT_MUST_CHECK int mt_design_sort(struct mt_design *design, struct mt_error *err);

/* The P for which the plan at one size wants predictions. */
struct mt_aim {
    double size;
    int ranks;
};
/*
 * Make the points anew, with every class at each of the aims as targets (without aims:
 * at the planned sizes, on all that the cluster has), and the belief from what was
 * observed.
 */
MT_MUST_CHECK int mt_design_aim(struct mt_design *design, const struct mt_aim *aims,
                                int naims, struct mt_error *err);

/* What a run of the candidate spends: expected, or as it was. Before the first run only
   the ratios of costs mean something. */
double mt_design_cost(const struct mt_design *design, int candidate);
/* The sum over all candidates that have not failed. */
/* Whether enough nodes answer for a candidate. */
bool mt_design_has_nodes(const struct mt_design *design, int candidate);
double mt_design_cost_of_all(const struct mt_design *design);
/* The share of it that a design takes when there is no other limit. */
double mt_design_usual_cost(const struct mt_design *design);

/* The limits without what is kept for probes that are to be made yet. */
struct mt_design_limits mt_design_base_limits(const struct mt_design *design);

/* The runs of the base, as it is seen now. */
struct mt_base {
    int *wanted; /* owned; candidates that are to be made yet, with room for all */
    int left;    /* of them */
    int total;   /* runs of the base, made or not */
};
/* The caller frees base->wanted. */
MT_MUST_CHECK int mt_design_base(struct mt_base *base, const struct mt_design *design,
                                 struct mt_error *err);

/* Reviews without a change that make a plan settled. */
int mt_design_enough(const struct mt_design *design);

#endif
