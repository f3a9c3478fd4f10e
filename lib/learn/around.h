/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * around.h - sizes around cache steps: without sizes on each side of a step and inside
 * it, chance decides which of several is found.
 */
#ifndef MT_LEARN_AROUND_H
#define MT_LEARN_AROUND_H

#include "form.h"
#include "internal.h"

/* Two neighbouring working sets of the runs, and the ratio of a step's cost at the
   second to that at the first. Zeroed: fewer than two. */
struct mt_learn_gap {
    double low, high, grows;
};

/* The two between which the cost of a step grows most: a cache step may be anywhere in
   between. */
struct mt_learn_gap mt_learn_find_gap(const struct mt_components *components,
                                      const struct mt_learn_data *data);
/*
 * List runs at new working sets around the steps of the machine's caches and around the
 * learned steps, on the fewest nodes of the runs, up to twice the largest size. If the
 * machine's caches are unknown, list only runs in the gap that may hold a step.
 */
void mt_learn_want_around(struct mt_learned *learned, const struct mt_learn_data *data,
                          const struct mt_shape *shape);

#endif
