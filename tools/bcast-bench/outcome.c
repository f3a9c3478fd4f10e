/* SPDX-License-Identifier: BSD-3-Clause */
#include "outcome.h"

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

static double mean_of(const double *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

int settled_after(const double *values, int count, double level)
{
    bool later_is_worse = true; /* the last value may not be the one that passes */
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

int series_init(struct series *series, int calls, int repetitions, int warm_up)
{
    const size_t all = (size_t)repetitions * (size_t)calls;
    *series = (struct series){
        .calls = calls,
        .repetitions = repetitions,
        .warm_up = warm_up,
        .in_call = calloc(all, sizeof(double)),
        .longest = calloc(all, sizeof(double)),
        .overall = calloc(all, sizeof(double)),
        .wall = calloc((size_t)repetitions, sizeof(double)),
        .scratch = calloc(all + (size_t)calls, sizeof(double)),
    };
    if (series->in_call && series->longest && series->overall && series->wall &&
        series->scratch)
        return 0;
    series_clear(series);
    return -1;
}

void series_clear(struct series *series)
{
    free(series->in_call);
    free(series->longest);
    free(series->overall);
    free(series->wall);
    free(series->scratch);
    *series = (struct series){.calls = 0};
}

static const char *const metric_names[METRICS] = {
    [METRIC_IN_CALL] = "in call",
    [METRIC_IN_CALL_LEARNED] = "in call, learned",
    [METRIC_IN_CALL_MEAN] = "in call, mean",
    [METRIC_OVERALL] = "overall",
    [METRIC_OVERALL_LEARNED] = "overall, learned",
    [METRIC_LONGEST] = "longest",
    [METRIC_LONGEST_LEARNED] = "longest, learned",
    [METRIC_WALL] = "wall",
    [METRIC_ROUNDS] = "rounds",
};

const char *metric_name(enum metric metric)
{
    return metric_names[metric];
}

const char *metric_unit(enum metric metric)
{
    return metric == METRIC_ROUNDS ? "calls" : "s";
}

/* The calls of a repetition from number `first` on. */
static const double *calls_of(const struct series *series, const double *values,
                              int repetition, int first)
{
    return values + (size_t)repetition * (size_t)series->calls + first;
}

/* Of these calls of all repetitions. */
static struct spread calls_spread(const struct series *series, const double *values,
                                  int first)
{
    const int kept = series->calls - first;
    double *copy = series->scratch;
    for (int i = 0; i < series->repetitions; i++, copy += kept)
        memcpy(copy, calls_of(series, values, i, first), (size_t)kept * sizeof *copy);
    return spread_of(series->scratch, series->repetitions * kept);
}

static struct spread means_spread(const struct series *series)
{
    const int first = series->warm_up;
    for (int i = 0; i < series->repetitions; i++)
        series->scratch[i] =
            mean_of(calls_of(series, series->in_call, i, first), series->calls - first);
    return spread_of(series->scratch, series->repetitions);
}

/* Each repetition is compared with its own calls from number `learned` on. */
static struct spread rounds_spread(const struct series *series, int learned)
{
    const int later = series->calls - learned;
    double *rounds = series->scratch, *copy = rounds + series->repetitions;
    for (int i = 0; i < series->repetitions; i++) {
        memcpy(copy, calls_of(series, series->in_call, i, learned),
               (size_t)later * sizeof *copy);
        rounds[i] = settled_after(calls_of(series, series->in_call, i, 0),
                                  series->calls, spread_of(copy, later).median);
    }
    return spread_of(rounds, series->repetitions);
}

static struct spread wall_spread(const struct series *series)
{
    memcpy(series->scratch, series->wall,
           (size_t)series->repetitions * sizeof *series->wall);
    return spread_of(series->scratch, series->repetitions);
}

void outcome_of(struct outcome *outcome, const struct series *series)
{
    const int first = series->warm_up, half = series->calls / 2;
    const int learned = first > half ? first : half;
    *outcome = (struct outcome){
        .metric = {
            [METRIC_IN_CALL] = calls_spread(series, series->in_call, first),
            [METRIC_IN_CALL_LEARNED] = calls_spread(series, series->in_call, learned),
            [METRIC_IN_CALL_MEAN] = means_spread(series),
            [METRIC_OVERALL] = calls_spread(series, series->overall, first),
            [METRIC_OVERALL_LEARNED] = calls_spread(series, series->overall, learned),
            [METRIC_LONGEST] = calls_spread(series, series->longest, first),
            [METRIC_LONGEST_LEARNED] = calls_spread(series, series->longest, learned),
            [METRIC_WALL] = wall_spread(series),
            [METRIC_ROUNDS] = rounds_spread(series, learned),
        }};
}

void tally_add(struct tally *tally, double seconds, double native)
{
    const double ratio = seconds / native;
    tally->patterns++;
    tally->better += ratio < 0.95;
    tally->worse += ratio > 1.05;
    if (ratio > tally->highest)
        tally->highest = ratio;
}
