/* SPDX-License-Identifier: BSD-3-Clause */
#include "outcome.h"

#include <string.h>

static const char *const names[METRICS] = {
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
    return names[metric];
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
