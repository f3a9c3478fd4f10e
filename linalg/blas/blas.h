/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blas.h - dgemm of the BLAS: nothing else here calls it, as the drop-in, which defines
 * dgemm itself, must find it differently (dgemm/blas.c).
 */
#ifndef MT_STRASSEN_BLAS_H
#define MT_STRASSEN_BLAS_H

#include <cblas.h>

void blas_dgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transpose_a,
                CBLAS_TRANSPOSE transpose_b, int m, int n, int k, double alpha,
                const double *a, int lda, const double *b, int ldb, double beta,
                double *c, int ldc);

/* The same, by columns, if m or n is 1: by dgemv if available, as dgemm copies the
   whole matrix first. */
void blas_dgemm_thin(CBLAS_TRANSPOSE transpose_a, CBLAS_TRANSPOSE transpose_b, int m,
                     int n, int k, double alpha, const double *a, int lda,
                     const double *b, int ldb, double beta, double *c, int ldc);

/* Its address in its library. */
const void *blas_place(void);

#endif
