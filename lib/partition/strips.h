/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strips.h - the best partition of a rectangle into strips, and of the strips into one
 * rectangle an area (Beaumont, Boudet, Rastello, Robert 2001).
 */
#ifndef MT_PARTITION_STRIPS_H
#define MT_PARTITION_STRIPS_H

/* Areas in falling order, with room for the search. */
struct mt_partition_areas {
    double *sums;  /* sums[i]: of the first i areas; count + 1 of them */
    double *least; /* room for count + 1 */
    int *from;     /* room for count + 1: where the strip that ends here begins */
};

/*
 * The least sum of (height + width) of rectangles with the areas [first, end), in
 * strips of the given length that lie side by side and have as much room as the areas
 * need. In the best partition each strip takes areas that follow each other, because
 * the more rectangles there are in a strip, the smaller they should be. Afterwards
 * from[end] is where the last strip begins, from[from[end]] where the one before it
 * does, and so on to `first`.
 */
double mt_partition_strips(const struct mt_partition_areas *areas, int first, int end,
                           double length);

#endif
