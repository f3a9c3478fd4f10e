/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bounds.h - lower bounds of all configurations of a box, by the posterior, and the
 * exact search by these bounds.
 */
#ifndef MT_PLAN_BOUNDS_H
#define MT_PLAN_BOUNDS_H

#include "lib/expr/internal.h"
#include "lib/model/posterior.h"
#include "rank.h"

/* All groups that may be mixed; a group that may only be used alone is an island. */
enum { MT_MAINLAND = -1 };

/* A region: what all configurations of a search have in common. */
struct mt_region {
    int island;        /* the group alone, or MT_MAINLAND */
    enum mt_bind bind; /* of all layouts */
    int threads;       /* of each process; 0: any */
};

/* Whether nodes of a group may be used in that way in the region. */
bool mt_region_has(struct mt_region region, const struct mt_cluster *cluster, int group,
                   struct mt_layout layout);

/* A way: a group with a layout of its nodes that has a time by the posterior. */
struct mt_way {
    int group;
    struct mt_layout layout;
    int place; /* by the speed of a rank; the slowest way is the last */
    double takes[MT_RESOURCES]; /* a rank's part of the resources that a node takes */
};

/* The hypotheses that a mean may have. */
enum { MT_BOUNDS_PARTS = MT_MOST_HYPOTHESES + MT_DETAILED * MT_MOST_DETAILS };

/* The data that the bounds need at one size, for one region. Empty if zeroed. */
struct mt_bounds {
    const struct mt_predictor *predictor; /* borrowed, like the next two */
    const struct mt_posterior *posterior;
    const struct mt_question *question;
    struct mt_way *ways; /* owned; a group's stand together, by processes */
    int nways;
    int first[MT_MAX_GROUPS + 1];    /* way of each group */
    int starts[MT_BOUNDS_PARTS + 1]; /* the first row of each hypothesis */
    double *factors, *mean; /* owned; rows x ways: factors of a way's rows relative to
                               those of way 0; as in struct mt_rows */
    double *apart;          /* owned; of each row, likewise */
    double *knots;          /* owned; log P of the cells, ascending */
    int nknots;
    double *rising, *falling; /* owned; the discrepancy of a way below each knot, and
                                 above the last: coefficients of P^rate and P^-rate;
                                 (knots + 1) x ways */
    double rate;
    double mixed;          /* the part for mixed configurations that never ran */
    double slack;          /* a bound of all roundings of a logarithm */
    struct mt_point probe; /* scratch: way 0 on several nodes */
    struct mt_view *view;  /* owned; scratch */
    double solved;         /* linear programs, the cost of the bounds */
};

/* Nodes of a group, and the ways that they may be used in. */
struct mt_stretch {
    int low, high;
    int first, last;
};

/* A set of configurations on two nodes or more. */
struct mt_box {
    int low, high;        /* P */
    int fastest, slowest; /* bounds on the place of the slowest used way */
    double cheap, dear;   /* bounds on the price of a rank, by the objective */
    bool several;         /* groups are mixed */
    struct mt_stretch groups[MT_MAX_GROUPS];
};

/* Where to split a box: `at` is the last value of the lower part; `price`: the boundary
   of both. */
enum mt_cut_kind {
    MT_CUT_RANKS,
    MT_CUT_PLACES,
    MT_CUT_NODES,
    MT_CUT_WAYS,
    MT_CUT_PRICE
};
struct mt_cut {
    enum mt_cut_kind kind;
    int group;
    int at;
    double price;
};

/* The bounds of a box. */
struct mt_bound {
    double seconds; /* lower bound of the logarithm of the seconds; INFINITY: the box is
                       empty */
    double value;   /* likewise, of seconds times the price of all nodes */
    struct mt_cut cut;
    bool any; /* a configuration near the least was found: */
    struct mt_configuration likely;
    double estimate; /* the logarithm of its seconds by the posterior */
};

/* The region may have no ways. */
MT_MUST_CHECK int mt_bounds_init(struct mt_bounds *bounds,
                                 const struct mt_predictor *predictor,
                                 const struct mt_question *question,
                                 struct mt_region region, struct mt_error *err);
void mt_bounds_clear(struct mt_bounds *bounds);

/* Bound the configurations of a box that the question allows and that take at most
   `most` of each resource. Mixed configurations that ran may still be below the
   bound. */
void mt_bounds_find(struct mt_bounds *bounds, const struct mt_box *box,
                    const double most[MT_RESOURCES], struct mt_bound *bound);
/* Its scratch. */
MT_MUST_CHECK int mt_view_init(struct mt_view **view, int ways, struct mt_error *err);
void mt_view_free(struct mt_view *view);

/* All configurations of several groups, or of the only one (several: MT_MAINLAND). */
struct mt_box mt_box_all(const struct mt_bounds *bounds, int group);
/* Shrink a box by its limits; false: it is empty. */
bool mt_box_tighten(struct mt_box *box, const struct mt_bounds *bounds,
                    const double most[MT_RESOURCES]);
/* Bounds of an expression of the program over its P, with these processes on a node. */
struct mt_range mt_box_range(const struct mt_box *box, const struct mt_bounds *bounds,
                             const struct mt_expr *expr, int processes);
/* Whether the box's configurations may use a way: it is not too slow, and fits into
   memory. */
bool mt_box_may_use(const struct mt_box *box, const struct mt_bounds *bounds, int way);
/* Whether the box has only one configuration. */
bool mt_box_single(const struct mt_box *box, const struct mt_bounds *bounds,
                   struct mt_configuration *configuration);
/* The part of the box up to a cut, or beyond it. */
struct mt_box mt_box_part(const struct mt_box *box, const struct mt_cut *cut,
                          bool upper);

/*
 * The best configuration of each of the best `top` P by auto models, as
 * mt_search_find(); the predicted seconds must keep the limits.
 */
MT_MUST_CHECK int mt_bounds_search(struct mt_plan *plan,
                                   const struct mt_predictor *predictor,
                                   const struct mt_question *question, int top,
                                   struct mt_error *err);

#endif
