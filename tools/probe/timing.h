/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timing.h - which messages are timed, how often, and what the times come to.
 *
 * Sizes are gone through in several sweeps, with a few repeats of each size: what
 * disturbs the machine for a moment is not held against one size then.
 */
#ifndef MT_PROBE_TIMING_H
#define MT_PROBE_TIMING_H

#include <stdbool.h>

enum { TIMING_MOST_SIZES = 96, TIMING_SWEEPS = 3, TIMING_MOST_REPEATS = 99 };

/* Of the messages of one size. */
struct timing {
    int bytes;
    double least, median; /* seconds */
    bool between;         /* not one of timing_sizes(): times jump near it */
};

/* What a timing is made from; zeroed is empty. */
struct samples {
    double seconds[TIMING_MOST_REPEATS];
    int repeats;
};

/* 1, 2, 3, 4, 6, 8, 12 ... bytes, up to `max_bytes`. Returns how many. */
int timing_sizes(int sizes[TIMING_MOST_SIZES], int max_bytes);
/* A size between two of the timings, which are sorted by size, where times jump: beyond
   they do not go on as before. 0: there is none, or what is known is close enough, or
   there is no room for more. */
int timing_between(const struct timing *timings, int count);
/* Put the timing, of a size between others, where it belongs. */
void timing_insert(struct timing *timings, int count, const struct timing *timing);
/* Whether so many repeats of a size, which took so many seconds together, are enough
   for a sweep. A simulator repeats itself: there one is. */
bool timing_enough(int repeats, double seconds);
/* All sweeps have room for as many as timing_enough() wants. */
void samples_add(struct samples *samples, double seconds);
/* Sorts what was added, at least one. */
struct timing samples_timing(struct samples *samples, int bytes);

#endif
