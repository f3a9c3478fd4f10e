/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * series.h - what the calls of one way took, repetition after repetition. Pure.
 */
#ifndef MT_BENCH_SERIES_H
#define MT_BENCH_SERIES_H

/* The arrays are owned. */
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

#endif
