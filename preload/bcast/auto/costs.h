/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * costs.h - what a message costs between the ranks of a context, measured.
 */
#ifndef MT_BALANCE_COSTS_H
#define MT_BALANCE_COSTS_H

#include "preload/bcast/tree/cost.h"
#include "preload/common/context.h"

enum { COSTS_MEMORY = 256 << 10 }; /* bytes */

/*
 * Time messages between pairs of ranks, within nodes and between them, and fill in
 * `network`, the same on all ranks; collective over the context, from which the nodes
 * are taken. `memory` has COSTS_MEMORY bytes for the messages. MPI_SUCCESS or the MPI's
 * error code.
 */
int costs_measure(struct network *network, const struct context *context, void *memory);

#endif
