/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message.h - a message as the program describes it, and as the bytes that all ranks
 * agree on, whatever their types.
 */
#ifndef MT_BALANCE_MESSAGE_H
#define MT_BALANCE_MESSAGE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

struct message {
    void *buffer;
    MPI_Count count;
    MPI_Datatype type;
    size_t bytes; /* the same on all ranks, whatever their types */
};

/* The buffer holds just these bytes: an array of a basic type without gaps. */
bool message_is_plain(MPI_Datatype type);
/* The bytes of a basic type that this thread has just asked message_is_plain() for; 0:
   of any other. Costs nothing. */
size_t message_known_size(MPI_Datatype type);

/* Between the message's buffer and message->bytes of packed ones, at most
   MESSAGE_MOST_BYTES. MPI_ERR_INTERN: the MPI does not pack into that many. `comm` is a
   context's. */
int message_pack(const struct message *message, char *packed, MPI_Comm comm);
int message_unpack(const struct message *message, char *packed, MPI_Comm comm);

#endif
