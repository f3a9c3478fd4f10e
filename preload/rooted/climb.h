/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * climb.h - the numbers of a reduction on their way up a tree.
 */
#ifndef MT_BALANCE_ROOTED_CLIMB_H
#define MT_BALANCE_ROOTED_CLIMB_H

#include "adapted.h"

#include <mpi.h>

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

/*
 * Take part in the reduction along `tree`. What a rank sends is a copy, and the call
 * returns while that is on its way: see exchange.h. Each rank adds what its children
 * send in the order of the tree, so that the same tree gives the same bits.
 * MPI_SUCCESS, or the MPI's error code, for the program's error handler: on a rank that
 * has failed, and, as MPI_ERR_TRUNCATE, on those above it in the tree.
 */
int climb(struct transfer *transfer, const struct reduction *reduction,
          const struct tree *tree);

/* Its calls are of struct reduction. */
extern const struct adapted_kind adapted_reductions;

#endif
