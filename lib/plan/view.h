/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view.h - a box as its bounds see it.
 */
#ifndef MT_PLAN_VIEW_H
#define MT_PLAN_VIEW_H

#include "bounds.h"

enum { MT_VIEW_ROWS = MT_BOUNDS_PARTS * MT_MOST_ROWS };

/* A point of the relaxation. */
struct mt_spot {
    double t;
    double *shares; /* of the active ways */
};

/* constant + slope t + sum of costs * shares. */
struct mt_plane {
    double constant, slope;
    double *costs;
};

/* Ranks gained at a rate by moving nodes from one way to another; -1: from none. */
struct mt_step {
    double ranks, rate;
    int from, to;
};

/* A limit, or an objective: the plane of the seconds, another one, or their sum. */
struct mt_limit {
    bool seconds;
    const struct mt_plane *other; /* or NULL */
    double most;
};

struct mt_view {
    const struct mt_box *box;
    const double *most; /* of each resource */
    int *ways;          /* active: they may be used in the box */
    int count;
    int first[MT_MAX_GROUPS + 1]; /* first active way of each group */
    int ngroups;
    double from, to;                               /* t */
    double low[MT_VIEW_ROWS], slope[MT_VIEW_ROWS]; /* chords of the rows of way 0 */
    struct mt_range splits[MT_MAX_GROUPS + 1];     /* their values in the box */
    double sets[MT_MAX_GROUPS + 1][MT_VIEW_ROWS];  /* factors of the rows: the least
                                                      over a set of ways of which one is
                                                      in use */
    int nsets;
    double slowest[MT_VIEW_ROWS]; /* of the set that takes longest at the last spot */
    double means[MT_VIEW_ROWS];   /* at the last spot */
    double *level;                /* of each way's discrepancy, in the middle */
    double tilt, spread;          /* of their mean; the loss by that */
    struct mt_spot start, here, least, other, trial;
    struct mt_plane plane, next, sum; /* of the seconds; of objective and limits */
    double weight;                    /* of the seconds in the sum */
    double apart; /* how far the spots on both sides of a limit are, in t; -1: no limit
                     is reached */
    struct mt_plane prices[MT_RESOURCES];  /* of the logarithm of what nodes take */
    struct mt_plane amounts[MT_RESOURCES]; /* of their ratio to the limit, less 1 */
    bool priced[MT_RESOURCES];
    struct mt_plane cheap, dear; /* the box's limits of the price, a rank, as amounts */
    double low_price, high_price; /* its bounds in the box */
    struct mt_limit limits[3 * MT_RESOURCES + 2];
    int nlimits;
    struct mt_step *steps;
    int nsteps;
    double base_ranks, base_cost;
    double *costs, *scratch;
    double *all;
};

/* Look at a box; false: it is empty. */
bool mt_view_open(struct mt_bounds *bounds, const struct mt_box *box,
                  const double most[MT_RESOURCES]);
/* The least values of the program's expressions in a box; NaN: its value at P. */
struct mt_least {
    double work, imbalance, data;
    bool of_work; /* the data are w / P */
};
/* The rows of way 0 at this number of ranks, with these or (NULL) as they are there. */
void mt_view_rows(struct mt_bounds *bounds, double ranks, const struct mt_least *least,
                  double rows[MT_VIEW_ROWS]);
/* The distance of two groups that may be in the box. */
double mt_view_apart(const struct mt_bounds *bounds, int split, int a, int b);
/* The discrepancies of the active ways at t. */
void mt_view_discrepancy(const struct mt_bounds *bounds, double t, double *values);
/* The mean of each row over the ranks, to `means`. */
void mt_view_means(const struct mt_bounds *bounds, const double *shares);
/* What mixed configurations have in common. */
double mt_view_fixed(const struct mt_bounds *bounds);

/* The value of the convex function at a spot, and its tangent plane there. */
double mt_view_tangent(const struct mt_bounds *bounds, const struct mt_spot *spot,
                       struct mt_plane *plane);
double mt_view_value(const struct mt_view *view, const struct mt_plane *plane,
                     const struct mt_spot *spot);

/* Whether the nodes of the box may keep the limits on their resources. */
bool mt_view_within(struct mt_bounds *bounds);
/* Find the planes of the limits. */
void mt_view_limit(struct mt_bounds *bounds);
/* A bound of an objective within the limits. Leaves the last spot `here` with its
   plane, and the spot `least` of that with the plane `next`. INFINITY: the box is
   empty. */
double mt_view_least(struct mt_bounds *bounds, const struct mt_limit *objective);

#endif
