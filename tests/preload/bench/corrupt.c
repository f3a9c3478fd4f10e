/* SPDX-License-Identifier: BSD-3-Clause */
/* A broadcast, for preloading, that gives rank 1 a wrong last byte. */
#include <mpi.h>

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    int rank;
    const int code = PMPI_Bcast(buffer, count, type, root, comm);
    MPI_Comm_rank(comm, &rank);
    if (rank == 1)
        ((unsigned char *)buffer)[count - 1] ^= 1;
    return code;
}
