/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * facts.h - what a rank can tell about its node without measuring.
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

#endif
