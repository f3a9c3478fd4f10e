/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe.h - the tests of the probe: a rank's report on its node, its speed, and the
 * times of messages.
 */
#ifndef MT_PROBE_PROBE_H
#define MT_PROBE_PROBE_H

#include "apps/common/work.h"

#include <net/if.h>
#include <stdbool.h>

#define PROBE_NAME "motley-probe"

/*
 * The messages to time, the number of repeats, and the statistics (timing.c). Several
 * sweeps over the sizes, with a few repeats of each, keep a short disturbance from
 * affecting a single size.
 */

enum { TIMING_MOST_SIZES = 96, TIMING_SWEEPS = 3, TIMING_MOST_REPEATS = 99 };

/* The messages of one size. */
struct timing {
    int bytes;
    double least, median; /* seconds */
    bool between;         /* not one of timing_sizes(): times jump near it */
};

/* The samples of a timing; zeroed is empty. */
struct samples {
    double seconds[TIMING_MOST_REPEATS];
    int repeats;
};

/* 1, 2, 3, 4, 6, 8, 12 ... bytes, up to `max_bytes`. Returns how many. */
int timing_sizes(int sizes[TIMING_MOST_SIZES], int max_bytes);
/* A size between two of the timings, which are sorted by size, where times jump, that
   is, do not continue as before. 0: no jump, all located well enough, or no room
   left. */
int timing_between(const struct timing *timings, int count);
/* Insert the timing in the order of sizes. */
void timing_insert(struct timing *timings, int count, const struct timing *timing);
/* Whether `repeats` repeats of a size, which took `seconds` together, are enough for a
   sweep. One is enough in a deterministic simulator. */
bool timing_enough(int repeats, double seconds);
/* There is room for as many as timing_enough() wants in all sweeps. */
void samples_add(struct samples *samples, double seconds);
/* Sorts the samples, at least one. */
struct timing samples_timing(struct samples *samples, int bytes);

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

/* Bytes that the network interfaces of this node have sent. */
struct sent;
/* Until now; the caller frees it. */
struct sent *sent_read(void);

/* Plain bytes, as they are sent to rank 0. Unknown numbers are NAN. */
struct network {
    char interface[IF_NAMESIZE]; /* interface of messages; "": unknown, as in a
                                    simulator or between ranks of one node */
    double mtu;                  /* bytes */
    double eager;                /* bytes of the longest message that does not wait for
                                    its receiver, by the MPI's variable */
    double buffer;               /* bytes of a TCP connection's, if the MPI sets it */
};

/* The calling rank's: the interface that has sent the most since `before`, at least
   `least` bytes. */
struct network network_find(const struct sent *before, double least);

struct speed {
    double flops; /* per second, of a small matrix product that stays in the cache */
    double bandwidth; /* bytes per second, of a sum of vectors beyond the caches */
};

/* A rank's speed while all others compute, too. Called by all ranks; returns the
   calling one's. */
struct speed compute(const struct work_node *node);

/* Two ranks that send each other messages. */
struct pair {
    int from, to;
};

/*
 * Time half a round trip for each size up to `max_bytes`, and for sizes in between
 * where times jump. Called by all ranks; returns the number of timings on rank 0, and 0
 * on the others.
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
