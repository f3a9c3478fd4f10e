/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * median.h - the middle of measured times: what a configuration's repetitions are
 * summed up by, wherever motley compares, fits or prints them.
 */
#ifndef MT_MEDIAN_H
#define MT_MEDIAN_H

/*
 * The median of `count` values, none of them NaN: of an even number, the mean of the
 * two in the middle; of none, NaN. The values are sorted in place.
 */
double mt_median(double *values, int count);

#endif
