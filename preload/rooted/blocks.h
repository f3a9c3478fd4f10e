/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks.h - the blocks of an MPI_Gather or MPI_Scatter, straight from rank to rank.
 *
 * With a tree, ranks wait for others whose blocks they pass on. Straight, a rank waits
 * for the root of a scatter at most, and the root of a gather for all, as it must.
 */
#ifndef MT_BALANCE_ROOTED_BLOCKS_H
#define MT_BALANCE_ROOTED_BLOCKS_H

#include "adapted.h"
#include "preload/common/message.h"

/* The arguments of either. */
struct blocks {
    struct message own; /* of this rank; at the root also MPI_IN_PLACE */
    struct message all; /* of the root: the first block; the others follow it, each as
                           far from the last as its elements reach */
    int root;
    size_t bytes; /* of a block, the same on all ranks */
};

/*
 * What a rank sends is a copy, and the call returns while that is on its way: see
 * exchange.h. Beyond its limit blocks are sent from where they lie, and the call
 * returns when they have been taken. MPI_SUCCESS, or the MPI's error code, for the
 * program's error handler.
 */
int blocks_gather(struct transfer *transfer, const struct blocks *blocks);
int blocks_scatter(struct transfer *transfer, const struct blocks *blocks);

/* Their calls are of struct blocks. */
extern const struct adapted_kind adapted_gathers, adapted_scatters;

#endif
