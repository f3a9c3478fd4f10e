/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * messages.h - messages of growing size: between two ranks, while the others rest, and
 * between all at once.
 */
#ifndef MT_PROBE_MESSAGES_H
#define MT_PROBE_MESSAGES_H

#include "apps/common/work.h"
#include "options.h"
#include "timing.h"

/*
 * Time half of a round trip for each of the sizes up to `max_bytes`, and for sizes in
 * between where times jump. Called by all ranks; returns the number of timings on rank
 * 0, and 0 on the others.
 */
int pingpong(const struct work_node *node, const struct pair *pair, int max_bytes,
             struct timing timings[TIMING_MOST_SIZES]);

/*
 * Time all-to-all exchanges, from each rank's start to its end and on the slowest rank,
 * of 1, 2, 4 ... bytes to each rank, up to `max_bytes` and as long as a rank sends no
 * more than 4 MiB. Called by all ranks; returns the number of timings on rank 0, and 0
 * on the others.
 */
int alltoall(const struct work_node *node, int max_bytes,
             struct timing timings[TIMING_MOST_SIZES]);

#endif
