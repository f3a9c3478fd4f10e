/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crowding.h - whether the ranks of a node have less than a processor core each.
 */
#ifndef MT_BALANCE_CROWDING_H
#define MT_BALANCE_CROWDING_H

#include <mpi.h>
#include <stdbool.h>

/* The ranks of a node, and the processor cores that they may use: those that their
   affinity and their control groups leave them. */
struct crowding {
    double ranks, cores; /* of the part of the node that is fullest */
};

/* Collective over MPI_COMM_WORLD; all ranks of a node get the same. */
int crowding_find(struct crowding *crowding);
/* More ranks than cores. */
bool crowding_is(const struct crowding *crowding);

#endif
