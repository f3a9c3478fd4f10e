/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outlier.h - which of several numbers that should be equal are not. NaN is no
 * number.
 */
#ifndef MT_CLI_CHECK_OUTLIER_H
#define MT_CLI_CHECK_OUTLIER_H

#include <stdbool.h>

/*
 * Mark in `out` the values further than `tolerance` from their median, which becomes
 * `*median`, and return how many there are. Two values that are further than that from
 * each other are both marked, as nobody knows which is wrong.
 */
int mt_outliers(bool *out, double *median, const double *values, int count,
                double tolerance);

/* Mark in `out` the values less than 1/factor of what most reach, which becomes `*most`
   and is, of two values, the larger. Returns how many there are. */
int mt_laggards(bool *out, double *most, const double *values, int count,
                double factor);

#endif
