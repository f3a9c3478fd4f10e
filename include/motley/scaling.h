/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scaling.h - what is read off an efficiency surface: the best sizes, speed-ups, sizes
 * of equal efficiency, and how many nodes are worth having.
 *
 * Sizes and nodes are whole numbers. A size that does not fit into memory counts only
 * where it is said.
 */
#ifndef MT_SCALING_H
#define MT_SCALING_H

#include "motley/surface.h"

#include <stdbool.h>

/*
 * The ridge: the size of the span with the best efficiency on so many nodes, of those
 * that are valid and fit, and of equally good ones the largest. False when there is
 * none. Of up to 4096 sizes all are tried, else some in steps of a quarter of a
 * percent, and others around the best of them.
 */
bool mt_best_size(const struct mt_surface *surface, double nodes, struct mt_span sizes,
                  struct mt_surface_point *point, double *size);

enum mt_speedup {
    MT_SPEEDUP_FIXED_SIZE,     /* the same size */
    MT_SPEEDUP_FIXED_TIME,     /* the size that takes as long as the base on one node */
    MT_SPEEDUP_MEMORY_BOUNDED, /* the size that needs as much memory of each node */
    MT_NSPEEDUPS
};
/* "fixed size", "fixed time", "memory bounded". */
const char *mt_speedup_name(enum mt_speedup kind);
/*
 * The speed-up on so many nodes over one node at size `base`: the ratio of operations
 * per second of the whole machine. `*size` is the size that is run. As in the paper's
 * figure 1 the memory is taken to be enough. Of several sizes it is the largest. NaN
 * where there is none: not valid, or no size up to 2^53 takes longer or needs more.
 */
double mt_speedup(const struct mt_surface *surface, enum mt_speedup kind, double base,
                  double nodes, double *size);

/*
 * The iso-efficiency function W = f_E(P), in sizes: the smallest and the largest size
 * of the span, fitting into memory, at which the efficiency is at least that. False
 * when there is none. With efficiency = V / V_ref it is the iso-speed function.
 */
bool mt_iso_efficiency(const struct mt_surface *surface, double efficiency,
                       double nodes, struct mt_span sizes, struct mt_span *found);

/*
 * The largest number of nodes of the span up to which one node more still adds at least
 * `share` of what one of the first (span.low, or the fewest on which it is valid and
 * fits) does, at that size: to the operations per second of the whole machine. Where
 * these grow in jumps, nodes are judged by the jump that they lead to. NaN: there is no
 * such number of nodes.
 */
double mt_worthwhile_nodes(const struct mt_surface *surface, double size,
                           struct mt_span nodes, double share);

#endif
