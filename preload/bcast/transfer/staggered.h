/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * staggered.h - long messages go to the children one after another.
 *
 * Messages that leave a node at the same time share its link, so all of them come late;
 * one after another, the first child has its message, and passes it on, while the
 * others wait. A child sends its parent an empty message (TAG_READY) when it has come;
 * the parent sends to those first, so that one that has not come holds up nobody.
 */
#ifndef MT_BALANCE_STAGGERED_H
#define MT_BALANCE_STAGGERED_H

#include "deferred.h"
#include "preload/bcast/tree/tree.h"
#include "preload/common/message.h"

#include <stdbool.h>

struct staggered {
    const struct context *context;
    const struct message *message;
    struct staggered_send *send; /* [n] borrowed; in the tree's order */
    int n, in_flight, moving;
    MPI_Request *requests; /* [2 n] borrowed; the sends, then what the children send */
};

/* Tell the parent that this rank has come, if sends of that many bytes are staggered.
 */
int staggered_say_ready(const struct context *context, const struct tree *tree,
                        size_t bytes);

/* The first send, if any are staggered; staggered_end() must follow, whatever comes of
   it. */
int staggered_begin(struct staggered *sends, const struct transfer *transfer,
                    const struct message *message, const struct tree *tree);
/* Whether this child is one of those. */
bool staggered_include(const struct staggered *sends, const struct tree *tree,
                       int child);
/* All other sends, until all these children have taken the message. */
int staggered_take(struct staggered *sends);
/* After an error, let go of the messages that are on their way. */
void staggered_end(struct staggered *sends);

#endif
