/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * costs.h - the cost of messages between the ranks of a context.
 */
#ifndef MT_BALANCE_COSTS_H
#define MT_BALANCE_COSTS_H

#include "preload/bcast/tree/cost.h"
#include "preload/common/context.h"

enum { COSTS_MEMORY = 256 << 10 }; /* bytes */

/*
 * Fill in `network`, the same on all ranks; collective over the context, which supplies
 * the nodes. Reuses rank 0's measurements from another context if they cover the same
 * kinds of pairs (on one node, on two); otherwise times messages between pairs.
 * `memory` has COSTS_MEMORY bytes for them. MPI_SUCCESS or the MPI's error code.
 */
int costs_find(struct network *network, const struct context *context, void *memory);

#endif
