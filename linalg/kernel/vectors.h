/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vectors.h - the processor's vectors of VECTOR doubles, as pack.c and tile.c use them.
 * These are compiled once for each width, which the build gives: 8 is AVX-512, 4 is
 * AVX2 with FMA. Names that must differ begin with what KIND makes of them.
 */
#ifndef MT_STRASSEN_KERNEL_VECTORS_H
#define MT_STRASSEN_KERNEL_VECTORS_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if VECTOR == 8

#define KIND(name) mt_kernel_avx512_##name

/*
 * A tile is summed up in 24 of the 32 registers, three vectors by eight columns; three
 * more hold a column of A, one an element of B. So 11 loads go with 24 multiply-adds:
 * with one load and one multiply-add a cycle, the loads never are what is waited for.
 */
enum { VECTORS = 3, COLUMNS = 8 };

/*
 * What is packed of A, 576 KiB at most, is used again and again from the level 2 cache;
 * what is packed of B, 8 MiB at most, from level 3. The deeper, the less often C is
 * read and written. A panel of B need not stay in level 1: see tile.c.
 */
enum { MOST_DEPTH = 512, MOST_ROWS = 144, MOST_COLUMNS = 2048 };

typedef __m512d vector;
typedef __mmask8 vector_mask;

static inline vector_mask mask_of(size_t count)
{
    return (vector_mask)((1u << count) - 1);
}

static inline vector zero(void)
{
    return _mm512_setzero_pd();
}

static inline vector spread(double value)
{
    return _mm512_set1_pd(value);
}

static inline vector load(const double *from)
{
    return _mm512_load_pd(from);
}

static inline vector load_some(const double *from, vector_mask mask)
{
    return _mm512_maskz_loadu_pd(mask, from);
}

static inline void store(double *to, vector x)
{
    _mm512_store_pd(to, x);
}

static inline void store_some(double *to, vector_mask mask, vector x)
{
    _mm512_mask_storeu_pd(to, mask, x);
}

static inline vector multiply(vector x, vector y)
{
    return _mm512_mul_pd(x, y);
}

static inline vector multiply_add(vector x, vector y, vector sum)
{
    return _mm512_fmadd_pd(x, y, sum);
}

/* Pairs of lines are interleaved by elements, by pairs of them and by fours. */
static inline void transpose(vector x[VECTOR])
{
    vector y[VECTOR];
#pragma GCC unroll 4
    for (int i = 0; i < VECTOR; i += 2) {
        y[i] = _mm512_unpacklo_pd(x[i], x[i + 1]);
        y[i + 1] = _mm512_unpackhi_pd(x[i], x[i + 1]);
    }
#pragma GCC unroll 2
    for (int i = 0; i < VECTOR; i += 4) {
#pragma GCC unroll 2
        for (int j = i; j < i + 2; j++) {
            x[j] = _mm512_shuffle_f64x2(y[j], y[j + 2], 0x88);
            x[j + 2] = _mm512_shuffle_f64x2(y[j], y[j + 2], 0xdd);
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < VECTOR / 2; i++) {
        y[i] = _mm512_shuffle_f64x2(x[i], x[i + 4], 0x88);
        y[i + 4] = _mm512_shuffle_f64x2(x[i], x[i + 4], 0xdd);
    }
#pragma GCC unroll 8
    for (int i = 0; i < VECTOR; i++)
        x[i] = y[i];
}

#else

#define KIND(name) mt_kernel_avx2_##name

/*
 * A tile takes 12 of the 16 registers, three vectors by four columns, and a column of A
 * and an element of B the others. So 7 loads go with 12 multiply-adds: with as many
 * loads as multiply-adds a cycle, two, the loads are not what is waited for. 12 sums
 * are under way at a time: 10 are enough where each takes five cycles.
 */
enum { VECTORS = 3, COLUMNS = 4 };

/* As above, for smaller caches. */
enum { MOST_DEPTH = 384, MOST_ROWS = 96, MOST_COLUMNS = 2048 };

typedef __m256d vector;
/* The whole vector by itself, as masks take time. */
typedef struct {
    bool whole;
    __m256i lanes;
} vector_mask;

static inline vector_mask mask_of(size_t count)
{
    static const int64_t all_then_none[] = {-1, -1, -1, -1, 0, 0, 0, 0};
    const void *from = all_then_none + VECTOR - count;
    return (vector_mask){count == VECTOR, _mm256_loadu_si256(from)};
}

static inline vector zero(void)
{
    return _mm256_setzero_pd();
}

static inline vector spread(double value)
{
    return _mm256_set1_pd(value);
}

static inline vector load(const double *from)
{
    return _mm256_load_pd(from);
}

static inline vector load_some(const double *from, vector_mask mask)
{
    return mask.whole ? _mm256_loadu_pd(from) : _mm256_maskload_pd(from, mask.lanes);
}

static inline void store(double *to, vector x)
{
    _mm256_store_pd(to, x);
}

static inline void store_some(double *to, vector_mask mask, vector x)
{
    if (mask.whole)
        _mm256_storeu_pd(to, x);
    else
        _mm256_maskstore_pd(to, mask.lanes, x);
}

static inline vector multiply(vector x, vector y)
{
    return _mm256_mul_pd(x, y);
}

static inline vector multiply_add(vector x, vector y, vector sum)
{
    return _mm256_fmadd_pd(x, y, sum);
}

/* Pairs of lines are interleaved by elements and by pairs of them. */
static inline void transpose(vector x[VECTOR])
{
    vector y[VECTOR];
#pragma GCC unroll 2
    for (int i = 0; i < VECTOR; i += 2) {
        y[i] = _mm256_unpacklo_pd(x[i], x[i + 1]);
        y[i + 1] = _mm256_unpackhi_pd(x[i], x[i + 1]);
    }
#pragma GCC unroll 2
    for (int i = 0; i < VECTOR / 2; i++) {
        x[i] = _mm256_permute2f128_pd(y[i], y[i + 2], 0x20);
        x[i + 2] = _mm256_permute2f128_pd(y[i], y[i + 2], 0x31);
    }
}

#endif

#endif
