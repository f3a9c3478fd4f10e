/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transfer.h - a message on its way along a tree; single messages between two ranks;
 * and what a communicator's transfers keep from call to call: the copies of messages
 * that their receivers may take late, and room for requests.
 *
 * A whole message travels in the types that its ranks gave: MPI matches their
 * signatures. A message in segments travels as packed bytes, never by count, because
 * ranks may describe the same message with different counts and types; only a plain
 * array of a basic type is sent from where it lies.
 *
 * A child that is expected late gets its message from a copy, and the call returns
 * while that is still on its way. One copy serves all late children of a broadcast. The
 * copies of a transfer take at most 64 MiB; beyond, late children are sent to like the
 * others, and so the program waits for them as it would without us.
 *
 * If the network does not read from the sender's memory by itself, a long copy makes
 * progress only while the program is in the MPI: a late rank may then wait until its
 * sender calls the MPI again.
 */
#ifndef MT_BALANCE_TRANSFER_H
#define MT_BALANCE_TRANSFER_H

#include "preload/bcast/tree/tree.h"
#include "preload/common/context.h"
#include "preload/common/message.h"
#include "preload/tuning.h"

#include <stdbool.h>
#include <stddef.h>

struct deferred;

/* A child in the tree, and the number of segments whose sends have begun. */
struct child {
    int rank;
    size_t sent;
};

/* A child served in turn. */
struct staggered_send {
    int child;
    bool ready, sent, done;
};

struct transfer {
    const struct context *context; /* borrowed */
    struct deferred *oldest;       /* owned; copies on their way, in order of age */
    struct deferred *newest;       /* borrowed; the last of them */
    size_t deferred_bytes;
    /* For the current call, owned: */
    MPI_Request *requests;        /* [AHEAD + FLIGHT size] */
    struct child *children;       /* [size] */
    MPI_Request *staggered;       /* [2 size] */
    struct staggered_send *sends; /* [size] */
};

/* 0, or -1 when memory is short on this rank: nothing else here allocates, except for
   the bytes of messages. The context must outlive it. */
int transfer_init(struct transfer *transfer, const struct context *context);

/* Release the copies that have been taken; never waits. */
void transfer_progress(struct transfer *transfer);
/* Wait until all copies have been taken, and release all memory; a zeroed one has none.
 */
int transfer_finish(struct transfer *transfer);

/*
 * Room for a message of `bytes`, released when `max_sends` sends from it have been
 * taken. NULL: it would exceed the limit, or memory is short.
 */
struct deferred *deferred_new(struct transfer *transfer, size_t bytes,
                              size_t max_sends);
/* The buffer to put the message into. */
char *deferred_data(struct deferred *deferred);
/* Send a part of it, as packed bytes. */
int deferred_send(struct deferred *deferred, size_t offset, int bytes, int child,
                  MPI_Comm comm);

/* `n` null requests, valid until the next call of this function; at most as many as
   there is room for. */
MPI_Request *requests_get(struct transfer *transfer, int n);
/* Wait for all of them, also after an error; the code of the first one. */
int requests_wait(MPI_Request *requests, int n);
/* After an error, cancel receives that no rank will answer... */
void requests_cancel(MPI_Request *requests, int n);
/* ... and abandon sends, which cannot be cancelled. */
void requests_abandon(MPI_Request *requests, int n);

/* Receive a message of any types, and one that was sent as packed bytes. */
int transfer_receive(const struct message *message, int from, MPI_Comm comm);
int transfer_receive_packed(const struct message *message, int from, MPI_Comm comm);
/* A receive of any types in two steps. Only the second step may use `request`, which is
   null if the first fails. Here, too, errors go to the handler of `comm`. */
int transfer_begin_receive(const struct message *message, int from, MPI_Comm comm,
                           MPI_Request *request);
int transfer_end_receive(MPI_Request *request, MPI_Datatype type);

/*
 * A rank that cannot receive a message that it has to forward, such as one too large
 * for its buffer, sends its children an empty one, so that they fail, too, instead of
 * waiting. No other message is empty.
 */
void transfer_fail_children(const struct context *context, const struct tree *tree);
/* After a receive, return MPI_ERR_TRUNCATE if it is this empty message. */
int transfer_check(MPI_Status *got, MPI_Datatype type);

/*
 * Take part in a broadcast along `tree`, which all ranks share. MPI_SUCCESS, or the
 * MPI's error code, for the program's error handler. `timing` is filled in.
 */
int transfer_bcast(struct transfer *transfer, const struct message *message,
                   const struct tree *tree, struct bcast_timing *timing);

/* The same if the tree has segments: each is forwarded as soon as it has arrived.
   `arrived` is set when the first one has. In segments.c. */
int segments_bcast(struct transfer *transfer, const struct message *message,
                   const struct tree *tree, int64_t *arrived);

#endif
