/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regression.h - a linear least-squares problem whose rows are runs: solved once for
 * its unknowns, and again without the larger sizes and P, to see how well the runs
 * left out are predicted.
 */
#ifndef MT_REGRESSION_H
#define MT_REGRESSION_H

#include "motley/error.h"

/* Where a row comes from. */
struct mt_row {
    int model; /* that it is an run of, 0 .. nmodels - 1 */
    double size;
    int ranks;
};

struct mt_regression {
    int nmodels;
    int nrows, unknowns;
    struct mt_row *rows; /* owned */
    double *matrix;      /* owned; row by row, each `unknowns` values and the seconds */
};

/* What is known of a model's error, relative and root mean square. */
struct mt_fit_error {
    double residual;
    double cross_validated; /* see struct mt_model */
};

/* Make room for `nrows` rows, all zero. `regression` must be empty. */
MT_MUST_CHECK int mt_regression_init(struct mt_regression *regression, int nmodels,
                                     int nrows, int unknowns, struct mt_error *err);
void mt_regression_clear(struct mt_regression *regression);

/* Row i: `unknowns` values, then the seconds. */
double *mt_regression_row(const struct mt_regression *regression, int i);

/*
 * Solve the regression: the sum of the squared differences in seconds is the least.
 * MT_ERANK, with the number of unknowns that are determined, when that is not all.
 * MT_EINVAL when values are not finite, or do not stay so. x receives `unknowns`
 * values, errors one entry a model.
 */
MT_MUST_CHECK int mt_regression_solve(const struct mt_regression *regression, double *x,
                                      struct mt_fit_error *errors,
                                      struct mt_error *err);

#endif
