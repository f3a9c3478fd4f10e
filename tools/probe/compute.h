/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compute.h - how fast a rank computes while all others do the same.
 */
#ifndef MT_PROBE_COMPUTE_H
#define MT_PROBE_COMPUTE_H

#include "apps/common/work.h"

struct speed {
    double flops; /* per second, of a small matrix product that stays in the cache */
    double bandwidth; /* bytes per second, of a sum of vectors beyond the caches */
};

/* Called by all ranks; returns the calling one's. */
struct speed compute(const struct work_node *node);

#endif
