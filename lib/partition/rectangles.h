/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rectangles.h - mt_partition_rectangles() in two parts: the relative places of
 * rectangles, and their sizes; with different costs for a unit of height and of width.
 * The strips are those of Beaumont, Boudet, Rastello and Robert (2001). Then attempts
 * at a partition of them, of which mt_partition_choose() makes many:
 * mt_partition_predict() follows every message, which takes long for many ranks, so
 * attempts are compared by an estimate first.
 */
#ifndef MT_PARTITION_RECTANGLES_H
#define MT_PARTITION_RECTANGLES_H

#include "work.h"

#include "motley/partition.h"

/* A straight cut through a rectangle: the first `split` of its tiles are to the left of
   it (vertical), or above it. */
struct mt_partition_line {
    int split;
    bool vertical;
};

/* A layout: rectangles in the same relative places, for any areas. Empty if zeroed. */
struct mt_partition_layout {
    int count;
    int *order;                      /* owned; tile i belongs to rank order[i] */
    struct mt_partition_line *lines; /* owned; count - 1 cuts: that of the whole, then
                                        all of its first part, then those of the
                                        second */
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

/* Areas in falling order, with room for the search. */
struct mt_partition_areas {
    double *sums;  /* sums[i]: of the first i areas; count + 1 of them */
    double *least; /* room for count + 1 */
    int *from;     /* room for count + 1: where the strip that ends here begins */
};

/*
 * The least sum of (height + width) of rectangles with the areas [first, end), in
 * strips of the given length side by side, as wide as the areas need. In the best
 * partition each strip takes consecutive areas, because strips with more rectangles
 * should have smaller ones. Afterwards from[end] is where the last strip begins,
 * from[from[end]] where the one before it does, and so on to `first`.
 */
double mt_partition_strips(const struct mt_partition_areas *areas, int first, int end,
                           double length);

/* Empty if zeroed. */
struct mt_partition_attempt {
    struct mt_partition_layout
        layout; /* owned; empty if it was given, or edges were moved */
    struct mt_partition partition; /* owned */
    double seconds;                /* that the product takes */
    double *busy; /* owned; seconds that a rank computes, or waits for messages without
                     computing */
};

void mt_partition_attempt_clear(struct mt_partition_attempt *attempt);
/* In which steps. */
struct mt_partition_steps {
    int panels;
    bool overlap; /* of the next one's messages with a step's products */
};
/* Rectangles with areas in proportion to `areas`, of every rank; a rank of area 0 has
   no tile. `layout` was found for the same ranks; NULL: the best one. Tiles have their
   best levels, but no times. */
MT_MUST_CHECK int mt_partition_attempt_init(struct mt_partition_attempt *attempt,
                                            const struct mt_partition_task *task,
                                            const struct mt_partition_layout *layout,
                                            const double *areas,
                                            struct mt_partition_steps steps,
                                            struct mt_error *err);
/* The same tiles, but with edges at multiples of `unit` rows and columns. Empty when a
   tile would vanish. */
MT_MUST_CHECK int mt_partition_attempt_snap(struct mt_partition_attempt *snapped,
                                            const struct mt_partition_attempt *attempt,
                                            const struct mt_partition_task *task,
                                            int unit, struct mt_error *err);
/* Find the times by mt_partition_predict(). */
MT_MUST_CHECK int mt_partition_attempt_predict(struct mt_partition_attempt *attempt,
                                               const struct mt_partition_task *task,
                                               struct mt_error *err);
/* Estimate the times, as if each rank's messages passed alone, equally many in every
   step. */
void mt_partition_attempt_estimate(struct mt_partition_attempt *attempt,
                                   const struct mt_partition_task *task);

enum { MT_PARTITION_PANEL_COUNTS = 20 };

/*
 * List numbers of panels to try, from `least`, 1 or 2, to MT_PARTITION_MOST_PANELS, but
 * at most k, each at most twice the one before; numbers whose panels can be halved
 * often replace their neighbours. Returns how many.
 */
int mt_partition_list_panels(int counts[MT_PARTITION_PANEL_COUNTS], int least, int k);

#endif
