/* SPDX-License-Identifier: BSD-3-Clause */
/* The BLAS as the drop-in finds it: in place of blas.c. */
#include "linalg/blas/blas.h"

#include "next.h"

#include <string.h>

static const char *letter(CBLAS_TRANSPOSE transpose)
{
    return transpose == CblasNoTrans ? "N" : "T";
}

/* By Fortran's function where there is one: a BLAS may make the other one of it, and
   would come back to us. */
void blas_dgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transpose_a,
                CBLAS_TRANSPOSE transpose_b, int m, int n, int k, double alpha,
                const double *a, int lda, const double *b, int ldb, double beta,
                double *c, int ldc)
{
    dropin_fortran *fortran = dropin_next_fortran(NULL);
    if (fortran && layout == CblasColMajor)
        fortran(letter(transpose_a), letter(transpose_b), &m, &n, &k, &alpha, a, &lda,
                b, &ldb, &beta, c, &ldc, 1, 1);
    else
        dropin_next_c(NULL)(layout, transpose_a, transpose_b, m, n, k, alpha, a, lda, b,
                            ldb, beta, c, ldc);
}

/* There may be no dgemv where we look. */
void blas_dgemm_thin(CBLAS_TRANSPOSE transpose_a, CBLAS_TRANSPOSE transpose_b, int m,
                     int n, int k, double alpha, const double *a, int lda,
                     const double *b, int ldb, double beta, double *c, int ldc)
{
    blas_dgemm(CblasColMajor, transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb,
               beta, c, ldc);
}

const void *blas_place(void)
{
    dropin_fortran *fortran = dropin_next_fortran(NULL);
    dropin_c *c = dropin_next_c(NULL);
    const void *place;
    if (fortran)
        memcpy(&place, &fortran, sizeof place);
    else
        memcpy(&place, &c, sizeof place);
    return place;
}
