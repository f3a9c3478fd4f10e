/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan_turns.h - the least serial work of a number of processes: a bound.
 *
 * Serial work goes round all ranks in turn, and a rank's turn takes the serial seconds
 * of its group over P. Here is the sum of the turns times P.
 *
 * A group whose nodes could each have processes of their own, and be divided, would do
 * more and more turns at a rate that rises from step to step: the steps of all groups
 * together, taken from the fastest on, are the least work.
 */
#ifndef MT_PLAN_TURNS_H
#define MT_PLAN_TURNS_H

#include "space.h"

#include <stdbool.h>
#include <stdint.h>

/* So many ranks of a group at so many serial seconds each. */
struct mt_turns {
    int group;
    int64_t ranks;
    double seconds;
};

/* Write the steps of a group whose options are from `first` to before `end`, those of
   more than `threshold` seconds left out. Returns how many; at most one an option. */
int mt_turns_of_group(struct mt_turns *turns, const struct mt_space *space, int first,
                      int end, const double *seconds, const double *serial,
                      double threshold);
void mt_turns_sort(struct mt_turns *turns, int count);
/*
 * At least this much work is needed for `total` processes on sorted steps, those of
 * groups that are `used` left out (NULL: of none); INFINITY when they have no room for
 * so many. It is less than the exact minimum by so much that sums rounded in any order
 * are not below it.
 */
double mt_turns_least(const struct mt_turns *turns, int count, const bool *used,
                      int64_t total);

#endif
