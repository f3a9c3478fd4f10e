/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deferred.h - copies of messages for children that are expected late.
 *
 * One copy serves all late children of a call. The copies of a transfer take at most
 * 64 MiB; beyond, late children are sent to like the others, and so the program waits
 * for them as it would without us.
 *
 * Where the network does not read from the sender's memory by itself, a long copy goes
 * on its way only while the program is in the MPI: a late rank may then wait until its
 * sender calls it again.
 */
#ifndef MT_BALANCE_DEFERRED_H
#define MT_BALANCE_DEFERRED_H

#include "transfer.h"

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

#endif
