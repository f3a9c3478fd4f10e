/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench.h - what every benchmark includes: time something and its rival in turns, and
 * print one JSON object a line.
 */
#ifndef MT_BENCH_H
#define MT_BENCH_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BENCH_MAX_REPETITIONS = 101 };

/* What is compared. Names are words without quotes, for they go into JSON as they are.
 */
struct bench {
    const char *name;
    const char *unit;
    const char *rival; /* NULL: there is none */
    double target;     /* in the unit; 0: none */
    bool more_is_better;
};

/* One repetition: the measured value, in the bench's unit. */
typedef double bench_function(void *context);

static inline double bench_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds since some moment. */
static inline double bench_now(void)
{
    return bench_clock(CLOCK_MONOTONIC);
}

/* Processor seconds of this thread: for what only computes, as other processes that
   take turns with it do not count. */
static inline double bench_now_computing(void)
{
    return bench_clock(CLOCK_THREAD_CPUTIME_ID);
}

static inline int bench_compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The median of `count` values, which are sorted. */
static inline double bench_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, bench_compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* The value that only one of twenty is worse than; the values are sorted. */
static inline double bench_worst(const double *values, int count, bool more_is_better)
{
    const int beyond = (count - 1) / 20;
    return values[more_is_better ? beyond : count - 1 - beyond];
}

/*
 * Print the line: medians, ratio (above 1: better than the rival), whether the median
 * and the 95th percentile meet the target, and the spread, (largest - smallest) /
 * median of the values. The values are sorted; rival_values is not read when there is
 * no rival.
 */
static inline void bench_report(const struct bench *bench, double *values,
                                double *rival_values, int count)
{
    const double value = bench_median(values, count);
    const double worst = bench_worst(values, count, bench->more_is_better);
    printf("{\"bench\": \"%s\", \"value\": %.6g, \"unit\": \"%s\"", bench->name, value,
           bench->unit);
    if (bench->rival) {
        const double rival = bench_median(rival_values, count);
        printf(", \"rival\": \"%s\", \"rival_value\": %.6g, \"ratio\": %.4g",
               bench->rival, rival,
               bench->more_is_better ? value / rival : rival / value);
    } else {
        printf(", \"rival\": null, \"rival_value\": null, \"ratio\": null");
    }
    if (bench->target > 0) {
        const bool met =
            bench->more_is_better ? worst >= bench->target : worst <= bench->target;
        printf(", \"target\": %.6g, \"met\": %s", bench->target,
               met ? "true" : "false");
    } else {
        printf(", \"target\": null, \"met\": null");
    }
    printf(", \"p95\": %.6g", worst);
    printf(", \"spread\": %.3g}\n", (values[count - 1] - values[0]) / value);
    fflush(stdout);
}

/* Run ours and the rival's (NULL: none) in turns, `repetitions` times each, and print
   the line. */
static inline void bench_run(const struct bench *bench, bench_function *ours,
                             bench_function *rival, void *context, int repetitions)
{
    double values[BENCH_MAX_REPETITIONS], rival_values[BENCH_MAX_REPETITIONS];
    const int count =
        repetitions < BENCH_MAX_REPETITIONS ? repetitions : BENCH_MAX_REPETITIONS;
    for (int i = 0; i < count; i++) {
        values[i] = ours(context);
        rival_values[i] = rival ? rival(context) : 0;
    }
    bench_report(bench, values, rival_values, count);
}

#endif
