/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits.h - the report on all calls in which ranks wait: how long, at which places of
 * the program, and for which ranks. While the program runs, each rank only records its
 * own observations. The ranks compare them when the MPI ends.
 */
#ifndef MT_BALANCE_WAITS_H
#define MT_BALANCE_WAITS_H

#include "preload/common/calls.h"
#include "preload/common/options.h"

#include <mpi.h>
#include <stdbool.h>

/* Called in MPI_Init: allocate what this rank needs for a report, if the options have
   one; they must stay. False: out of memory. */
bool waits_begin(const struct options *options);
/* All ranks have memory: begin to watch. All ranks call it when they have come
   together. */
void waits_start(void);

/* Before and after a call with these arguments. */
void waits_before(struct watched *watched, const call_word *arguments);
void waits_after(const struct watched *watched);

/* Write the report. Called by all ranks, as the MPI ends. */
void waits_end(void);
/* Free the memory of waits_begin(), whatever that returned. */
void waits_release(void);

#endif
