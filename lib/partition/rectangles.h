/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rectangles.h - mt_partition_rectangles() in two parts: where rectangles lie towards
 * each other, and how large they are; and where a unit of height and a unit of width do
 * not cost the same.
 */
#ifndef MT_PARTITION_RECTANGLES_H
#define MT_PARTITION_RECTANGLES_H

#include "motley/partition.h"

/* A straight cut through a rectangle: the first `split` of its tiles are to the left of
   it (vertical), or above it. */
struct mt_partition_line {
    int split;
    bool vertical;
};

/* Rectangles of any areas, in always the same places. Zeroed is empty. */
struct mt_partition_layout {
    int count;
    int *order;                      /* owned; tile i belongs to rank order[i] */
    struct mt_partition_line *lines; /* owned; count - 1 of them: of the whole, then all
                                  of its first part, then those of the second */
};

/* The layout for which, with these shares of the area, the sum of (the tile's height *
   height + its width * width) is small. `layout` is empty. */
MT_MUST_CHECK int mt_partition_layout_init(struct mt_partition_layout *layout,
                                           const double *shares, int count,
                                           double height, double width,
                                           struct mt_error *err);
void mt_partition_layout_clear(struct mt_partition_layout *layout);
/* Fills rank, top, left, bottom, right; shares are above 0 and add up to 1. */
void mt_partition_layout_place(const struct mt_partition_layout *layout,
                               const double *shares, struct mt_partition_tile *tiles);

#endif
