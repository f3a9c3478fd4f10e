/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of quarters in one pass over memory. */
#include "sums.h"

#include <stdint.h>
#include <string.h>

/* Sums of what is in the cache are faster in the wider vectors that most processors
   have; the program's start chooses. Wider still is no faster. Under clang nothing
   calls such functions by the names that clang gives them. */
#if defined __x86_64__ && !defined __clang__
#define VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define VECTORS
#endif
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

VECTORS void mt_strassen_sum(const struct sum_place *sum, struct quarter p, double sign,
                             struct quarter q)
{
    const size_t rows = sum->rows;
    for (size_t j = 0; j < sum->columns; j++) {
        double *to = sum->data + j * sum->ld;
        const double *x = p.data + j * p.ld, *y = q.data + j * q.ld;
        INDEPENDENT
        for (size_t i = 0; i < rows; i++)
            to[i] = x[i] + sign * y[i];
    }
}

VECTORS void mt_strassen_split(size_t rows, size_t columns, double *c, size_t right,
                               size_t ld)
{
    for (size_t j = 0; j < columns; j++) {
        double *restrict c11 = c + j * ld, *restrict c21 = c11 + rows;
        double *restrict c12 = c11 + right, *restrict c22 = c12 + rows;
        for (size_t i = 0; i < rows; i++) {
            double x21 = c22[i] - c12[i], x22 = c22[i] - c21[i];
            c12[i] = c12[i] - x22 - c11[i];
            c21[i] = x21;
            c22[i] = x22;
        }
    }
}

VECTORS void mt_strassen_join(size_t rows, size_t columns, double *c, size_t right,
                              size_t ld)
{
    for (size_t j = 0; j < columns; j++) {
        double *restrict c11 = c + j * ld, *restrict c21 = c11 + rows;
        double *restrict c12 = c11 + right, *restrict c22 = c12 + rows;
        for (size_t i = 0; i < rows; i++) {
            double u2 = c11[i] + c12[i], u3 = u2 + c21[i];
            c12[i] = u2 + c22[i];
            c21[i] = u3;
            c22[i] = u3 + c22[i];
        }
    }
}

/* An exponent of all ones, and one more, is carried into the sign. */
VECTORS bool mt_strassen_finite(size_t rows, size_t columns, const double *data,
                                size_t ld)
{
    static const uint64_t exponent = UINT64_C(0x7ff) << 52, one = UINT64_C(1) << 52,
                          sign = UINT64_C(1) << 63;
    uint64_t carried = 0;
    for (size_t j = 0; j < columns && !(carried & sign); j++)
        for (size_t i = 0; i < rows; i++) {
            uint64_t bits;
            memcpy(&bits, &data[j * ld + i], sizeof bits);
            carried |= (bits & exponent) + one;
        }
    return !(carried & sign);
}
