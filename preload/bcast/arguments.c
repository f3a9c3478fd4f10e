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

/* Whatever is wrong with the message, such as a type that is not committed, one to
   MPI_PROC_NULL shows. */
static bool can_be_sent(const struct message *message)
{
    const int count = message->count < INT_MAX ? (int)message->count : INT_MAX;
    return PMPI_Send(message->buffer, count, message->type, MPI_PROC_NULL, 0, self) ==
           MPI_SUCCESS;
}

/* Of an element, in bytes; 0: not known. MPI 4.1 deprecates this name, but what MPICH 4
   built runs under MPIs of version 3, too, which do not have PMPI_Type_size_c. */
static MPI_Count type_size(MPI_Datatype type)
{
    MPI_Count size = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    const int status = PMPI_Type_size_x(type, &size);
#pragma GCC diagnostic pop
    return status == MPI_SUCCESS && size > 0 ? size : 0;
}

/* The bytes of an element; 0: the message cannot be sent. Most programs send messages
   of one basic type, which the MPI need not look at again. */
static size_t element_size(const struct message *message)
{
    const size_t known = message_known_size(message->type);
    if (known > 0 && message->buffer)
        return known;
    const MPI_Count size = can_be_sent(message) ? type_size(message->type) : 0;
    if (size == 0)
        return 0;
    message_is_plain(message->type);
    return (size_t)size;
}

/* MPI_IN_PLACE is refused by some MPIs, and taken for an address by others. */
size_t arguments_bytes(const struct message *message, int root, int size)
{
    size_t bytes;
    if (message->count < 0 || root < 0 || root >= size ||
        message->buffer == MPI_IN_PLACE ||
        __builtin_mul_overflow(element_size(message), (size_t)message->count, &bytes))
        return 0;
    return bytes;
}
