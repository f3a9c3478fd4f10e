/* SPDX-License-Identifier: BSD-3-Clause */
#include "arguments.h"

#include <limits.h>
#include <mpi.h>

static MPI_Comm self = MPI_COMM_NULL; /* errors are returned */

bool arguments_begin(void)
{
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
bool arguments_right(const struct message *message, int root, int size)
{
    const int count = message->count < INT_MAX ? (int)message->count : INT_MAX;
    return message->count >= 0 && root >= 0 && root < size &&
           message->buffer != MPI_IN_PLACE &&
           PMPI_Send(message->buffer, count, message->type, MPI_PROC_NULL, 0, self) ==
               MPI_SUCCESS;
}
