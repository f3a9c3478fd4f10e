/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits.h - the report on all calls in which ranks wait: how long, at which places of
 * the program, and for whom.
 *
 * While the program runs, each rank notes what it sees itself, and sends nothing,
 * except that all ranks agree, in their first collective call of all, that there is to
 * be a report. They compare what they have seen when the MPI ends.
 */
#ifndef MT_BALANCE_WAITS_H
#define MT_BALANCE_WAITS_H

#include "preload/common/calls.h"
#include "preload/common/options.h"

#include <mpi.h>

/* Once the MPI runs; the options must stay. False: the MPI has refused. */
bool waits_begin(const struct options *options);

/* Ahead of a call with these arguments, and after it: on all ranks that know the
   options, whatever they say. */
void waits_before(struct watched *watched, const call_word *arguments);
void waits_after(const struct watched *watched);

/* Collective: the same agreement, where all ranks have come together for another
   reason, if `comm` has all of the program's. */
void waits_ask(MPI_Comm comm);

/* Write the report. Called by all ranks, as the MPI ends. */
void waits_end(void);

#endif
