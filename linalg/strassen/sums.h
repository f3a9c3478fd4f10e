/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sums.h - sums of quarters of matrices, which are bound by memory: with as few passes
 * over it as possible, by several threads, which share the columns.
 */
#ifndef MT_STRASSEN_SUMS_H
#define MT_STRASSEN_SUMS_H

#include <stdbool.h>
#include <stddef.h>

enum { MT_STRASSEN_MOST_THREADS = 64 };

/* Whether each of `threads` threads, at most 64, has a core: false if the caller is
   bound to fewer, or is in an OpenMP team that already uses the cores. */
bool mt_strassen_has_cores(int threads);

/* Columns of a matrix, or of a quarter of one. */
struct quarter {
    const double *data; /* borrowed */
    size_t ld;
};

/*
 * The quarters of A or B, and room for two sums of them at a time, x and y:
 *
 *                  corner  side  opposite  last  sign
 *     A            A11     A21   A22       A12   +1
 *     B            B22     B12   B11       B21   -1
 *
 *     first        y = corner - side              S3,  T3
 *                  x = side + sign opposite       S1,  T1
 *     second       y = sign (x - corner)          S2,  T2
 *                  x = last - y                   S4, -T4
 */
struct quarter_sums {
    size_t rows, columns; /* of a quarter, in storage */
    struct quarter corner, side, opposite, last;
    double sign;
    double *x, *y; /* borrowed; columns are `ld` apart */
    size_t ld;
};

/* Reads three quarters of each operand and writes two, as does the second. */
void mt_strassen_first_sums(int threads, const struct quarter_sums *a,
                            const struct quarter_sums *b);
void mt_strassen_second_sums(int threads, const struct quarter_sums *a,
                             const struct quarter_sums *b);

/* C in four quarters, each rows x columns. */
struct result_quarters {
    size_t rows, columns;
    double *data; /* borrowed */
    size_t ld;
};

/*
 * C's quarters hold X11 ... X22; join makes them
 *
 *     C11 = X11                C12 = X11 + X12 + X22
 *     C21 = X11 + X12 + X21    C22 = X11 + X12 + X21 + X22
 *
 * and split is its inverse. So a product that belongs to several quarters is added to
 * one, between the two.
 */
void mt_strassen_split(int threads, const struct result_quarters *c);
void mt_strassen_join(int threads, const struct result_quarters *c);

/* Whether no element is NaN or infinite. */
bool mt_strassen_finite(size_t rows, size_t columns, const double *data, size_t ld);

/* Do a part of some work: number `part` of `parts`. */
typedef void mt_strassen_work(const void *data, size_t part, size_t parts);
/* Split work on `elements` elements among threads; use the calling thread alone if
   parts would be too small or threads cannot be started. */
void mt_strassen_share(int threads, size_t elements, mt_strassen_work *work,
                       const void *data);

#endif
