/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * series.h - the times of one way's calls, and their statistics. Pure.
 */
#ifndef MT_BENCH_SERIES_H
#define MT_BENCH_SERIES_H

/* The median of some values, and the range of the middle four fifths. */
struct spread {
    double median, p10, p90;
};

/* Sorts the values, at least one; interpolates between two. */
struct spread spread_of(double *values, int count);

/*
 * The index from which the values stay within 10 % above `level`, except single ones.
 * `count`: never.
 */
int settled_after(const double *values, int count, double level);

/* The calls of one way, repetition after repetition. The arrays are owned. */
struct series {
    int calls, repetitions;
    int wrong;       /* ranks and calls with wrong data */
    double *in_call; /* [repetitions * calls] seconds in the call, mean over ranks */
    double *longest; /* of the rank that was in it the longest */
    double *overall; /* from the first rank's start to the last one's end */
    double *scratch; /* [(repetitions + 1) * calls] */
};

/* 0, or -1 when memory is short, with `series` zeroed. */
int series_init(struct series *series, int calls, int repetitions);
void series_clear(struct series *series);

/* "Learned" counts only the last half of each repetition's calls. */
enum metric {
    METRIC_IN_CALL, /* over the calls: seconds in the call, mean over the ranks */
    METRIC_IN_CALL_LEARNED,
    METRIC_IN_CALL_MEAN, /* over the repetitions: the mean of all calls */
    METRIC_OVERALL,
    METRIC_OVERALL_LEARNED,
    METRIC_LONGEST_LEARNED,
    METRIC_ROUNDS, /* over the repetitions: calls until it has learned */
    METRICS
};

const char *metric_name(enum metric metric);
struct spread series_spread(const struct series *series, enum metric metric);

#endif
