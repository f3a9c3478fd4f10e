/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_gather.h - bring the counts of all ranks together.
 */
#ifndef MT_BALANCE_REPORT_GATHER_H
#define MT_BALANCE_REPORT_GATHER_H

#include "counts.h"
#include "preload/bcast/context.h"

/* On rank 0 `counts` then has those of all ranks, less the ones whose memory was short
   (see `heard`). Called by all ranks. */
void report_gather(const struct context *context, struct counts *counts);

#endif
