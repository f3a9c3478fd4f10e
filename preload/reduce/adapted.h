/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * adapted.h - the reductions of one communicator, on one rank: which way each goes, and
 * what comes of it.
 */
#ifndef MT_BALANCE_REDUCE_ADAPTED_H
#define MT_BALANCE_REDUCE_ADAPTED_H

#include "climb.h"

struct adapted;

/* Collective over the context of `transfer`, which must outlive it. `comm` is the
   program's. `verbose`: a line on stderr, by rank 0, after each meeting. NULL on all
   ranks when memory is short on one. */
struct adapted *adapted_new(struct transfer *transfer, MPI_Comm comm, bool verbose);
void adapted_free(struct adapted *adapted);

/* MPI_Pcontrol. What rank 0 wants counts, from the next meeting on. */
void adapted_turn(struct adapted *adapted, bool on);

/* Carry out a reduction in which nothing is wrong, of a size that trial.h knows: what
   MPI_Reduce is to return. */
int adapted_reduce(struct adapted *adapted, const struct reduction *reduction);

#endif
