/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuning.h - the constants that decide which partitions are tried, and which is chosen.
 *
 * Where they come from: [paper] the paper that the comment names; [measured] chosen by
 * the measurement that the comment gives; [chosen] chosen by hand. The sensitivity to
 * none of them was measured.
 */
#ifndef MT_PARTITION_TUNING_H
#define MT_PARTITION_TUNING_H

/*
 * The time of a product (strassen_cost.c).
 */

/* A BLAS cuts the depth k into equal blocks of at most this size and passes over C once
   for each, so greater depth makes no product faster. Goto and van de Geijn (2008) use
   256. Two ranks took 1.55 s with depths of 500, 1.48 s with 250 and 1.58 s with 1000
   (N = 4000). [paper] */
static const double blas_depth = 256;

/*
 * Rectangles by speed (search.c, rectangles.c).
 */

/* The most panels of a partition; and halvings of a panel that count: Strassen's method
   seldom halves a panel more often. [chosen] */
enum { MT_PARTITION_MOST_PANELS = 64, HALVES = 3 };

/* Up to this many areas, all ways to cut a box by straight lines are tried. For more,
   only strips on both sides of the first cut: deeper cuts gain less than a thousandth.
   [measured] */
enum { FEW = 7 };

/* How often areas are corrected by estimates, and at most by predictions. [chosen] */
enum { ESTIMATES = 6, PREDICTIONS = 8 };

/* The most that predictions may cost, in panels times tiles: to choose among estimated
   partitions, and with the corrections of their areas. [chosen] */
enum { CHOICE_EFFORT = 2000, EFFORT = 4000 };

/* A correction changes an area by at most this factor. [chosen] */
static const double most_correction = 2;

/* A partition that takes longer than another one by up to this share may become the
   better one when its areas are corrected. [chosen] */
static const double correctable = 0.05;

/* Times that differ by less than this share are in balance. [chosen] */
static const double balanced = 1e-3;

/* A rank with a speed below this share of the fastest rank's has no tile: in no product
   that fits into memory would it get a row or a column. */
static const double negligible = 1e-9;

/* Tile edges at multiples of 2^levels spare Strassen's method the peeling, which the
   prediction ignores. The predicted time may increase by this share for them. [chosen]
 */
static const double snapping_price = 3e-3;

/* Overlap must gain this factor: a thread that attends to messages takes processor time
   from products. With it, two ranks took 1.00 to 1.17 times as long (N = 4000, 4 to 32
   panels). Four nodes over TCP, where it pays, took 0.85 times as long. [measured] */
static const double overlap_margin = 1.1;

/*
 * Blocks (blocks.c).
 */

/* Left-over blocks are cut again if the busiest rank computes longer than the least
   busy one by more than this factor. At most MOST_LEFT_OVER blocks are left over, and
   each is cut into at most MOST_PARTS pieces a side. [chosen] */
static const double uneven = 1.05;
enum { MOST_LEFT_OVER = 4, MOST_PARTS = 4 };

/* The share of the joint work's time that is added to an estimate, as a tie-break.
   [chosen] */
static const double tie_break = 1e-3;

/*
 * What is shown (question.c).
 */

/* Ranks of a group whose shares differ by less than this share are shown as one row.
   [chosen] */
static const double same_row = 0.02;

#endif
