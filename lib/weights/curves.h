/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * curves.h - the seconds that depend on a rank's share of the work, over it: what it
 * computes, and messages that are the shorter the more ranks there are.
 */
#ifndef MT_WEIGHTS_CURVES_H
#define MT_WEIGHTS_CURVES_H

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

#endif
