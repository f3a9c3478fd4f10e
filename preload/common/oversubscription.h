/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oversubscription.h - whether the ranks of a node have less than a processor core
 * each.
 *
 * It decides whether a broadcast passes a message on in segments, and the report says
 * so before all else. The cores are those that the affinity of the ranks and the quotas
 * of their control groups leave them; hardware threads of one core are one core.
 */
#ifndef MT_BALANCE_OVERSUBSCRIPTION_H
#define MT_BALANCE_OVERSUBSCRIPTION_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct oversubscription {
    double ranks, cores; /* of the part of the node that is fullest */
};

/* The ranks of `comm` on this node and their cores; collective over it, and all its
   ranks on a node get the same. In the simulator, whose nodes are not this machine,
   every rank has a core. MPI_SUCCESS or the MPI's error code. */
int oversubscription_find(struct oversubscription *found, MPI_Comm comm);

/*
 * How long the main thread of this process has wanted a core so far that others had, in
 * ns; 0 where the kernel does not say, and in the simulator. What a quota keeps a
 * process from is not always in it.
 */
int64_t oversubscription_delay(void);
/* More ranks than cores. */
bool is_oversubscribed(const struct oversubscription *node);

#endif
