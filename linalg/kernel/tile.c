/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loop: a tile of C from two packed panels. */
#include "tile.h"
#include "vectors.h"

#include <stdbool.h>

enum { ROWS = VECTORS * VECTOR };

/* A panel of B is used again and again, but those of A, of which each line is used
   once, drive it out of the level 1 cache: it is fetched this much of the depth ahead.
   The processor sees by itself that A will be wanted. */
enum { AHEAD = 32 };

/* Fetch the tile's lines in a column. To be inlined, or GCC takes calls that have no
   result for useless. */
__attribute__((always_inline)) static inline void prefetch(
    const struct kernel_tile *tile, size_t column)
{
    if (column >= tile->columns)
        return;
    const double *line = tile->c + column * tile->ld;
    for (size_t i = 0; i < tile->rows; i += 8)
        __builtin_prefetch(line + i, 1);
    __builtin_prefetch(line + tile->rows - 1, 1);
}

struct scale {
    vector alpha, beta;
    bool read; /* C; not where beta is 0 */
};

static inline void update(double *c, vector product, vector_mask mask,
                          struct scale scale)
{
    vector sum = multiply(product, scale.alpha);
    if (scale.read)
        sum = multiply_add(load_some(c, mask), scale.beta, sum);
    store_some(c, mask, sum);
}

static void update_edge(const struct kernel_tile *tile, const double *product,
                        struct scale scale)
{
    for (size_t j = 0; j < tile->columns; j++)
        for (size_t i = 0; i < tile->rows; i += VECTOR) {
            const size_t left = tile->rows - i;
            update(tile->c + j * tile->ld + i, load(product + j * ROWS + i),
                   mask_of(left < VECTOR ? left : VECTOR), scale);
        }
}

void KIND(tile)(const struct kernel_tile *tile, size_t depth, double alpha,
                const double *a, const double *b, double beta)
{
    vector sums[COLUMNS][VECTORS]; /* registers, as all loops are unrolled */
#pragma GCC unroll 8
    for (size_t j = 0; j < COLUMNS; j++)
#pragma GCC unroll 3
        for (size_t i = 0; i < VECTORS; i++)
            sums[j][i] = zero();

    /* C comes from memory while the product is computed, a column at a time: all of it
       at once would take every miss that the processor can wait for, and keep A, which
       comes from the level 2 cache, waiting. */
    const size_t stretch = (depth + COLUMNS - 1) / COLUMNS;
    size_t done = 0;
    for (size_t fetched = 0; fetched < COLUMNS; fetched++) {
        prefetch(tile, fetched);
        const size_t end = done + stretch < depth ? done + stretch : depth;
        /* Counting takes the ports of multiply-adds: 5 % where it was measured. */
#pragma GCC unroll 8
        for (; done < end; done++, a += ROWS, b += COLUMNS) {
            __builtin_prefetch(b + (size_t)AHEAD * COLUMNS);
            vector column[VECTORS];
#pragma GCC unroll 3
            for (size_t i = 0; i < VECTORS; i++)
                column[i] = load(a + i * VECTOR);
#pragma GCC unroll 8
            for (size_t j = 0; j < COLUMNS; j++) {
                const vector element = spread(b[j]);
#pragma GCC unroll 3
                for (size_t i = 0; i < VECTORS; i++)
                    sums[j][i] = multiply_add(column[i], element, sums[j][i]);
            }
        }
    }

    const struct scale scale = {spread(alpha), spread(beta), beta != 0};
    if (tile->rows == ROWS && tile->columns == COLUMNS) {
#pragma GCC unroll 8
        for (size_t j = 0; j < COLUMNS; j++)
#pragma GCC unroll 3
            for (size_t i = 0; i < VECTORS; i++)
                update(tile->c + j * tile->ld + i * VECTOR, sums[j][i], mask_of(VECTOR),
                       scale);
    } else {
        _Alignas(64) double product[COLUMNS * ROWS];
#pragma GCC unroll 8
        for (size_t j = 0; j < COLUMNS; j++)
#pragma GCC unroll 3
            for (size_t i = 0; i < VECTORS; i++)
                store(product + j * ROWS + i * VECTOR, sums[j][i]);
        update_edge(tile, product, scale);
    }
}
