/* SPDX-License-Identifier: BSD-3-Clause */
#include "native.h"

#include "preload/wait/yielding.h"

#include <limits.h>
#include <stdlib.h>

#if MPI_VERSION < 4
/* MPI 4 has it, which we may run under. */
#pragma weak PMPI_Bcast_c
int PMPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root,
                 MPI_Comm comm);
#define yield_Bcast_c PMPI_Bcast_c
#endif

/* Only a call of MPI_Bcast_c counts so far that an int does not hold it; other ranks
   may count the same message in elements of another type. */
static int pass(const struct message *message, int root, MPI_Comm comm)
{
    if (message->count != (int)message->count)
        return yield_Bcast_c(message->buffer, message->count, message->type, root,
                             comm);
    return yield_Bcast(message->buffer, (int)message->count, message->type, root, comm);
}

#ifdef OPEN_MPI
static int bcast_bytes(void *buffer, size_t bytes, int root, MPI_Comm comm)
{
    return yield_Bcast(buffer, (int)bytes, MPI_BYTE, root, comm);
}

static int bcast_packed(const struct message *message, char *packed, int root,
                        MPI_Comm comm)
{
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    if (rank == root)
        return message_pack(message, packed, comm) == MPI_SUCCESS
                   ? bcast_bytes(packed, message->bytes, root, comm)
                   : pass(message, root, comm);
    const int status = bcast_bytes(packed, message->bytes, root, comm);
    return status == MPI_SUCCESS ? message_unpack(message, packed, comm) : status;
}

int native_bcast(const struct message *message, int root, MPI_Comm comm)
{
    if (message->bytes > INT_MAX)
        return pass(message, root, comm);
    if (message_is_plain(message->type))
        return bcast_bytes(message->buffer, message->bytes, root, comm);
    char *packed = malloc(message->bytes);
    if (!packed)
        return pass(message, root, comm);
    const int status = bcast_packed(message, packed, root, comm);
    free(packed);
    return status;
}
#else
int native_bcast(const struct message *message, int root, MPI_Comm comm)
{
    return pass(message, root, comm);
}
#endif
