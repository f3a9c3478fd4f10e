/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cliffs.h - where a small step over an efficiency surface, in size or in nodes, loses
 * much of the efficiency.
 */
#ifndef MT_CLIFFS_H
#define MT_CLIFFS_H

#include "motley/error.h"
#include "motley/surface.h"

#include <stdbool.h>

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
/* Add the cliffs for growing sizes on so many nodes, those beyond the memory left out.
 */
MT_MUST_CHECK int mt_cliffs_of_sizes(struct mt_cliffs *cliffs,
                                     const struct mt_surface *surface, double nodes,
                                     struct mt_span sizes, struct mt_error *err);
/* Add the cliffs for growing numbers of nodes at that size. */
MT_MUST_CHECK int mt_cliffs_of_nodes(struct mt_cliffs *cliffs,
                                     const struct mt_surface *surface, double size,
                                     struct mt_span nodes, struct mt_error *err);
void mt_cliffs_clear(struct mt_cliffs *cliffs);

#endif
