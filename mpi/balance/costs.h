/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * costs.h - what a message costs between the ranks of a context, measured.
 */
#ifndef MT_BALANCE_COSTS_H
#define MT_BALANCE_COSTS_H

#include "context.h"
#include "tree.h"

/*
 * Time messages between pairs of ranks, within nodes and between them, and fill in
 * `network`, the same on all ranks; collective over the context, from which the nodes
 * are taken. MPI_SUCCESS or the MPI's error code.
 */
int costs_measure(struct network *network, const struct context *context);

#endif
