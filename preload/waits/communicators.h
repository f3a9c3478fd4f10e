/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * communicators.h - what all ranks of a communicator of the program's know of it, and
 * of its collective calls, without a message.
 */
#ifndef MT_BALANCE_COMMUNICATORS_H
#define MT_BALANCE_COMMUNICATORS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct communicator {
    int rank, size;   /* of an intercommunicator size is 0 */
    int *world;       /* owned; [size] ranks in MPI_COMM_WORLD, -1: not there */
    uint64_t id;      /* the same on all its ranks; 0: no collective call yet */
    int64_t calls;    /* collective ones */
    int64_t together; /* when this rank last left a call with all of its ranks, ns; 0:
                         it has not yet */
};

/* Once the MPI runs. False: the MPI has refused. */
bool communicators_begin(void);
/* As the MPI ends. */
void communicators_end(void);
/* NULL: none, or memory is short. It goes with the communicator. */
struct communicator *communicator_of(MPI_Comm comm);
/* A key for its next collective call: the same on all its ranks, not NO_KEY, and
   without a pattern. */
uint64_t communicator_next(struct communicator *communicator);

#endif
