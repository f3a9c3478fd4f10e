/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sums.h - sums of quarters of matrices, each in one pass over the memory.
 */
#ifndef MT_STRASSEN_SUMS_H
#define MT_STRASSEN_SUMS_H

#include <stdbool.h>
#include <stddef.h>

/* A quarter of a matrix, by columns. */
struct quarter {
    const double *data; /* borrowed */
    size_t ld;
};

/* Where a sum goes; it may take the place of one of its terms. */
struct sum_place {
    size_t rows, columns;
    double *data; /* borrowed */
    size_t ld;
};
/* sum = p + sign q; sign is 1 or -1. */
void mt_strassen_sum(const struct sum_place *sum, struct quarter p, double sign,
                     struct quarter q);

/*
 * C's quarters hold X11 ... X22; join makes them
 *
 *     C11 = X11                C12 = X11 + X12 + X22
 *     C21 = X11 + X12 + X21    C22 = X11 + X12 + X21 + X22
 *
 * and split is its inverse. So a product that belongs to several quarters is added to
 * one, between the two. Both work on all of the quarters' rows and some of their
 * columns, of which `c` is the first on the left and c + right that on the right.
 */
void mt_strassen_split(size_t rows, size_t columns, double *c, size_t right, size_t ld);
void mt_strassen_join(size_t rows, size_t columns, double *c, size_t right, size_t ld);

/* Whether no element is NaN or infinite. */
bool mt_strassen_finite(size_t rows, size_t columns, const double *data, size_t ld);

#endif
