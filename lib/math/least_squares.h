/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * least_squares.h - least squares by QR and Cholesky's factorisation with LAPACK.
 * Matrices are stored by columns, as LAPACK wants them.
 */
#ifndef MT_LEAST_SQUARES_H
#define MT_LEAST_SQUARES_H

#include "motley/error.h"

/*
 * Replace the leading rows of a matrix (`rows` x `columns`, rows >= columns, leading
 * dimension `ld`) by the triangle R of its QR factorization, and the rows below by
 * zeros. Later rows can be put below R and reduced in the same way.
 */
MT_MUST_CHECK int mt_reduce_to_triangle(double *matrix, int ld, int rows, int columns,
                                        struct mt_error *err);

/*
 * Solve min |A x - b| without constraints, where `triangle` holds [A b] as
 * mt_reduce_to_triangle() leaves it: `unknowns` + 1 columns, leading dimension `ld`.
 * `rank` receives how many unknowns are determined; x is the solution only if all are
 * determined. A's columns should be of similar length.
 */
MT_MUST_CHECK int mt_solve_least_squares(const double *triangle, int ld, int unknowns,
                                         double *x, int *rank, struct mt_error *err);

/*
 * Replace the lower triangle of a symmetric positive definite matrix of order n by its
 * Cholesky factor L. MT_ERANK when it is not positive definite.
 */
MT_MUST_CHECK int mt_factor_cholesky(double *matrix, int n, struct mt_error *err);
/* Solve L L^T x = b in place. MT_EINVAL when b is not finite. */
MT_MUST_CHECK int mt_solve_cholesky(const double *factor, int n, double *x,
                                    struct mt_error *err);

#endif
