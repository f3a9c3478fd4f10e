/* SPDX-License-Identifier: BSD-3-Clause */
#include "arguments.h"

#include <limits.h>

static MPI_Comm self = MPI_COMM_NULL; /* errors are returned */

bool arguments_begin(void)
{
    if (self != MPI_COMM_NULL)
        return true;
    return PMPI_Comm_split(MPI_COMM_SELF, 0, 0, &self) == MPI_SUCCESS &&
           PMPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

void arguments_end(void)
{
    if (self != MPI_COMM_NULL)
        PMPI_Comm_free(&self);
}

/* MPI_IN_PLACE is refused by some MPIs, and taken for an address by others. Whatever
   else is wrong, such as a type that is not committed, a message to MPI_PROC_NULL
   shows. */
bool arguments_right_to_bcast(const struct message *message, int root, int size)
{
    const int count = message->count < INT_MAX ? (int)message->count : INT_MAX;
    return message->count >= 0 && root >= 0 && root < size &&
           message->buffer != MPI_IN_PLACE &&
           PMPI_Send(message->buffer, count, message->type, MPI_PROC_NULL, 0, self) ==
               MPI_SUCCESS;
}

/* In the other group of an intercommunicator. */
static bool has_peer(MPI_Comm comm, int peer)
{
    int between_groups = 0, size = 0;
    if (comm == MPI_COMM_NULL || self == MPI_COMM_NULL)
        return false;
    PMPI_Comm_test_inter(comm, &between_groups);
    if (between_groups)
        PMPI_Comm_remote_size(comm, &size);
    else
        PMPI_Comm_size(comm, &size);
    return peer == MPI_PROC_NULL || (peer >= 0 && peer < size);
}

bool arguments_right_to_send(const void *buffer, int count, MPI_Datatype type, int to,
                             int tag, MPI_Comm comm)
{
    return has_peer(comm, to) &&
           PMPI_Send(buffer, count, type, MPI_PROC_NULL, tag, self) == MPI_SUCCESS;
}

bool arguments_right_to_receive(void *buffer, int count, MPI_Datatype type, int from,
                                int tag, MPI_Comm comm)
{
    return has_peer(comm, from == MPI_ANY_SOURCE ? MPI_PROC_NULL : from) &&
           PMPI_Recv(buffer, count, type, MPI_PROC_NULL, tag, self,
                     MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

bool arguments_right_to_hold(void *buffer, int count, MPI_Datatype type)
{
    return self != MPI_COMM_NULL &&
           PMPI_Recv(buffer, count, type, MPI_PROC_NULL, MPI_ANY_TAG, self,
                     MPI_STATUS_IGNORE) == MPI_SUCCESS;
}
