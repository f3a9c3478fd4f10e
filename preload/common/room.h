/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * room.h - memory for the packed bytes of one message.
 *
 * It is allocated when a call needs it. A rank that has none must not stay out of the
 * call, as the others wait for it, so a reserve is made in MPI_Init, where all ranks
 * agree that each has it.
 */
#ifndef MT_BALANCE_ROOM_H
#define MT_BALANCE_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/* Larger messages are the MPI's: the reserve has room for any other. */
#define MESSAGE_MOST_BYTES ((size_t)64 << 20)

/* False: memory is short. */
bool room_begin(void);
void room_end(void);

/* Room for at most MESSAGE_MOST_BYTES. NULL: memory is short, and another thread has
   the reserve. */
char *room_get(size_t bytes);
/* NULL is allowed. */
void room_put(char *room);

#endif
