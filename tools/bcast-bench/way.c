/* SPDX-License-Identifier: BSD-3-Clause */
#include "way.h"

#include <string.h>

static const char *const names[WAYS] = {
    [WAY_BALANCE] = "balance",
    [WAY_NATIVE] = "stock", /* as users type it */
    [WAY_BINOMIAL] = "binomial",
    [WAY_FLAT] = "flat",
};

const char *way_name(enum way way)
{
    return names[way];
}

bool way_read(enum way *way, const char *name)
{
    for (int i = 0; i < WAYS; i++)
        if (strcmp(names[i], name) == 0) {
            *way = (enum way)i;
            return true;
        }
    return false;
}

/* MPI_Waitall() by turns: of the ignored statuses of MPICH, gcc 12 says that they are
   too small an array. */
static void wait_all(int count, MPI_Request *requests)
{
    for (int i = 0; i < count; i++)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
}

/* The parent of a virtual rank is the one without its lowest set bit; the largest
   subtree is sent to first. */
static void broadcast_binomial(void *buffer, int bytes, int root, MPI_Comm comm,
                               MPI_Request *requests)
{
    int rank, size, bit = 1, sent = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int virtual = (rank - root + size) % size;
    while (bit < size && !(virtual & bit))
        bit <<= 1;
    if (virtual > 0)
        MPI_Recv(buffer, bytes, MPI_BYTE, (virtual - bit + root) % size, 0, comm,
                 MPI_STATUS_IGNORE);
    for (bit >>= 1; bit > 0; bit >>= 1)
        if (virtual + bit < size)
            MPI_Isend(buffer, bytes, MPI_BYTE, (virtual + bit + root) % size, 0, comm,
                      &requests[sent++]);
    wait_all(sent, requests);
}

static void broadcast_flat(void *buffer, int bytes, int root, MPI_Comm comm,
                           MPI_Request *requests)
{
    int rank, size, sent = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (rank != root) {
        MPI_Recv(buffer, bytes, MPI_BYTE, root, 0, comm, MPI_STATUS_IGNORE);
        return;
    }
    for (int i = 1; i < size; i++)
        MPI_Isend(buffer, bytes, MPI_BYTE, (root + i) % size, 0, comm,
                  &requests[sent++]);
    wait_all(sent, requests);
}

void way_broadcast(enum way way, void *buffer, int bytes, int root, MPI_Comm comm,
                   MPI_Request *requests)
{
    switch (way) {
    case WAY_BALANCE:
        MPI_Bcast(buffer, bytes, MPI_BYTE, root, comm);
        break;
    case WAY_NATIVE:
        PMPI_Bcast(buffer, bytes, MPI_BYTE, root, comm);
        break;
    case WAY_BINOMIAL:
        broadcast_binomial(buffer, bytes, root, comm, requests);
        break;
    case WAY_FLAT:
        broadcast_flat(buffer, bytes, root, comm, requests);
        break;
    case WAYS:
        break;
    }
}
