/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outcome.h - what the calls of one way come to. Pure.
 */
#ifndef MT_BENCH_OUTCOME_H
#define MT_BENCH_OUTCOME_H

#include "series.h"
#include "statistics.h"

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

#endif
