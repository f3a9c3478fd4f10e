/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe.h - the tests of the probe: what a rank can tell about its node without
 * measuring, how fast it computes, and how long messages take.
 */
#ifndef MT_PROBE_PROBE_H
#define MT_PROBE_PROBE_H

#include "apps/common/work.h"
#include "timing.h"

#define PROBE_NAME "motley-probe"

enum { FACTS_TEXT = 256 };

/* Plain bytes, as they are sent to rank 0. */
struct facts {
    char host[FACTS_TEXT];
    char mpi[FACTS_TEXT]; /* the library's name and version */
    int cores;            /* that this rank may use; 0: unknown, as in a simulator */
    double load;          /* mean of the last minute; NAN: unknown */
};

/* Those of all ranks, on rank 0, which frees them; NULL on the others. */
struct facts *facts_gather(void);

struct speed {
    double flops; /* per second, of a small matrix product that stays in the cache */
    double bandwidth; /* bytes per second, of a sum of vectors beyond the caches */
};

/* How fast a rank computes while all others do the same. Called by all ranks; returns
   the calling one's. */
struct speed compute(const struct work_node *node);

/* Two ranks that send each other messages. */
struct pair {
    int from, to;
};

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
