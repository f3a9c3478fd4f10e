/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paper.h - bcast=paper: the algorithm of Soga et al. (2008) as it stands: a binomial
 * tree over virtual ranks, in which the optimiser (rank 0) swaps one pair a round.
 */
#ifndef MT_BALANCE_PAPER_H
#define MT_BALANCE_PAPER_H

#include "preload/common/method.h"

extern const struct method_kind method_paper;

#endif
