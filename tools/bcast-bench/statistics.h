/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * statistics.h - what many calls come to. Pure.
 */
#ifndef MT_BENCH_STATISTICS_H
#define MT_BENCH_STATISTICS_H

/* The middle of some values, and the range that holds four fifths of them. */
struct spread {
    double median, p10, p90;
};

/* The values are sorted; at least one. Between two of them it is interpolated. */
struct spread spread_of(double *values, int count);
double mean_of(const double *values, int count);

/*
 * The first of the values from which on they stay within 10 % above `level`; a single
 * one that does not is let pass. `count`: they never do.
 */
int settled_after(const double *values, int count, double level);

#endif
