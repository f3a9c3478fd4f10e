/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tile.h - the product of two packed panels, which is a tile of C.
 */
#ifndef MT_STRASSEN_KERNEL_TILE_H
#define MT_STRASSEN_KERNEL_TILE_H

#include <stddef.h>

/*
 * A tile is summed up in 24 of the 32 registers, three vectors by eight columns; three
 * more hold a column of A, one an element of B. So 11 loads go with 24 multiply-adds:
 * with one load and one multiply-add a cycle, the loads never are what is waited for.
 */
enum { KERNEL_ROWS = 24, KERNEL_COLUMNS = 8 };

/* A tile of C; at C's edges it has fewer rows or columns. */
struct kernel_tile {
    double *c; /* borrowed */
    size_t rows, columns, ld;
};

/* C = alpha A B + beta C, of panels of A and B that are so deep. */
void mt_kernel_tile(const struct kernel_tile *tile, size_t depth, double alpha,
                    const double *a, const double *b, double beta);

#endif
