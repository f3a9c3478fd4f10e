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
 * while that is still on its way: see exchange.h.
 */
#ifndef MT_BALANCE_TRANSFER_H
#define MT_BALANCE_TRANSFER_H

#include "exchange.h"
#include "preload/bcast/tree/tree.h"
#include "preload/common/call.h"

/*
 * Take part in a broadcast along `tree`, which all ranks share. MPI_SUCCESS, or the
 * MPI's error code, for the program's error handler. `timing` is filled in.
 */
int transfer_bcast(struct transfer *transfer, const struct message *message,
                   const struct tree *tree, struct bcast_timing *timing);

/* The same where the tree has a segment: each is sent on as soon as it has come.
   `arrived` is set when the first one has. In segments.c. */
int segments_bcast(struct transfer *transfer, const struct message *message,
                   const struct tree *tree, int64_t *arrived);

#endif
