/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libmotley-dgemm.so: computes a program's dgemm_ and cblas_dgemm by Strassen's method,
 * if that pays. All other calls go to the program's own BLAS unchanged, also wrong
 * ones, so that the BLAS reports them.
 */
#include "motley/strassen.h"
#include "next.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

dropin_fortran dgemm_;

/* A program cannot be here without a BLAS, unless it closed it. */
static _Noreturn void give_up(const char *name)
{
    fprintf(stderr, "motley-dgemm: no BLAS has '%s'\n", name);
    abort();
}

static bool pays(int m, int n, int k, double alpha, double beta)
{
    return alpha != 0 && m > 0 && n > 0 && k > 0 &&
           mt_strassen_levels(mt_strassen_tuned(), m, n, k, beta) > 0;
}

static bool is_transpose(CBLAS_TRANSPOSE transpose)
{
    return transpose == CblasNoTrans || transpose == CblasTrans ||
           transpose == CblasConjTrans;
}

static bool read_letter(CBLAS_TRANSPOSE *transpose, char letter)
{
    switch (letter) {
    case 'N':
    case 'n':
        *transpose = CblasNoTrans;
        return true;
    case 'T':
    case 't':
    case 'C':
    case 'c':
        *transpose = CblasTrans;
        return true;
    default:
        return false;
    }
}

/* The matrices of a call. */
struct dgemm_shape {
    CBLAS_TRANSPOSE transpose_a, transpose_b;
    int m, n, k, lda, ldb, ldc;
};

/* Whether the leading dimensions, by columns, are large enough. */
static bool spans(const struct dgemm_shape *x)
{
    return x->lda >= (x->transpose_a == CblasNoTrans ? x->m : x->k) &&
           x->ldb >= (x->transpose_b == CblasNoTrans ? x->k : x->n) && x->ldc >= x->m;
}

void dgemm_(const char *transpose_a, const char *transpose_b, const int *m,
            const int *n, const int *k, const double *alpha, const double *a,
            const int *lda, const double *b, const int *ldb, const double *beta,
            double *c, const int *ldc, size_t length_a, size_t length_b)
{
    CBLAS_TRANSPOSE first, second;
    dropin_fortran *next = dropin_next_fortran(__builtin_return_address(0));
    if (!next)
        give_up("dgemm_");
    if (read_letter(&first, *transpose_a) && read_letter(&second, *transpose_b) &&
        pays(*m, *n, *k, *alpha, *beta) &&
        spans(&(struct dgemm_shape){first, second, *m, *n, *k, *lda, *ldb, *ldc}))
        mt_strassen_dgemm(CblasColMajor, first, second, *m, *n, *k, *alpha, a, *lda, b,
                          *ldb, *beta, c, *ldc);
    else
        next(transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc,
             length_a, length_b);
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): as in cblas.h */
void cblas_dgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transpose_a,
                 CBLAS_TRANSPOSE transpose_b, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta,
                 double *c, int ldc)
{
    dropin_c *next = dropin_next_c(__builtin_return_address(0));
    if (!next)
        give_up("cblas_dgemm");
    dropin_next_fortran(__builtin_return_address(0)); /* of the lowest products */
    /* For row-major matrices, C^T = op(B)^T op(A)^T is a column-major product. */
    const struct dgemm_shape by_columns = {transpose_a, transpose_b, m,   n,
                                           k,           lda,         ldb, ldc};
    const struct dgemm_shape by_rows = {transpose_b, transpose_a, n,   m,
                                        k,           ldb,         lda, ldc};
    const bool fits = (layout == CblasColMajor && spans(&by_columns)) ||
                      (layout == CblasRowMajor && spans(&by_rows));
    if (is_transpose(transpose_a) && is_transpose(transpose_b) && fits &&
        pays(m, n, k, alpha, beta))
        mt_strassen_dgemm(layout, transpose_a, transpose_b, m, n, k, alpha, a, lda, b,
                          ldb, beta, c, ldc);
    else
        next(layout, transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, c,
             ldc);
}
