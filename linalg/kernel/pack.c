/* SPDX-License-Identifier: BSD-3-Clause */
#include "pack.h"

#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f")))

/* Packing goes by squares of this size, which registers can hold and transpose. */
enum { SIDE = 8 };

/* Adjacent rows that are read together, through all panels that have them, as each
   depth is on another page of the memory: whole panels of both widths. */
enum { MOST_ADJACENT = 192 };

size_t mt_kernel_padded(size_t depth)
{
    return (depth + SIDE - 1) / SIDE * SIDE;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Pairs of lines are interleaved by elements, by pairs of them and by fours. */
AVX512 static inline void transpose(__m512d x[SIDE])
{
    __m512d y[SIDE];
#pragma GCC unroll 4
    for (int i = 0; i < SIDE; i += 2) {
        y[i] = _mm512_unpacklo_pd(x[i], x[i + 1]);
        y[i + 1] = _mm512_unpackhi_pd(x[i], x[i + 1]);
    }
#pragma GCC unroll 2
    for (int i = 0; i < SIDE; i += 4) {
#pragma GCC unroll 2
        for (int j = i; j < i + 2; j++) {
            x[j] = _mm512_shuffle_f64x2(y[j], y[j + 2], 0x88);
            x[j + 2] = _mm512_shuffle_f64x2(y[j], y[j + 2], 0xdd);
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < SIDE / 2; i++) {
        y[i] = _mm512_shuffle_f64x2(x[i], x[i + 4], 0x88);
        y[i + 4] = _mm512_shuffle_f64x2(x[i], x[i + 4], 0xdd);
    }
#pragma GCC unroll 8
    for (int i = 0; i < SIDE; i++)
        x[i] = y[i];
}

/* The square that begins at this row and depth, where the part ends with zeros for what
   is beyond it. Of the columns written, `width` lies between one and the next. */
AVX512 static inline void pack_square(double *packed, size_t width,
                                      const struct kernel_part *part, size_t row,
                                      size_t depth)
{
    const size_t rows = row < part->rows ? smaller(part->rows - row, SIDE) : 0;
    const size_t depths = smaller(part->depth - depth, SIDE);
    const size_t lines = part->rows_adjacent ? depths : rows;
    const size_t length = part->rows_adjacent ? rows : depths;
    const size_t begin =
        part->rows_adjacent ? row + depth * part->ld : depth + row * part->ld;
    const __mmask8 mask = (__mmask8)((1u << length) - 1);

    __m512d square[SIDE]; /* lines of what is adjacent in memory */
#pragma GCC unroll 8
    for (size_t i = 0; i < SIDE; i++)
        square[i] = i < lines
                        ? _mm512_maskz_loadu_pd(mask, part->data + begin + i * part->ld)
                        : _mm512_setzero_pd();
    for (int t = 0; t < part->more.count; t++) {
        const double *term = part->more.data[t] + begin;
        const __m512d sign = _mm512_set1_pd(part->more.sign[t]);
#pragma GCC unroll 8
        for (size_t i = 0; i < SIDE; i++)
            if (i < lines)
                square[i] = _mm512_fmadd_pd(
                    sign, _mm512_maskz_loadu_pd(mask, term + i * part->ld), square[i]);
    }
    if (!part->rows_adjacent)
        transpose(square);
#pragma GCC unroll 8
    for (size_t i = 0; i < SIDE; i++)
        _mm512_store_pd(packed + i * width, square[i]);
}

AVX512 void mt_kernel_pack(double *packed, size_t width, const struct kernel_part *part)
{
    const size_t padded = mt_kernel_padded(part->depth);
    const size_t group = part->rows_adjacent ? MOST_ADJACENT : width;
    for (size_t first = 0; first < part->rows; first += group) {
        const size_t end = smaller(first + group, part->rows);
        for (size_t depth = 0; depth < part->depth; depth += SIDE)
            for (size_t panel = first; panel < end; panel += width)
                for (size_t row = 0; row < width; row += SIDE)
                    pack_square(packed + panel * padded + depth * width + row, width,
                                part, panel + row, depth);
    }
}
