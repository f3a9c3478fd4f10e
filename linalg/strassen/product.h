/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * product.h - the product C = alpha op(A) op(B) + beta C of matrices stored by columns,
 * halved a given number of times.
 */
#ifndef MT_STRASSEN_PRODUCT_H
#define MT_STRASSEN_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>

/* A or B, by columns. In storage it may be the transpose of what the product takes. */
struct operand {
    const double *data; /* borrowed */
    size_t ld;
    bool transposed;
};

struct product {
    size_t m, n, k;
    struct operand a, b;
    double *c; /* borrowed */
    size_t ldc;
    double beta;
};

/* Common to all products of a call. */
struct strassen_call {
    double alpha;
    int threads; /* for sums, as many as the BLAS uses for products */
};

/* Quarters of squares that a level's sums read and write: five each of A and B, twice;
   seven of C, and again if something is added to it. */
enum { MT_STRASSEN_MOVED_C = 7, MT_STRASSEN_MOVED_BY_LEVEL = 10 + 10 + 7 };

/* Doubles of workspace for `levels` levels. */
size_t mt_strassen_room(size_t m, size_t n, size_t k, int levels);
/* Any sizes, none below 2^levels: odd rows and columns are peeled off. */
void mt_strassen_multiply(const struct strassen_call *call,
                          const struct product *product, int levels, double *workspace);

#endif
