/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handlers.h - errors of requests that stand for a blocking call.
 *
 * The program knows nothing of these requests: their errors are to be raised on the
 * communicator of its call. MPICH raises those of messages on MPI_COMM_WORLD, and so
 * does Open MPI with those of collective calls.
 */
#ifndef MT_BALANCE_HANDLERS_H
#define MT_BALANCE_HANDLERS_H

#include <mpi.h>
#include <stdbool.h>

/* Whether it makes a difference on which of the two an error is raised. */
bool handlers_differ(MPI_Comm comm);

struct handlers {
    MPI_Errhandler of_comm, of_world;
};
/* Between these two calls errors on both communicators are returned and not raised.
   Another thread that holds handlers waits until they are released. */
void handlers_hold(struct handlers *held, MPI_Comm comm);
void handlers_release(struct handlers *held, MPI_Comm comm);

/* Wait for such a request. */
int handlers_wait(MPI_Request *request, MPI_Comm comm, MPI_Status *status);

#endif
