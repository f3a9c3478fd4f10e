/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan_turns.h - the least serial work of a number of processes: a bound.
 *
 * Serial work goes round all ranks in turn, and a rank's turn takes the serial seconds
 * of its group over P. Here is the sum of the turns times P.
 */
#ifndef MT_PLAN_TURNS_H
#define MT_PLAN_TURNS_H

#include <stdint.h>

/* A group as the bound sees it. */
struct mt_turns {
    int64_t ranks;  /* that it has room for */
    double seconds; /* serial ones, the least of its options */
};

/* Bring groups into the order of their seconds. */
void mt_turns_sort(struct mt_turns *groups, int count);
/*
 * At least this much is needed for `total` processes on sorted groups; INFINITY when
 * they have no room for so many. It is less than the exact minimum by so much that
 * sums rounded in any order are not below it.
 */
double mt_turns_least(const struct mt_turns *groups, int count, int64_t total);

#endif
