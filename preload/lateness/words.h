/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * words.h - times, shares, nodes and call sites as people read them.
 */
#ifndef MT_BALANCE_WORDS_H
#define MT_BALANCE_WORDS_H

#include "findings.h"

/* Room for a number with its unit. */
struct text {
    char s[32];
};

/* Room for a call site. */
struct place {
    char s[160];
};

/* ns in the largest unit that they fill, as "1.2 ms". */
struct text in_time(int64_t ns);
struct text in_bytes(int64_t bytes);
struct text percent(int64_t part, int64_t whole);
/* By which a rank was late on average, when it was; ns. */
int64_t mean_lateness(const struct rank_lateness *late);
/* Without the domain, which nodes of a cluster have in common; an address stays. */
struct text short_node(const struct findings *findings, int rank);
/* The line and function, as far as they are known. */
struct place place_of(const struct site *site);

#endif
