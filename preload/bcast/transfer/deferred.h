/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deferred.h - what a communicator's transfers keep from call to call: the copies of
 * messages that their receivers may take late, and room for requests.
 *
 * One copy serves all late children of a broadcast. The copies of a transfer take at
 * most 64 MiB; beyond, late children are sent to like the others, and so the program
 * waits for them as it would without us.
 *
 * Where the network does not read from the sender's memory by itself, a long copy goes
 * on its way only while the program is in the MPI: a late rank may then wait until its
 * sender calls it again.
 */
#ifndef MT_BALANCE_DEFERRED_H
#define MT_BALANCE_DEFERRED_H

#include "preload/common/context.h"

#include <stddef.h>

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

/* See which copies have been taken and release them; never waits. */
void transfer_progress(struct transfer *transfer);
/* Wait until all copies have been taken, and release all memory. */
int transfer_finish(struct transfer *transfer);

/*
 * Room for a message of `bytes` that is on its way until `max_sends` sends from it have
 * been taken; released then. NULL: it would exceed the limit, or memory is short.
 */
struct deferred *deferred_new(struct transfer *transfer, size_t bytes,
                              size_t max_sends);
/* Where the message is to be put. */
char *deferred_data(struct deferred *deferred);
/* Send a part of it, as packed bytes. */
int deferred_send(struct deferred *deferred, size_t offset, int bytes, int child,
                  MPI_Comm comm);

/* `n` > 0 null requests, the transfer's own until the next such call; NULL: no memory.
 */
MPI_Request *requests_get(struct transfer *transfer, int n);
/* Wait for all of them, also after an error; the code of the first one. */
int requests_wait(MPI_Request *requests, int n);
/* After an error: withdraw receives that nobody will answer... */
void requests_cancel(MPI_Request *requests, int n);
/* ... and let go of sends, which cannot be withdrawn. */
void requests_abandon(MPI_Request *requests, int n);

#endif
