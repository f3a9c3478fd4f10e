/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * costs.h - what a message costs between the ranks of a context.
 */
#ifndef MT_BALANCE_COSTS_H
#define MT_BALANCE_COSTS_H

#include "preload/bcast/tree/cost.h"
#include "preload/common/context.h"

enum { COSTS_MEMORY = 256 << 10 }; /* bytes */

/*
 * Fill in `network`, the same on all ranks; collective over the context, from which the
 * nodes are taken. By what rank 0 has measured in another context, if there were such
 * pairs of ranks, on one node or on two; else messages between pairs are timed.
 * `memory` has COSTS_MEMORY bytes for them. MPI_SUCCESS or the MPI's error code.
 */
int costs_find(struct network *network, const struct context *context, void *memory);

#endif
