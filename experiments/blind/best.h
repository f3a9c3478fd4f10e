/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * best.h - the best configuration that can be found at a size, by looking at the truth.
 */
#ifndef BLIND_BEST_H
#define BLIND_BEST_H

#include "truth.h"

/*
 * The fastest of all that is known at the size, after these were made known: each group
 * alone, with each number of processes per node on all, half and one of its nodes; all
 * groups together; a random sample; and then, again and again, what differs in one
 * group from the fastest that are known, until nothing better is found or the limit of
 * runs is reached.
 */
MT_MUST_CHECK int best_find(struct truth *truth, double size, struct mt_sample *best,
                            struct mt_error *err);

#endif
