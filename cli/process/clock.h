/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock.h - seconds on a clock that never jumps.
 */
#ifndef MT_CLI_CLOCK_H
#define MT_CLI_CLOCK_H

double mt_clock(void);

#endif
