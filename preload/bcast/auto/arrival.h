/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arrival.h - when ranks enter a broadcast, read off how long each waits in it.
 *
 * A rank that waits came before its message: its arrival is known. One that hardly
 * waits came when the message lay there already: how late it was it cannot know, but
 * the ranks that it sends to waited for it. Each rank's lateness is thus its wait less
 * what it inherited from those above it in the tree. Times are local durations only.
 */
#ifndef MT_BALANCE_ARRIVAL_H
#define MT_BALANCE_ARRIVAL_H

#include "preload/bcast/tree/cost.h"

/* The wait of a rank that nothing was heard of. */
#define ARRIVAL_UNKNOWN (-1)

/*
 * Estimate when each rank enters a call, in ns after the root does, when a message of
 * `bytes` goes down `tree` and rank i waits `waited[i]` ns in it for its first bytes.
 * `ready` holds the last estimate and takes the new one: where the waits tell nothing -
 * a late leaf - the last one stays, as far as they do not speak against it.
 * 0, or -1 when memory is short, with `ready` left alone.
 */
int arrival_estimate(int64_t *ready, const int64_t *waited, const struct tree *tree,
                     const struct network *network, int root, size_t bytes);

#endif
