/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * facts.h - what a rank can tell about its node without measuring; and how far the
 * nodes' clocks are apart, by Cristian's method: the other's clock is read by a message
 * and its answer, and was read between the two; the quickest answer of several tells
 * most.
 */
#ifndef MT_PROBE_FACTS_H
#define MT_PROBE_FACTS_H

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

#endif
