/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * product.h - the product C = alpha op(A) op(B) + beta C of matrices that lie by
 * columns, cut in halves a given number of times.
 */
#ifndef MT_STRASSEN_PRODUCT_H
#define MT_STRASSEN_PRODUCT_H

#include "linalg/kernel/kernel.h"

/* What is the same for all products of a call. */
struct strassen_call {
    double alpha;
    void (*progress)(void *data);
    void *data;
    int threads;    /* for sums, as many as the BLAS uses for products */
    double *packed; /* borrowed; room for the kernel's copies; NULL: use the BLAS */
};

/* What makes some rows and columns of C. */
struct product mt_strassen_part(const struct product *product, size_t row, size_t rows,
                                size_t column, size_t columns);
/* Doubles of workspace for so many levels. */
size_t mt_strassen_room(size_t m, size_t n, size_t k, int levels);
/* Of any sizes, none below 2^levels: what cannot be halved so often is peeled off. */
void mt_strassen_multiply(const struct strassen_call *call,
                          const struct product *product, int levels, double *workspace);

#endif
