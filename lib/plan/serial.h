/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serial.h - the best choice with exactly P processes where some seconds are
 * serial, so that the time depends on how many processes each group has.
 *
 * Solved by a depth-first search over the groups. What is left for the later groups is
 * bounded by each alone: the least serial seconds, nodes, price and power if a node
 * may be divided and a group may do its best at each of them at once.
 */
#ifndef MT_PLAN_SERIAL_H
#define MT_PLAN_SERIAL_H

#include "walk.h"

/*
 * Fill `choice` (all but the interval of its prediction) with the best one of `ranks`
 * processes whose slowest option is of the walk's threshold, if it is better than
 * `to_beat`, unless that is NULL; one of equals that are to be settled. Returns whether
 * there is one; `proven` says whether that is certain. `visits` are the steps that may
 * still be made, counted down.
 */
bool mt_serial_best(const struct mt_walk *walk, int ranks,
                    const struct mt_choice *to_beat, int64_t *visits,
                    struct mt_choice *choice, bool *proven);

/* Of all choices that equal this one in seconds, what the objective is to have least
   of, nodes and P, take the first in the order of mt_choice_compare(). */
void mt_serial_settle_ties(struct mt_walk *walk, int64_t *visits,
                           struct mt_choice *choice);

#endif
