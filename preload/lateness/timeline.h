/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.h - the waiting of a rank over the time of its run, in a fixed number of
 * intervals, whose width doubles as the run goes on. A zeroed one is empty.
 */
#ifndef MT_BALANCE_TIMELINE_H
#define MT_BALANCE_TIMELINE_H

#include <stdint.h>

enum { INTERVALS = 64 };

struct timeline {
    int doubled;               /* how often the width was, from about 1 ms */
    int64_t waited[INTERVALS]; /* ns */
};

/* The width of an interval, ns. */
int64_t timeline_width(const struct timeline *timeline);
/* So much waiting, evenly from a time on, in ns from the begin, for a length > 0. */
void timeline_add(struct timeline *timeline, int64_t from, int64_t length,
                  int64_t waited);
/* Its begin was so much later than is counted from now on. */
void timeline_shift(struct timeline *timeline, int64_t later);
/* Double the width until it is that often doubled. */
void timeline_widen(struct timeline *timeline, int doubled);

#endif
