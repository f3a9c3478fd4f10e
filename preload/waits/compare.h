/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare.h - what the samples of all ranks say together about who was late.
 */
#ifndef MT_BALANCE_COMPARE_H
#define MT_BALANCE_COMPARE_H

#include "arrivals.h"
#include "preload/common/context.h"
#include "preload/lateness/counts.h"

/*
 * Add to this rank's counts how late it was in the sampled calls, what it waited there
 * and what it cost others, for all calls of each site by those that were sampled.
 * Collective over the context, which has all ranks of the MPI. Where memory is short
 * nothing is added, on any rank.
 */
void compare_samples(const struct context *context, const struct sample *samples,
                     struct counts *counts);

#endif
