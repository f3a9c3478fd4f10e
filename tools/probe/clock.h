/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock.h - how far the nodes' clocks are apart, by Cristian's method: the other's
 * clock is read by a message and its answer, and was read between the two; the quickest
 * answer of several tells most.
 */
#ifndef MT_PROBE_CLOCK_H
#define MT_PROBE_CLOCK_H

/* A rank's clock beside rank 0's: seconds; NAN: unknown, as in a simulator, which has
   none. */
struct clock {
    double ahead, error; /* surely between ahead - error and ahead + error */
};

/* Rank 0's own. */
struct clock clock_own(void);
/* On rank 0: ask another rank. */
struct clock clock_ask(int rank);
/* On the other rank, at the same time. */
void clock_answer(void);

#endif
