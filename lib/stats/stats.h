/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stats.h - medians and distributions.
 */
#ifndef MT_STATS_H
#define MT_STATS_H

/*
 * The median of `count` values, none of them NaN: the mean of the two middle ones of an
 * even number; NaN of none. The values are sorted in place.
 */
double mt_median(double *values, int count);

/* Ratio of the standard deviation to the median absolute deviation (MAD) of a normal
   distribution. */
extern const double mt_deviations_per_mad;

/* The probability of a value up to x of the standard normal distribution. */
double mt_normal_probability(double x);
/* The inverse, to 1e-9; from -10 to 10. */
double mt_normal_quantile(double probability);

/* The probability of a value up to x of Student's t distribution with `freedom` >= 1
   degrees of freedom. */
double mt_student_probability(double x, int freedom);

/* The inverse for a probability of at least 0.5, to 1e-9; at most 100. */
double mt_student_quantile(double probability, int freedom);

#endif
