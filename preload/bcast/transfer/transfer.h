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

#include "preload/bcast/call.h"
#include "preload/bcast/context.h"
#include "preload/bcast/tree/tree.h"

struct deferred;

/* Zeroed but for the context, it has nothing on its way. */
struct transfer {
    const struct context *context;
    struct deferred *oldest; /* owned; copies on their way, in order of age */
    struct deferred *newest; /* borrowed; the last of them */
    size_t deferred_bytes;
    MPI_Request *requests; /* owned; for the call that is going on */
    int max_requests;
};

/*
 * Take part in a broadcast along `tree`, which all ranks share. MPI_SUCCESS, or the
 * MPI's error code, for the program's error handler. `timing` is filled in.
 */
int transfer_bcast(struct transfer *transfer, const struct call *call,
                   const struct tree *tree, struct timing *timing);

/* See which copies have been taken and release them; never waits. */
void transfer_progress(struct transfer *transfer);
/* Wait until all copies have been taken, and release all memory. */
int transfer_finish(struct transfer *transfer);

#endif
