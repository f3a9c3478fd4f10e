/* SPDX-License-Identifier: BSD-3-Clause */
#include "blas.h"

#include <string.h>

void blas_dgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transpose_a,
                CBLAS_TRANSPOSE transpose_b, int m, int n, int k, double alpha,
                const double *a, int lda, const double *b, int ldb, double beta,
                double *c, int ldc)
{
    cblas_dgemm(layout, transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta,
                c, ldc);
}

const void *blas_place(void)
{
    void (*const dgemm)(CBLAS_LAYOUT, CBLAS_TRANSPOSE, CBLAS_TRANSPOSE, int, int, int,
                        double, const double *, int, const double *, int, double,
                        double *, int) = cblas_dgemm;
    const void *place;
    memcpy(&place, &dgemm, sizeof place); /* C has no cast from function to object */
    return place;
}
