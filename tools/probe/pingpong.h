/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pingpong.h - messages of growing size between two ranks, while the others rest.
 */
#ifndef MT_PROBE_PINGPONG_H
#define MT_PROBE_PINGPONG_H

#include "apps/common/work.h"
#include "options.h"
#include "timing.h"

/*
 * Time half of a round trip for each of the sizes up to `max_bytes`. Called by all
 * ranks; returns the number of timings on rank 0, and 0 on the others.
 */
int pingpong(const struct work_node *node, const struct pair *pair, int max_bytes,
             struct timing timings[TIMING_MOST_SIZES]);

#endif
