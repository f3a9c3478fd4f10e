/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * context.h - a communicator of the library's own with the ranks of a communicator of
 * the program, so that our messages never match the program's.
 */
#ifndef MT_BALANCE_CONTEXT_H
#define MT_BALANCE_CONTEXT_H

#include <mpi.h>
#include <stdbool.h>

/* Messages between two ranks keep their order, so a tag only tells the kind. */
enum tag {
    TAG_DATA = 1, /* the program's message, or a segment of it */
    TAG_READY,    /* its receiver has arrived, for staggered sends */
    TAG_SELF,     /* a rank's own block, sent to itself */
    TAG_PLAN,     /* auto: which trees to use from now on, from the leader */
    TAG_WAITS,    /* auto: a rank's waits, to the leader */
    TAG_PAPER,    /* paper: the waits, and the optimiser's answer */
    TAG_BLAME,    /* report: the rank that made the sender wait */
    TAG_REPORT,   /* report: a rank's counts, at the end */
    TAG_PING,     /* costs: timed messages */
};

struct context {
    MPI_Comm comm; /* errors are returned */
    int rank, size;
    int *node; /* [size] a number for the node of each rank: its lowest rank */
};

/*
 * Make the context of `comm`, an intracommunicator; collective over it. It has none of
 * the attributes and error handlers of `comm`. All ranks succeed or none does.
 */
bool context_init(struct context *context, MPI_Comm comm);
/* Whether `is` holds on all ranks; collective. */
bool context_agrees(const struct context *context, bool mine);
/* Release it; collective. Zeroed afterwards. */
void context_free(struct context *context);

#endif
