/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Medians and quantiles of the calls' times, over all calls and over those of the last
 * half of each repetition, after a library has learned.
 */
#include "series.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const double settled_tolerance = 1.1;

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, int count, double share)
{
    const double position = share * (count - 1);
    const int below = (int)floor(position);
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (position - below) * (sorted[below + 1] - sorted[below]);
}

struct spread spread_of(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return (struct spread){.median = quantile(values, count, 0.5),
                           .p10 = quantile(values, count, 0.1),
                           .p90 = quantile(values, count, 0.9)};
}

int settled_after(const double *values, int count, double level)
{
    bool later_is_worse = true; /* a bad last value counts as more than a single one */
    int settled = count;
    for (int i = count - 1; i >= 0; i--) {
        const bool worse = values[i] > settled_tolerance * level;
        if (worse && later_is_worse)
            break;
        if (!worse)
            settled = i;
        later_is_worse = worse;
    }
    return settled;
}

int series_init(struct series *series, int calls, int repetitions)
{
    const size_t all = (size_t)repetitions * (size_t)calls;
    *series = (struct series){
        .calls = calls,
        .repetitions = repetitions,
        .in_call = calloc(all, sizeof(double)),
        .longest = calloc(all, sizeof(double)),
        .overall = calloc(all, sizeof(double)),
        .scratch = calloc(all + (size_t)calls, sizeof(double)),
    };
    if (series->in_call && series->longest && series->overall && series->scratch)
        return 0;
    series_clear(series);
    return -1;
}

void series_clear(struct series *series)
{
    free(series->in_call);
    free(series->longest);
    free(series->overall);
    free(series->scratch);
    *series = (struct series){.calls = 0};
}

const char *metric_name(enum metric metric)
{
    static const char *const names[METRICS] = {
        [METRIC_IN_CALL] = "in call",
        [METRIC_IN_CALL_LEARNED] = "in call, learned",
        [METRIC_IN_CALL_MEAN] = "in call, mean",
        [METRIC_OVERALL] = "overall",
        [METRIC_OVERALL_LEARNED] = "overall, learned",
        [METRIC_LONGEST_LEARNED] = "longest, learned",
        [METRIC_ROUNDS] = "rounds",
    };
    return names[metric];
}

/* The spread of the calls from number `first` of each repetition on. */
static struct spread calls_spread(const struct series *series, const double *values,
                                  int first)
{
    const int kept = series->calls - first;
    for (int i = 0; i < series->repetitions; i++)
        memcpy(series->scratch + i * kept, values + i * series->calls + first,
               (size_t)kept * sizeof *values);
    return spread_of(series->scratch, series->repetitions * kept);
}

static struct spread means_spread(const struct series *series)
{
    for (int i = 0; i < series->repetitions; i++) {
        double sum = 0;
        for (int call = 0; call < series->calls; call++)
            sum += series->in_call[i * series->calls + call];
        series->scratch[i] = sum / series->calls;
    }
    return spread_of(series->scratch, series->repetitions);
}

/* Each repetition is compared with its own calls from number `learned` on. */
static struct spread rounds_spread(const struct series *series, int learned)
{
    const int later = series->calls - learned;
    double *rounds = series->scratch, *copy = rounds + series->repetitions;
    for (int i = 0; i < series->repetitions; i++) {
        const double *calls = series->in_call + i * series->calls;
        memcpy(copy, calls + learned, (size_t)later * sizeof *copy);
        rounds[i] = settled_after(calls, series->calls, spread_of(copy, later).median);
    }
    return spread_of(rounds, series->repetitions);
}

struct spread series_spread(const struct series *series, enum metric metric)
{
    const int learned = series->calls / 2;
    switch (metric) {
    case METRIC_IN_CALL:
        return calls_spread(series, series->in_call, 0);
    case METRIC_IN_CALL_LEARNED:
        return calls_spread(series, series->in_call, learned);
    case METRIC_IN_CALL_MEAN:
        return means_spread(series);
    case METRIC_OVERALL:
        return calls_spread(series, series->overall, 0);
    case METRIC_OVERALL_LEARNED:
        return calls_spread(series, series->overall, learned);
    case METRIC_LONGEST_LEARNED:
        return calls_spread(series, series->longest, learned);
    case METRIC_ROUNDS:
        return rounds_spread(series, learned);
    case METRICS:
        break;
    }
    return (struct spread){0};
}
