/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock.h - seconds on a clock that never jumps.
 */
#ifndef MT_CLI_CLOCK_H
#define MT_CLI_CLOCK_H

#include <time.h>

static inline double mt_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
