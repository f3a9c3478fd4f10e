/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * samples.h - the times of some collective calls, the same calls on all ranks.
 *
 * Each call has a key without a pattern that all its ranks know without asking each
 * other. It falls into a slot, where the least key stays: so of the keys that any rank
 * keeps in a slot the least of all is kept by all ranks of that call. Up to a few
 * thousand calls nearly all are kept; of more, a random choice.
 */
#ifndef MT_BALANCE_SAMPLES_H
#define MT_BALANCE_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

enum { SAMPLES = 1 << 14 };
#define NO_KEY UINT64_MAX

struct sample {
    uint64_t key;   /* NO_KEY: the slot is empty */
    int64_t time;   /* ns in the call */
    int64_t before; /* as in arrivals.h */
    int64_t from;   /* ns from the begin of the rank's timeline */
    int site;       /* which one of the counts */
    int role;       /* see arrivals.h */
};

/* Empty; NULL when memory is short. The caller frees them. */
struct sample *samples_new(void);
void samples_put(struct sample *samples, const struct sample *sample);

#endif
