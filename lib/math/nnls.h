/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nnls.h - least squares with non-negative unknowns: the active-set method of
 * Lawson and Hanson (Solving Least Squares Problems, 1974, chapter 23).
 */
#ifndef MT_NNLS_H
#define MT_NNLS_H

#include "motley/error.h"

/*
 * Solve min |A x - b| over x >= 0, where `triangle` holds [A b], upper triangular, by
 * columns: `unknowns` + 1 of them, leading dimension `ld`. On entry x is where to
 * start: zeros, or the solution of a similar problem, which saves steps. A's columns
 * should be of similar length. Columns that depend on others are left out (their
 * unknowns are 0), so there is always a solution.
 */
MT_MUST_CHECK int mt_nnls(const double *triangle, int ld, int unknowns, double *x,
                          struct mt_error *err);

#endif
