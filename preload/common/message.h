/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message.h - a message as the program describes it, and as the bytes that all ranks
 * agree on, whatever their types; one call of MPI_Bcast, and its times on this rank.
 *
 * Times are local durations in nanoseconds: clocks of different ranks are never
 * compared.
 */
#ifndef MT_BALANCE_MESSAGE_H
#define MT_BALANCE_MESSAGE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct message {
    void *buffer;
    MPI_Count count;
    MPI_Datatype type;
    size_t bytes; /* the same on all ranks, whatever their types */
};

struct bcast_call {
    struct message message;
    int root;
    const void *site; /* return address in the program */
};

struct bcast_timing {
    int64_t waited;  /* from entering the call until the message, or its first segment,
                        had arrived; 0 at the root */
    int64_t in_call; /* from entering to leaving */
};

/* Time in ns. MPI_Wtime takes longer than the system's clock; the simulator's time is
   its own. */
static inline int64_t now(void)
{
#ifdef SMPI_H
    return (int64_t)(PMPI_Wtime() * 1e9);
#else
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
#endif
}

/*
 * Memory for the packed bytes of one message.
 *
 * It is allocated when a call needs it. A rank without memory must still take part in
 * the call, as the others wait for it, so a reserve is allocated in MPI_Init, where all
 * ranks agree that each has it.
 */
/* Larger messages are left to the MPI; the reserve has room for all others. */
#define MESSAGE_MOST_BYTES ((size_t)64 << 20)

/* Once the MPI runs; false: memory is short, or the MPI refused. */
bool messages_begin(void);
void messages_end(void);

/* Room for at most MESSAGE_MOST_BYTES. NULL: memory is short, and another thread has
   the reserve. */
char *room_get(size_t bytes);
/* NULL is allowed. */
void room_put(char *room);

/* The bytes of a call's message among `size` ranks, or 0 if it is empty, too long, or
   an argument is wrong. Then the call is left to the MPI, which raises its own
   errors. */
size_t message_check(const struct message *message, int root, int size);

/* The buffer holds just these bytes: an array of a basic type without gaps. */
bool message_is_plain(MPI_Datatype type);
/* The bytes of the basic type of this thread's last message_is_plain(); 0: of any
   other. Costs nothing. */
size_t message_known_size(MPI_Datatype type);

/* Between the message's buffer and message->bytes of packed ones, at most
   MESSAGE_MOST_BYTES. MPI_ERR_INTERN: the MPI does not pack into that many. `comm` is a
   context's. */
int message_pack(const struct message *message, char *packed, MPI_Comm comm);
int message_unpack(const struct message *message, char *packed, MPI_Comm comm);

#endif
