/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * next.h - the functions of the program's own BLAS behind the drop-in; a program may
 * have only one of them.
 */
#ifndef MT_STRASSEN_DROPIN_NEXT_H
#define MT_STRASSEN_DROPIN_NEXT_H

#include <cblas.h>
#include <stddef.h>

/* Fortran compilers pass the lengths of texts after the last argument. */
typedef void dropin_fortran(const char *transpose_a, const char *transpose_b,
                            const int *m, const int *n, const int *k,
                            const double *alpha, const double *a, const int *lda,
                            const double *b, const int *ldb, const double *beta,
                            double *c, const int *ldc, size_t length_a,
                            size_t length_b);
typedef void dropin_c(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transpose_a,
                      CBLAS_TRANSPOSE transpose_b, int m, int n, int k, double alpha,
                      const double *a, int lda, const double *b, int ldb, double beta,
                      double *c, int ldc);

/* NULL: the program's BLAS has no such function. `caller` is an address in the
   drop-in's caller, used until a function is found; NULL: use the one found before. */
dropin_fortran *dropin_next_fortran(const void *caller);
dropin_c *dropin_next_c(const void *caller);

#endif
