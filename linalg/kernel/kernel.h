/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kernel.h - a dgemm of our own for one core with AVX-512 or AVX2, which takes the
 * place of the BLAS's for products of the lowest level, where it is faster.
 */
#ifndef MT_STRASSEN_KERNEL_H
#define MT_STRASSEN_KERNEL_H

#include "pack.h"

#include <stdbool.h>
#include <stddef.h>

/* A or B, by columns. In storage it may be the transpose of what the product takes. */
struct operand {
    const double *data; /* borrowed */
    size_t ld;
    bool transposed;
};

/* C = alpha op(A) op(B) + beta C. */
struct product {
    size_t m, n, k;
    struct operand a, b;
    struct terms more_a, more_b;
    double *c; /* borrowed */
    size_t ldc;
    double beta;
};

/* For one width of vectors. */
struct kernel_kind;
/* Those that this processor can run, the fastest first; NULL: no more. */
const struct kernel_kind *mt_kernel_kind(int i);
bool mt_kernel_available(void);
/* Whether a product is large enough for it: in each of its sizes, as packing costs in
   proportion to two of them, computing to all three. */
bool mt_kernel_suits(size_t m, size_t n, size_t k);
/* Doubles of workspace for products up to this size, also if m and n change places. */
size_t mt_kernel_room(const struct kernel_kind *kind, size_t m, size_t n, size_t k);
/* C = alpha op(A) op(B) + beta C; m, n, k > 0. */
void mt_kernel_multiply(const struct kernel_kind *kind, const struct product *product,
                        double alpha, double *workspace);

#endif
