/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crossings.h - from how many nodes on one machine or algorithm is faster than another.
 */
#ifndef MT_CROSSINGS_H
#define MT_CROSSINGS_H

#include "motley/axis.h"
#include "motley/error.h"
#include "motley/surface.h"

#include <stdbool.h>

/* Which of two surfaces is faster (has the smaller T) from `nodes` on. */
struct mt_crossing {
    double nodes; /* the fewest from which on b is faster, or no longer faster */
    bool b_faster;
};
/* Zeroed is empty. */
struct mt_crossings {
    struct mt_crossing *crossings; /* owned, by ascending nodes; the first is where
                                      both are valid first, at the start of the span
                                      or later */
    int count;
};
/*
 * Where, as the nodes of both grow together at one size, one overtakes the other. Sizes
 * that do not fit count as if they did; numbers of nodes at which one is not valid are
 * passed over. MT_EINVAL when the two do not count the same work.
 */
MT_MUST_CHECK int mt_crossings_find(struct mt_crossings *crossings,
                                    const struct mt_surface *a,
                                    const struct mt_surface *b, double size,
                                    struct mt_span nodes, struct mt_error *err);
void mt_crossings_clear(struct mt_crossings *crossings);

/* Two surfaces at several sizes. Zeroed is empty. */
struct mt_comparison {
    const struct mt_surface *surfaces[2]; /* borrowed */
    struct mt_axis sizes, nodes;
    struct mt_crossings *crossings; /* owned; one for each size */
};
/*
 * Compare at those numbers of nodes and sizes; NULL: up to as many nodes as both
 * machines have, and sizes that make sense on the first, or else on the second.
 * `comparison` must be empty but for its surfaces. MT_EINVAL as for
 * mt_crossings_find(), or when neither machine says which sizes make sense.
 */
MT_MUST_CHECK int mt_comparison_make(struct mt_comparison *comparison,
                                     const struct mt_axis *nodes,
                                     const struct mt_axis *sizes, struct mt_error *err);
void mt_comparison_clear(struct mt_comparison *comparison);

#endif
