/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen.h - libmotley-strassen: the product of matrices by Strassen's method
 * (Winograd's variant), with the whole interface of the BLAS's dgemm, over any CBLAS.
 *
 * The product is cut in halves as long as that pays (see tuning.h); odd rows and
 * columns are peeled off. Each level takes 7/8 of the operations. The error grows with
 * the levels: see motley-strassen(3). No MPI. Products of the lowest level use the
 * BLAS's threads, and sums as many, if there are cores for them. Safe to be called from
 * several threads at once.
 */
#ifndef MT_STRASSEN_H
#define MT_STRASSEN_H

#include "motley/tuning.h"

#include <cblas.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How to make a product. Zeroed: as tuned, in memory of its own. */
struct mt_strassen_how {
    const struct mt_strassen_tuning *tuning; /* borrowed; NULL: mt_strassen_tuned() */
    const int *levels; /* borrowed; number of levels, limited only by the sizes, in
                          place of the tuned one; below 0 means 0; NULL: as tuned */
    double *workspace; /* borrowed; NULL: the library's own, which it keeps for the next
                          call */
    size_t room;       /* of the workspace, doubles */
};

enum mt_strassen_status {
    MT_STRASSEN_OK = 0,
    MT_STRASSEN_NO_ROOM = -1, /* the workspace is smaller than
                                 mt_strassen_workspace() says; C is unchanged */
    MT_STRASSEN_WRONG = -2    /* an argument is wrong: the BLAS was given the call and
                                 has said which (its cblas_xerbla); C is unchanged */
};

/* Doubles of workspace that mt_strassen_dgemm_with() needs for these sizes: up to about
   2/3 of m k + k n, and less than 7/10 of m n + m k + k n. 0: none. Only whether `beta`
   is 0 matters. As tuned, the number depends on the BLAS's threads. */
size_t mt_strassen_workspace(const struct mt_strassen_how *how, int m, int n, int k,
                             double beta);

/*
 * C = alpha op(A) op(B) + beta C, as cblas_dgemm. If memory for its own workspace is
 * short, it takes fewer levels. It adds quarters of A, of B and, unless beta is 0, of
 * C, so errors scale with the largest elements of each. NaN and infinities in A, B and
 * C reach C wherever they do in dgemm; Strassen's sums carry them to other rows and
 * columns of C as well, unless the tuning asks to look for them first. With beta 0, C
 * is not read.
 */
int mt_strassen_dgemm_with(const struct mt_strassen_how *how, CBLAS_LAYOUT layout,
                           CBLAS_TRANSPOSE transpose_a, CBLAS_TRANSPOSE transpose_b,
                           int m, int n, int k, double alpha, const double *a, int lda,
                           const double *b, int ldb, double beta, double *c, int ldc);
/* The same as tuned, in memory of its own. */
int mt_strassen_dgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transpose_a,
                      CBLAS_TRANSPOSE transpose_b, int m, int n, int k, double alpha,
                      const double *a, int lda, const double *b, int ldb, double beta,
                      double *c, int ldc);

/* The levels that the tuning gives a product. */
int mt_strassen_levels(const struct mt_strassen_tuning *tuning, int m, int n, int k,
                       double beta);

#ifdef __cplusplus
}
#endif

#endif
