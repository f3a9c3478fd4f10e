/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tally.h - over the arrival patterns of one size with somebody late: how often a way
 * is better or worse than stock in the mean time in the call. Pure.
 */
#ifndef MT_BENCH_TALLY_H
#define MT_BENCH_TALLY_H

struct tally {
    int patterns;
    int better, worse; /* below 0.95 times stock's, above 1.05 times */
    double highest;    /* ratio to stock's */
};

/* Count one pattern in: a way's time and stock's. */
void tally_add(struct tally *tally, double seconds, double stock);

#endif
