/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * around.h - sizes around cache steps: without some on each side of a step, and inside
 * it, chance decides which of several is found.
 */
#ifndef MT_LEARN_AROUND_H
#define MT_LEARN_AROUND_H

#include "form.h"

#include "motley/learn.h"
#include "motley/shape.h"

/*
 * List runs around the steps of the machine's caches, and of those that were learned,
 * at whose working sets nothing was run; on the fewest nodes that were, at no more than
 * twice the largest size. None if nothing is known of the machine's caches.
 */
void mt_learn_want_around(struct mt_learned *learned, const struct mt_learn_data *data,
                          const struct mt_shape *shape);

#endif
