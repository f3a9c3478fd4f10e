/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outcome.h - what the calls of one way took, and what they come to. Pure.
 */
#ifndef MT_BENCH_OUTCOME_H
#define MT_BENCH_OUTCOME_H

/* The middle of some values, and the range that holds four fifths of them. */
struct spread {
    double median, p10, p90;
};

/* The values are sorted; at least one. Between two of them it is interpolated. */
struct spread spread_of(double *values, int count);

/*
 * The first of the values from which on they stay within 10 % above `level`; a single
 * one that does not is let pass. `count`: they never do.
 */
int settled_after(const double *values, int count, double level);

/* What the calls of one way took, repetition after repetition. The arrays are owned.
 */
struct series {
    int calls, repetitions;
    int warm_up; /* first calls of each repetition that are not counted */
    int wrong;   /* ranks and calls with wrong data */
    double
        *in_call; /* [repetitions * calls] seconds in the call, mean over the ranks */
    double *longest; /* of the rank that was in it the longest */
    double *overall; /* from the first rank's start to the last one's end */
    double *wall;    /* [repetitions] seconds of the loop of calls */
    double *scratch; /* [(repetitions + 1) * calls] */
};

/* 0, or -1 when memory is short, with `series` zeroed. */
int series_init(struct series *series, int calls, int repetitions, int warm_up);
void series_clear(struct series *series);

/* Where "learned" stands, only the last half of each repetition's calls count. */
enum metric {
    METRIC_IN_CALL, /* over the calls: seconds in the call, mean over the ranks */
    METRIC_IN_CALL_LEARNED,
    METRIC_IN_CALL_MEAN, /* over the repetitions: the mean of all calls */
    METRIC_OVERALL,
    METRIC_OVERALL_LEARNED,
    METRIC_LONGEST,
    METRIC_LONGEST_LEARNED,
    METRIC_WALL,   /* over the repetitions, and all calls */
    METRIC_ROUNDS, /* over the repetitions: calls until it is as good as learned */
    METRICS
};

struct outcome {
    struct spread metric[METRICS];
};

const char *metric_name(enum metric metric);
const char *metric_unit(enum metric metric);

void outcome_of(struct outcome *outcome, const struct series *series);

/* Over the arrival patterns of one size with somebody late: how often a way is better
   or worse than the native broadcast in the mean time in the call. */
struct tally {
    int patterns;
    int better, worse; /* below 0.95 times the native one, above 1.05 times */
    double highest;    /* ratio to it */
};

/* Count one pattern in: a way's time and the native one's. */
void tally_add(struct tally *tally, double seconds, double native);

#endif
