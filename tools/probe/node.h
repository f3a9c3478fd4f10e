/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node.h - what a rank can tell about its node: without measuring; how far its clock is
 * ahead of rank 0's; and how fast it computes.
 *
 * Clocks are compared by Cristian's method: rank 0 asks, the other answers with its
 * time, which lies between the question and the answer. The quickest of several answers
 * tells most.
 */
#ifndef MT_PROBE_NODE_H
#define MT_PROBE_NODE_H

#include "apps/common/work.h"

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

/* A rank's clock beside rank 0's: seconds; NAN: unknown, as in a simulator, which has
   none. */
struct clock {
    double ahead, error; /* surely between ahead - error and ahead + error */
};

/* Rank 0's own. */
struct clock clock_own(void);
/* On rank 0: ask another rank. */
struct clock clock_ask(int rank);
/* On the other rank, at the same time. */
void clock_answer(void);

struct speed {
    double flops; /* per second, of a small matrix product that stays in the cache */
    double bandwidth; /* bytes per second, of a sum of vectors beyond the caches */
    double watts; /* of its node's processors when all cores are busy; NAN: unknown */
};

/* How fast a rank computes while all others do the same. Called by all ranks; returns
   the calling one's. */
struct speed compute(const struct work_node *node);

#endif
