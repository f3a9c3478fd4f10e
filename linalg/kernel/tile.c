/* SPDX-License-Identifier: BSD-3-Clause */
#include "tile.h"

#include <immintrin.h>
#include <stdbool.h>

#define AVX512 __attribute__((target("avx512f")))

enum { VECTOR = 8, VECTORS = KERNEL_ROWS / VECTOR };

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
    for (size_t i = 0; i < tile->rows; i += VECTOR)
        __builtin_prefetch(line + i, 1);
    __builtin_prefetch(line + tile->rows - 1, 1);
}

struct scale {
    __m512d alpha, beta;
    bool read; /* C; not where beta is 0 */
};

AVX512 static inline void update(double *c, __m512d product, __mmask8 mask,
                                 struct scale scale)
{
    __m512d sum = _mm512_mul_pd(product, scale.alpha);
    if (scale.read)
        sum = _mm512_fmadd_pd(_mm512_maskz_loadu_pd(mask, c), scale.beta, sum);
    _mm512_mask_storeu_pd(c, mask, sum);
}

AVX512 static void update_edge(const struct kernel_tile *tile, const double *product,
                               struct scale scale)
{
    for (size_t j = 0; j < tile->columns; j++)
        for (size_t i = 0; i < tile->rows; i += VECTOR) {
            const size_t left = tile->rows - i;
            const __mmask8 mask = left < VECTOR ? (__mmask8)((1u << left) - 1) : 0xff;
            update(tile->c + j * tile->ld + i,
                   _mm512_load_pd(product + j * KERNEL_ROWS + i), mask, scale);
        }
}

AVX512 void mt_kernel_tile(const struct kernel_tile *tile, size_t depth, double alpha,
                           const double *a, const double *b, double beta)
{
    __m512d sums[KERNEL_COLUMNS][VECTORS]; /* registers, as all loops are unrolled */
#pragma GCC unroll 8
    for (size_t j = 0; j < KERNEL_COLUMNS; j++)
#pragma GCC unroll 3
        for (size_t i = 0; i < VECTORS; i++)
            sums[j][i] = _mm512_setzero_pd();

    /* C comes from memory while the product is computed, a column at a time: all of it
       at once would take every miss that the processor can wait for, and keep A, which
       comes from the level 2 cache, waiting. */
    const size_t stretch = (depth + KERNEL_COLUMNS - 1) / KERNEL_COLUMNS;
    size_t done = 0;
    for (size_t fetched = 0; fetched < KERNEL_COLUMNS; fetched++) {
        prefetch(tile, fetched);
        const size_t end = done + stretch < depth ? done + stretch : depth;
        /* Counting takes the ports of multiply-adds: 5 % where it was measured. */
#pragma GCC unroll 8
        for (; done < end; done++, a += KERNEL_ROWS, b += KERNEL_COLUMNS) {
            __builtin_prefetch(b + (size_t)AHEAD * KERNEL_COLUMNS);
            __m512d column[VECTORS];
#pragma GCC unroll 3
            for (size_t i = 0; i < VECTORS; i++)
                column[i] = _mm512_load_pd(a + i * VECTOR);
#pragma GCC unroll 8
            for (size_t j = 0; j < KERNEL_COLUMNS; j++) {
                const __m512d element = _mm512_set1_pd(b[j]);
#pragma GCC unroll 3
                for (size_t i = 0; i < VECTORS; i++)
                    sums[j][i] = _mm512_fmadd_pd(column[i], element, sums[j][i]);
            }
        }
    }

    const struct scale scale = {_mm512_set1_pd(alpha), _mm512_set1_pd(beta), beta != 0};
    if (tile->rows == KERNEL_ROWS && tile->columns == KERNEL_COLUMNS) {
#pragma GCC unroll 8
        for (size_t j = 0; j < KERNEL_COLUMNS; j++)
#pragma GCC unroll 3
            for (size_t i = 0; i < VECTORS; i++)
                update(tile->c + j * tile->ld + i * VECTOR, sums[j][i], 0xff, scale);
    } else {
        _Alignas(64) double product[KERNEL_COLUMNS * KERNEL_ROWS];
#pragma GCC unroll 8
        for (size_t j = 0; j < KERNEL_COLUMNS; j++)
#pragma GCC unroll 3
            for (size_t i = 0; i < VECTORS; i++)
                _mm512_store_pd(product + j * KERNEL_ROWS + i * VECTOR, sums[j][i]);
        update_edge(tile, product, scale);
    }
}
