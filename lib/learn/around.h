/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * around.h - sizes around cache steps: without some on each side of a step, and inside
 * it, chance decides which of several is found.
 */
#ifndef MT_LEARN_AROUND_H
#define MT_LEARN_AROUND_H

#include "form.h"
#include "internal.h"

/* Two neighbouring working sets of the runs, and how many times what it costs at the
   first a step costs at the second. Zeroed: fewer than two. */
struct mt_learn_gap {
    double low, high, grows;
};

/* Those between which the cost of a step grows most: a cache step may be anywhere in
   between. */
struct mt_learn_gap mt_learn_find_gap(const struct mt_components *components,
                                      const struct mt_learn_data *data);
/*
 * List runs around the steps of the machine's caches, and of those that were learned,
 * at whose working sets nothing was run; on the fewest nodes that were, at no more than
 * twice the largest size. If nothing is known of the machine's caches, only some in the
 * gap in which a step may be anywhere.
 */
void mt_learn_want_around(struct mt_learned *learned, const struct mt_learn_data *data,
                          const struct mt_shape *shape);

#endif
