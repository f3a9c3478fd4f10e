/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen_product.h - the product C = alpha op(A) op(B) + beta C of matrices that lie
 * by columns, cut in halves a given number of times.
 */
#ifndef MT_STRASSEN_PRODUCT_H
#define MT_STRASSEN_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>

/* A or B. In storage it may be the transpose of what the product takes. */
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

/* What is the same for all products of a call. */
struct call {
    double alpha;
    void (*progress)(void *data);
    void *data;
    double *packed; /* borrowed; room for the kernel's copies; NULL: use the BLAS */
};

/* Doubles of workspace for so many levels. */
size_t mt_strassen_room(size_t m, size_t n, size_t k, int levels);
/* m, n and k are multiples of 2^levels. */
void mt_strassen_multiply(const struct call *call, const struct product *product,
                          int levels, double *workspace);
/* A product that is not cut, by the kernel or the BLAS. */
void mt_strassen_leaf(const struct call *call, const struct product *product);
/* The same for rows or columns that are few, perhaps one. */
void mt_strassen_thin(const struct call *call, const struct product *product);

#endif
