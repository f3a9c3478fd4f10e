/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rooted.h - the reductions and gathers of one communicator, on one rank: runs each in
 * our way or the MPI's, and compares the times.
 *
 * Reductions climb a tree. Blocks of a gather go straight to the root: with a tree,
 * ranks would wait for others whose blocks they pass on.
 *
 * A rank sends a copy, and the call returns while that is in transit: see transfer.h.
 * Beyond the limit on copies, the call returns when the message has been taken.
 */
#ifndef MT_BALANCE_ROOTED_H
#define MT_BALANCE_ROOTED_H

#include "preload/bcast/transfer/transfer.h"

struct adapted;

/* A collective of the MPI that has a way of ours. */
struct adapted_kind {
    const char *name; /* of its calls: "reductions" */
    const char *way;  /* of ours: "by tree" */
    /* Both return the MPI's error code. The MPI has raised its own errors already. */
    int (*by_mpi)(const void *call, MPI_Comm comm);
    int (*by_us)(struct adapted *adapted, const void *call);
};

/* Their calls are of struct reduction and struct blocks. */
extern const struct adapted_kind adapted_reductions, adapted_gathers;

/* The arguments of MPI_Reduce, of a plain type and a predefined operation. */
struct reduction {
    const void *send; /* at the root also MPI_IN_PLACE */
    void *receive;    /* at the root */
    int count;
    MPI_Datatype type;
    MPI_Op op;
    int root;
    size_t bytes; /* the same on all ranks */
};

/* The arguments of MPI_Gather. */
struct blocks {
    struct message own; /* of this rank; at the root also MPI_IN_PLACE */
    struct message all; /* of the root: the first block; the others follow, each at the
                           distance of a block's extent */
    int root;
    size_t bytes; /* of a block, the same on all ranks */
};

/* Collective over the context of `transfer`, which must outlive it. `comm` is the
   program's. `verbose`: a line on stderr, by rank 0, after each meeting. NULL on all
   ranks when memory is short on one. */
struct adapted *adapted_new(const struct adapted_kind *kind, struct transfer *transfer,
                            MPI_Comm comm, bool verbose);
void adapted_free(struct adapted *adapted);

/* MPI_Pcontrol; does nothing on NULL. Rank 0's setting counts, from the next meeting
   on. */
void adapted_turn(struct adapted *adapted, bool on);

/* Carry out a valid call of the kind, with messages of equal size on all ranks, at most
   TRIAL_MOST_BYTES; returns the value for the MPI's function. */
int adapted_carry(struct adapted *adapted, const void *call, size_t bytes);

/*
 * Take part in the reduction along `tree`. Each rank adds its children's values in the
 * order of the tree, so that the same tree gives the same bits. MPI_SUCCESS, or the
 * MPI's error code, for the program's error handler: on a rank that has failed, and, as
 * MPI_ERR_TRUNCATE, on those above it in the tree.
 */
int climb(struct transfer *transfer, const struct reduction *reduction,
          const struct tree *tree);
/* Take part in the gather. Returns the same, but no rank is above another. */
int blocks_gather(struct transfer *transfer, const struct blocks *blocks);

#endif
