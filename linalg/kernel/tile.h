/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tile.h - the product of two packed panels, which is a tile of C.
 */
#ifndef MT_STRASSEN_KERNEL_TILE_H
#define MT_STRASSEN_KERNEL_TILE_H

#include <stddef.h>

/* A tile of C; at C's edges it has fewer rows or columns. */
struct kernel_tile {
    double *c; /* borrowed */
    size_t rows, columns, ld;
};

/* C = alpha A B + beta C, of panels of A and B that are so deep. */
typedef void kernel_tiler(const struct kernel_tile *tile, size_t depth, double alpha,
                          const double *a, const double *b, double beta);
kernel_tiler mt_kernel_avx512_tile, mt_kernel_avx2_tile;

#endif
