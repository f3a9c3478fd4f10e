/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paper.h - bcast=paper: the algorithm of Soga et al. (2008) as it stands: a binomial
 * tree over virtual ranks, in which the optimiser (rank 0) swaps one pair a round.
 *
 * The functions do for it what those of adapt.h do for bcast=auto; it leaves to the MPI
 * only messages of 2^31 bytes and more, which it would have to cut up. paper_free is
 * collective, and so is paper_learn at the end of some calls, where all hear what the
 * optimiser has decided; what fails there is the status of the next paper_route.
 */
#ifndef MT_BALANCE_PAPER_H
#define MT_BALANCE_PAPER_H

#include "preload/bcast/call.h"
#include "preload/bcast/context.h"
#include "preload/bcast/tree/tree.h"

struct paper;

struct paper *paper_new(const struct context *context, bool verbose);
void paper_free(struct paper *paper);
const struct tree *paper_route(struct paper *paper, const struct call *call,
                               int *status);
void paper_learn(struct paper *paper, const struct call *call,
                 const struct timing *timing);

#endif
