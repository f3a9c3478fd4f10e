/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * context.h - a communicator of the library's own with the ranks of a communicator of
 * the program, so that no message of ours meets one of the program's.
 */
#ifndef MT_BALANCE_CONTEXT_H
#define MT_BALANCE_CONTEXT_H

#include <mpi.h>
#include <stdbool.h>

/* Messages between two ranks keep their order, so a tag says only what one is. */
enum tag {
    TAG_DATA = 1, /* the program's message, or a segment of it */
    TAG_READY,    /* its receiver has come, where sends are staggered */
    TAG_SELF,     /* a rank sends itself its own block */
    TAG_PLAN,     /* auto: which trees to use from now on, from the leader */
    TAG_WAITS,    /* auto: how long a rank waits, to the leader */
    TAG_PAPER,    /* paper: the waits, and what the optimiser answers */
    TAG_BLAME,    /* report: who made the sender wait */
    TAG_REPORT,   /* report: what a rank has counted, at the end */
    TAG_PING,     /* costs: how long messages take */
};

struct context {
    MPI_Comm comm; /* errors are returned */
    int rank, size;
    int *node; /* [size] a number for the node of each rank: its lowest rank */
};

/*
 * Make the context of `comm`, an intracommunicator; collective over it. Neither
 * attributes nor error handlers are taken over. All ranks succeed or none does.
 */
bool context_init(struct context *context, MPI_Comm comm);
/* Whether it is so on all ranks; collective. */
bool context_agrees(const struct context *context, bool mine);
/* Release it; collective. Zeroed afterwards. */
void context_free(struct context *context);

#endif
