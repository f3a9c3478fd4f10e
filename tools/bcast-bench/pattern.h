/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pattern.h - who comes late to a broadcast: each rank's share of the longest delay.
 *
 * A rank's place counts from the root of the first call, which has place 0. Pure: every
 * rank computes the share of any rank at any call, and all come to the same.
 */
#ifndef MT_BENCH_PATTERN_H
#define MT_BENCH_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

enum pattern_kind {
    PATTERN_NONE,       /* nobody is late */
    PATTERN_ONE,        /* the rank at `place` */
    PATTERN_ASCENDING,  /* evenly, from none at the root to the last place */
    PATTERN_DESCENDING, /* evenly, from the root to none at the last place */
    PATTERN_BELL,       /* the places in the middle, the ones around them less */
    PATTERN_RANDOM      /* each by a share drawn for it */
};

struct pattern {
    enum pattern_kind kind;
    int place;  /* of one */
    int every;  /* random: the shares are drawn anew after so many calls; 0: never */
    int number; /* random: which of several patterns that are drawn by the same seed */
};

enum { PATTERN_TEXT = 32 };

/*
 * Read none, one:PLACE, ascending, descending, bell, random or random:CALLS. False when
 * it is none of them.
 */
bool pattern_read(struct pattern *pattern, const char *text);
/* The word that names it, and with a number `random#NUMBER`. */
void pattern_text(const struct pattern *pattern, char text[PATTERN_TEXT]);

/* By which part of the longest delay, from 0 to 1, the rank at `place` is late. */
double pattern_share(const struct pattern *pattern, uint64_t seed, int place, int ranks,
                     int call);

/*
 * The share of the longest delay for which the ranks wait for the root of a call in the
 * mean, were its message with them as soon as the root comes: no broadcast spares them
 * that.
 */
double pattern_wait_for_root(const struct pattern *pattern, uint64_t seed, int ranks,
                             int call);

#endif
