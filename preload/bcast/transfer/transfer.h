/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transfer.h - a message on its way along a tree.
 *
 * A whole message travels in the types that its ranks gave: MPI matches their
 * signatures. A message in segments travels as packed bytes, never by count, because
 * ranks may describe the same message with different counts and types; only a plain
 * array of a basic type is sent from where it lies.
 *
 * A child that is expected late gets its message from a copy, and the call returns
 * while that is still on its way: see deferred.h.
 */
#ifndef MT_BALANCE_TRANSFER_H
#define MT_BALANCE_TRANSFER_H

#include "deferred.h"
#include "preload/bcast/tree/tree.h"
#include "preload/common/call.h"

/*
 * Take part in a broadcast along `tree`, which all ranks share. MPI_SUCCESS, or the
 * MPI's error code, for the program's error handler. `timing` is filled in.
 */
int transfer_bcast(struct transfer *transfer, const struct message *message,
                   const struct tree *tree, struct bcast_timing *timing);

/* Receive a message of any types, and one that was sent as packed bytes. */
int transfer_receive(const struct message *message, int from, MPI_Comm comm);
int transfer_receive_packed(const struct message *message, int from, MPI_Comm comm);
/* The first in two steps. `request` is for the second alone, and null if the first
   fails. Here, too, errors go to the handler of `comm`. */
int transfer_begin_receive(const struct message *message, int from, MPI_Comm comm,
                           MPI_Request *request);
int transfer_end_receive(MPI_Request *request, MPI_Datatype type);

/* The same where the tree has a segment: each is sent on as soon as it has come.
   `arrived` is set when the first one has. In segments.c. */
int segments_bcast(struct transfer *transfer, const struct message *message,
                   const struct tree *tree, int64_t *arrived);

/*
 * A rank that fails to receive a message that it is to pass on, such as one that it has
 * too small a buffer for, sends its children an empty one: they fail, too, rather than
 * wait. No other message is empty.
 */
void transfer_fail_children(const struct context *context, const struct tree *tree);
/* After a receive: MPI_ERR_TRUNCATE if it is such a message. */
int transfer_check(MPI_Status *got, MPI_Datatype type);

#endif
