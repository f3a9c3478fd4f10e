/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timing.h - which messages are timed, how often, and what the times come to.
 */
#ifndef MT_PROBE_TIMING_H
#define MT_PROBE_TIMING_H

#include <stdbool.h>

enum { TIMING_MOST_SIZES = 64, TIMING_MOST_REPEATS = 100 };

/* Of the messages of one size. */
struct timing {
    int bytes;
    double least, median; /* seconds */
};

/* 1, 2, 3, 4, 6, 8, 12 ... bytes, up to `max_bytes`. Returns how many. */
int timing_sizes(int sizes[TIMING_MOST_SIZES], int max_bytes);
/* Whether so many repeats, which took so many seconds together, are enough. A simulator
   repeats itself: there the fewest are. */
bool timing_enough(int repeats, double seconds);
/* Sorts the times; at least one. */
struct timing timing_of(int bytes, double *seconds, int repeats);
/* The middle one of the values, which are sorted. */
double median_of(double *values, int count);

#endif
