/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk.h - the options of a plan taken in, one threshold of the seconds that all
 * wait for after the other, and what the groups could do with those taken in so far.
 */
#ifndef MT_PLAN_WALK_H
#define MT_PLAN_WALK_H

#include "space.h"

/*
 * So many ranks of a group at so many serial seconds each.
 *
 * Serial work goes round all ranks in turn, and a rank's turn takes the serial seconds
 * of its group over P. Here is the sum of the turns times P.
 *
 * A group whose nodes could each have processes of their own, and be divided, would do
 * more and more turns at a rate that rises from step to step: the steps of all groups
 * together, taken from the fastest on, are the least work.
 */
struct mt_turns {
    int group;
    int64_t ranks;
    double seconds;
};

/* Zeroed is empty. */
struct mt_walk {
    struct mt_space *space;  /* borrowed */
    double *seconds;         /* owned; of each option, for the caller to fill */
    double *serial;          /* owned; likewise its serial seconds */
    double between;          /* what networks cost if all pairs of ranks are apart; NaN:
                                nothing on several networks has a value */
    int *order;              /* owned; options by ascending seconds */
    int next;                /* in `order` */
    double threshold;        /* options with at most these seconds are in */
    int most[MT_MAX_GROUPS]; /* processes on a node; 0: none is in */
    int64_t capacity;        /* processes in all */
    struct mt_turns *turns;  /* owned; sorted; where the time depends on the counts */
    int nturns;              /* 0: not gathered yet, as mt_walk_seconds() does it */
    struct mt_turns *steps;  /* owned; scratch: likewise of a mean of time and what the
                                objective is to have least of */
};

MT_MUST_CHECK int mt_walk_init(struct mt_walk *walk, struct mt_space *space,
                               struct mt_error *err);
void mt_walk_clear(struct mt_walk *walk);

/* Begin with no option, after `seconds`, `serial` and `between` have been filled. */
void mt_walk_start(struct mt_walk *walk);
/* Take in the options with the next larger seconds; false when none is left. */
bool mt_walk_next(struct mt_walk *walk);

/* The least of a resource that `ranks` processes take, on at most as many nodes as the
   question allows, if a node may be divided: a lower bound; MT_COUNTS_UNREACHABLE when
   there is no room. */
int64_t mt_walk_takes(const struct mt_walk *walk, enum mt_resource resource, int ranks);
/* At least these seconds, of all kinds, are needed for `ranks` processes, one
   of them on an option of the threshold; INFINITY when there is no room. */
double mt_walk_seconds(struct mt_walk *walk, int ranks);
/* At least this of what the objective is to have least of, under the same conditions.
 */
double mt_walk_value(struct mt_walk *walk, int ranks);
/* Whether deadline, capacity and what may be taken leave a possibility. */
bool mt_walk_promising(struct mt_walk *walk, int ranks);

/*
 * At least this much work is needed for `total` processes on sorted steps, those of
 * groups that are `used` left out (NULL: of none); INFINITY when they have no room for
 * so many. It is less than the exact minimum by so much that sums rounded in any order
 * are not below it.
 */
double mt_turns_least(const struct mt_turns *turns, int count, const bool *used,
                      int64_t total);

#endif
