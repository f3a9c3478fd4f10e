/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turns.h - long messages go to the children one after another.
 *
 * Messages that leave a node at the same time share its link, so all of them come late;
 * in turn, the first child has its message, and passes it on, while the others wait.
 * Children say that they have come, and one that has not keeps nobody from its turn.
 */
#ifndef MT_BALANCE_TURNS_H
#define MT_BALANCE_TURNS_H

#include "transfer.h"

struct turns {
    const struct context *context;
    const struct call *call;
    struct turn *turn; /* [n] owned; in the tree's order */
    int n, in_flight, moving;
    MPI_Request *requests; /* [2 n] owned; their sends, then what they say */
};

/* Tell the parent that this rank has come, if a message of that size is sent in turn.
 */
int turns_say_ready(const struct context *context, const struct tree *tree,
                    size_t bytes);

/* The first turn, if there are any; turns_end() must follow, whatever comes of it. */
int turns_begin(struct turns *turns, const struct context *context,
                const struct call *call, const struct tree *tree);
/* The child gets the message in turn. */
bool turns_include(const struct turns *turns, const struct tree *tree, int child);
/* All other turns, until all children have taken the message. */
int turns_take(struct turns *turns);
/* Release all memory; after an error also the messages that are on their way. */
void turns_end(struct turns *turns);

#endif
