/* SPDX-License-Identifier: BSD-3-Clause */
#include "arguments.h"

#include <limits.h>

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

/* MPI_IN_PLACE is refused by some MPIs, and taken for an address by others. What else
   may be wrong, as a type that is not committed, shows in a message to nobody. */
bool arguments_right(const struct call *call, int size)
{
    const int count = call->count < INT_MAX ? (int)call->count : INT_MAX;
    return call->count >= 0 && call->root >= 0 && call->root < size &&
           call->buffer != MPI_IN_PLACE &&
           PMPI_Send(call->buffer, count, call->type, MPI_PROC_NULL, 0, self) ==
               MPI_SUCCESS;
}
