/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oversubscription.h - whether the ranks of a node have less than a processor core
 * each.
 *
 * This decides whether a broadcast forwards a message in segments, and the report
 * mentions it first. The cores are those left by the ranks' affinity and the quotas of
 * their control groups; hardware threads of one core are one core.
 */
#ifndef MT_BALANCE_OVERSUBSCRIPTION_H
#define MT_BALANCE_OVERSUBSCRIPTION_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct oversubscription {
    double ranks, cores; /* of the fullest part of the node */
};

/* The ranks of `comm` on this node and their cores; collective over it, and all its
   ranks on a node get the same. In the simulator, whose nodes are not this machine,
   every rank has a core. MPI_SUCCESS or the MPI's error code. */
int oversubscription_find(struct oversubscription *found, MPI_Comm comm);

/*
 * How long the main thread of this process has waited for a core so far, in ns; 0 if
 * the kernel does not tell, and in the simulator. Throttling by a quota may not be
 * included.
 */
int64_t oversubscription_delay(void);
/* More ranks than cores. */
bool is_oversubscribed(const struct oversubscription *node);

#endif
