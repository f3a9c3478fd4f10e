/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits.h - the report on all calls in which ranks wait: how long, at which places of
 * the program, and for whom.
 *
 * While the program runs, each rank notes what it sees itself, and sends nothing. They
 * compare what they have seen when the MPI ends.
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
/* All ranks can: begin to watch. Called by all ranks when they have come together. */
void waits_start(void);

/* Ahead of a call with these arguments, and after it. */
void waits_before(struct watched *watched, const call_word *arguments);
void waits_after(const struct watched *watched);

/* Write the report. Called by all ranks, as the MPI ends. */
void waits_end(void);
/* Free what waits_begin() got, whatever it returned. */
void waits_release(void);

#endif
