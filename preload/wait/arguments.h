/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arguments.h - whether the MPI accepts the arguments of a call.
 *
 * The other ranks do not learn of a call that it refuses on one rank, so such a call
 * must not be counted.
 */
#ifndef MT_BALANCE_ARGUMENTS_H
#define MT_BALANCE_ARGUMENTS_H

#include "preload/common/message.h"

#include <stdbool.h>

/* Also when begun already. False: the MPI has refused. */
bool arguments_begin(void);
void arguments_end(void);

/* Of a broadcast from `root` over a communicator of `size` ranks; raises no error. */
bool arguments_right_to_bcast(const struct message *message, int root, int size);

/* Of a message. They raise no error, except for a communicator that has been freed. */
bool arguments_right_to_send(const void *buffer, int count, MPI_Datatype type, int to,
                             int tag, MPI_Comm comm);
bool arguments_right_to_receive(void *buffer, int count, MPI_Datatype type, int from,
                                int tag, MPI_Comm comm);
/* Of a message that has been matched already. */
bool arguments_right_to_hold(void *buffer, int count, MPI_Datatype type);

#endif
