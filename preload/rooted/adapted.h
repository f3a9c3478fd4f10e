/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * adapted.h - the calls of one collective on one communicator, on one rank: which way
 * each goes, by us or by the MPI, and what comes of it.
 */
#ifndef MT_BALANCE_ROOTED_ADAPTED_H
#define MT_BALANCE_ROOTED_ADAPTED_H

#include "preload/bcast/transfer/exchange.h"
#include "preload/bcast/tree/tree.h"

#include <mpi.h>
#include <stdbool.h>

struct adapted;

/* A collective of the MPI that has a way of ours. */
struct adapted_kind {
    const char *name; /* of its calls: "reductions" */
    const char *way;  /* of ours: "by tree" */
    /* Both return the MPI's error code. The MPI has raised its own errors already. */
    int (*by_mpi)(const void *call, MPI_Comm comm);
    int (*by_us)(struct adapted *adapted, const void *call);
};

/* Collective over the context of `transfer`, which must outlive it. `comm` is the
   program's. `verbose`: a line on stderr, by rank 0, after each meeting. NULL on all
   ranks when memory is short on one. */
struct adapted *adapted_new(const struct adapted_kind *kind, struct transfer *transfer,
                            MPI_Comm comm, bool verbose);
void adapted_free(struct adapted *adapted);

/* MPI_Pcontrol; NULL is no matter. What rank 0 wants counts, from the next meeting on.
 */
void adapted_turn(struct adapted *adapted, bool on);

/* Carry out a call of the kind in which nothing is wrong, with messages of as many
   bytes on all ranks, at most TRIAL_MOST_BYTES: what the MPI's function is to return.
 */
int adapted_carry(struct adapted *adapted, const void *call, size_t bytes);

/* For the messages of a way of ours. */
struct transfer *adapted_transfer(struct adapted *adapted);
/* The tree of reduce_tree() by what is known now of who comes when. Valid until the
   next call. */
const struct tree *adapted_tree(struct adapted *adapted, int root);

#endif
