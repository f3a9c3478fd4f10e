/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * way.h - the rivals: ways to broadcast a message.
 */
#ifndef MT_BENCH_WAY_H
#define MT_BENCH_WAY_H

#include <mpi.h>
#include <stdbool.h>

enum way {
    WAY_BALANCE,  /* MPI_Bcast, whatever a preloaded or linked library makes of it */
    WAY_NATIVE,   /* the MPI's own: PMPI_Bcast */
    WAY_BINOMIAL, /* messages along MPICH's binomial tree */
    WAY_FLAT,     /* a message from the root to each rank */
    WAYS
};

const char *way_name(enum way way);
/* False: there is no way of that name. */
bool way_read(enum way *way, const char *name);

/* Broadcast bytes; `requests` is room for as many as the communicator has ranks. */
void way_broadcast(enum way way, void *buffer, int bytes, int root, MPI_Comm comm,
                   MPI_Request *requests);

#endif
