/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls the program's BLAS. */
#include "blas.h"

#include <stdbool.h>
#include <string.h>

void blas_dgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transpose_a,
                CBLAS_TRANSPOSE transpose_b, int m, int n, int k, double alpha,
                const double *a, int lda, const double *b, int ldb, double beta,
                double *c, int ldc)
{
    cblas_dgemm(layout, transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta,
                c, ldc);
}

void blas_dgemm_thin(CBLAS_TRANSPOSE transpose_a, CBLAS_TRANSPOSE transpose_b, int m,
                     int n, int k, double alpha, const double *a, int lda,
                     const double *b, int ldb, double beta, double *c, int ldc)
{
    const bool turned_a = transpose_a != CblasNoTrans;
    const bool turned_b = transpose_b != CblasNoTrans;
    if (n == 1) /* C = op(A) b */
        cblas_dgemv(CblasColMajor, transpose_a, turned_a ? k : m, turned_a ? m : k,
                    alpha, a, lda, b, turned_b ? ldb : 1, beta, c, 1);
    else /* C^T = op(B)^T a */
        cblas_dgemv(CblasColMajor, turned_b ? CblasNoTrans : CblasTrans,
                    turned_b ? n : k, turned_b ? k : n, alpha, b, ldb, a,
                    turned_a ? 1 : lda, beta, c, ldc);
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
