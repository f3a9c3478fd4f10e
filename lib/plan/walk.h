/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk.h - the options of a plan taken in, one threshold of the seconds after the
 * other, and what the groups could do with those taken in so far.
 */
#ifndef MT_PLAN_WALK_H
#define MT_PLAN_WALK_H

#include "space.h"

/* Zeroed is empty. */
struct mt_walk {
    struct mt_space *space;  /* borrowed */
    double *seconds;         /* owned; of each option, for the caller to fill */
    int *order;              /* owned; options by ascending seconds */
    int next;                /* in `order` */
    double threshold;        /* options with at most these seconds are in */
    int most[MT_MAX_GROUPS]; /* processes on a node; 0: none is in */
    int64_t capacity;        /* processes in all */
};

MT_MUST_CHECK int mt_walk_init(struct mt_walk *walk, struct mt_space *space,
                               struct mt_error *err);
void mt_walk_clear(struct mt_walk *walk);

/* Begin with no option, after `seconds` has been filled. */
void mt_walk_start(struct mt_walk *walk);
/* Take in the options with the next larger seconds; false when none is left. */
bool mt_walk_next(struct mt_walk *walk);

/* The least of a resource that `ranks` processes take, on at most as many nodes as the
   question allows, if a node may be divided: a lower bound; MT_COUNTS_UNREACHABLE when
   there is no room. */
int64_t mt_walk_takes(const struct mt_walk *walk, enum mt_resource resource, int ranks);
/* Whether deadline, capacity and what may be taken leave a possibility. */
bool mt_walk_promising(const struct mt_walk *walk, int ranks);

#endif
