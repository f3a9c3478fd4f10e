/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scaling.h - what is read off efficiency surfaces: ridges, cliffs, speed-ups, lines of
 * equal efficiency, and where one surface overtakes another.
 *
 * Sizes and nodes are whole numbers. A size that does not fit into memory counts only
 * where it is said.
 */
#ifndef MT_SCALING_H
#define MT_SCALING_H

#include "motley/error.h"
#include "motley/surface.h"

#include <stdbool.h>

/* A range of sizes, or of numbers of nodes; whole numbers, low <= high. */
struct mt_span {
    double low, high;
};

/*
 * The ridge: the size of the span with the best efficiency on so many nodes, of those
 * that are valid and fit, and of equally good ones the largest. False when there is
 * none. Of up to 4096 sizes all are tried, else some in steps of a quarter of a
 * percent, and others around the best of them.
 */
bool mt_best_size(const struct mt_surface *surface, double nodes, struct mt_span sizes,
                  struct mt_surface_point *point, double *size);

/* A place where a small step loses more than `MT_CLIFF` of the efficiency: a size that
   is 10 % larger, or by one, or the next number of nodes, if it is no further. Steps
   that follow each other are one cliff, without what small steps reach before and
   behind it. */
#define MT_CLIFF 0.1
struct mt_cliff {
    bool along_nodes;     /* the nodes grow and the size stays; else vice versa */
    double other;         /* the size or the number of nodes that stays */
    double from, to;      /* the number that grows */
    double before, after; /* efficiency at from and to */
};
/* Zeroed is empty. */
struct mt_cliffs {
    struct mt_cliff *cliffs; /* owned */
    int count;
};
/* The cliffs for growing sizes on so many nodes, those beyond the memory left out. */
MT_MUST_CHECK int mt_cliffs_of_sizes(struct mt_cliffs *cliffs,
                                     const struct mt_surface *surface, double nodes,
                                     struct mt_span sizes, struct mt_error *err);
/* The cliffs for growing numbers of nodes at that size. */
MT_MUST_CHECK int mt_cliffs_of_nodes(struct mt_cliffs *cliffs,
                                     const struct mt_surface *surface, double size,
                                     struct mt_span nodes, struct mt_error *err);
void mt_cliffs_clear(struct mt_cliffs *cliffs);

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

/* Which of two surfaces is faster (has the smaller T) from `nodes` on. */
struct mt_crossing {
    double nodes; /* the smallest number of nodes at which b is faster, or again not */
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
