/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * balance.h - the seconds that depend on a rank's share of the work, and the shares
 * with which all ranks of one configuration end together.
 */
#ifndef MT_WEIGHTS_BALANCE_H
#define MT_WEIGHTS_BALANCE_H

#include "lib/model/internal.h"
#include "motley/cluster.h"
#include "motley/error.h"

#include <stdbool.h>

/* Of a rank of one (group, layout). */
struct mt_curve {
    int group;
    struct mt_layout layout;
    bool across;                  /* there are other nodes, to which messages go */
    const struct mt_model *model; /* borrowed; NULL: there is none */
    bool has[MT_MAX_TERMS];       /* which terms of it depend on the share */
    double *shares;  /* owned; rising, from next to nothing to the largest possible */
    double *seconds; /* owned; at these, never falling */
    int count;       /* 0: no share is possible */
    bool limited;    /* larger ones do not fit into the node's memory */
};

/* All that were asked for, at one size. Zeroed is empty. */
struct mt_curves {
    struct mt_problem problem; /* borrowed, as mt_curves_init() got it */
    double size;
    struct mt_curve *all; /* owned */
    int count;
};

void mt_curves_init(struct mt_curves *curves, const struct mt_problem *problem,
                    double size);
void mt_curves_clear(struct mt_curves *curves);

/* The curve of a group's nodes as they are used, which is made when it is asked for
   first. Itself it lives until the next call, what it owns as long as `curves`. */
MT_MUST_CHECK int mt_curves_get(const struct mt_curve **curve, struct mt_curves *curves,
                                int group, struct mt_layout layout, bool across,
                                struct mt_error *err);

/* The largest possible share that is computed in so many seconds; 0: none is. */
double mt_curve_share(const struct mt_curve *curve, double seconds);
/* The seconds of a possible share. */
double mt_curve_seconds(const struct mt_curve *curve, double share);

struct mt_balance {
    double share[MT_MAX_GROUPS]; /* of each rank of a group */
    bool full[MT_MAX_GROUPS];    /* memory allows no larger one */
    double seconds;              /* of the run, by the models */
};

/*
 * MT_ENOTFOUND: a model is missing or has no value there. MT_EINFEASIBLE: the memory of
 * the nodes has no room for all of the work.
 */
MT_MUST_CHECK int mt_balance_find(struct mt_balance *balance, struct mt_curves *curves,
                                  const struct mt_configuration *configuration,
                                  struct mt_error *err);

#endif
