/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inner.h - the best choice with exactly P processes out of the options that a
 * walk has taken in.
 */
#ifndef MT_PLAN_INNER_H
#define MT_PLAN_INNER_H

#include "counts.h"
#include "walk.h"

/* Zeroed is empty. */
struct mt_inner {
    const struct mt_space *space;     /* borrowed */
    struct mt_counts_choice *choices; /* owned; that are in */
    int *room;                        /* owned; scratch of the solver */
    int64_t visits;                   /* left to the solver, for the whole plan */
};

MT_MUST_CHECK int mt_inner_init(struct mt_inner *inner, const struct mt_space *space,
                                struct mt_error *err);
void mt_inner_clear(struct mt_inner *inner);

/*
 * Fill `choice` (all but the interval of its prediction, its seconds being the walk's
 * threshold) with one of `ranks` processes on the fewest nodes, or with the least of
 * what the objective is to have least of and then on the fewest nodes. Returns whether
 * there is one; `proven` says whether that is certain, and that no other is better.
 * What is above `most` of it is not looked at.
 */
bool mt_inner_fewest_nodes(struct mt_inner *inner, const struct mt_walk *walk,
                           int ranks, struct mt_choice *choice, bool *proven);
bool mt_inner_least_value(struct mt_inner *inner, const struct mt_walk *walk, int ranks,
                          double most, struct mt_choice *choice, bool *proven);

/*
 * Of all choices that equal this one in seconds, what the objective is to have least
 * of, nodes and P, take the first in the order of mt_choice_compare().
 */
void mt_inner_settle_ties(struct mt_inner *inner, struct mt_walk *walk,
                          struct mt_choice *choice);

#endif
