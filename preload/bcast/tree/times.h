/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times.h - arithmetic on times. No sum of them can overflow: all times are within
 * +-FOREVER, where plus() and repeated() stop.
 */
#ifndef MT_BALANCE_TIMES_H
#define MT_BALANCE_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#define FOREVER (INT64_MAX / 4)

static inline int64_t within_bounds(int64_t time)
{
    return time > FOREVER ? FOREVER : time < -FOREVER ? -FOREVER : time;
}

static inline int64_t plus(int64_t a, int64_t b)
{
    return within_bounds(a + b);
}

static inline int64_t repeated(int64_t factor, int64_t time)
{
    int64_t product;
    return __builtin_mul_overflow(factor, time, &product) ? FOREVER
                                                          : within_bounds(product);
}

static inline int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Something happens to a rank; ordered by time, then by rank. */
struct event {
    int64_t time;
    int rank;
};

static inline bool before(struct event a, struct event b)
{
    return a.time < b.time || (a.time == b.time && a.rank < b.rank);
}

#endif
