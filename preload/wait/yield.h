/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * yield.h - waiting without using up the processor.
 *
 * An MPI polls while it waits, and takes the processor from the rank that it waits for
 * where both share one. A rank that yields begins what it waits for without blocking,
 * and then looks now and then whether it is done, and sleeps in between.
 */
#ifndef MT_BALANCE_YIELD_H
#define MT_BALANCE_YIELD_H

#include "pause.h"
#include "preload/common/options.h"

#include <mpi.h>
#include <stdbool.h>

/* Agree on which ranks yield; collective over MPI_COMM_WORLD, with the same mode on
   all of it. True: some do. */
bool yield_begin(enum yield_mode mode, bool verbose);
/* Before MPI_Finalize, if some rank yields: wait, yielding, for all ranks to come, as
   MPI_Finalize itself would by polling. */
void yield_end(void);

/* Whether this rank yields. That decides for messages, where the sender and the
   receiver need not wait in the same way. */
bool yield_here(void);
/* Whether some rank of this communicator yields: the same on all of its ranks, so that
   all make the same collective call. False for intercommunicators, and with ranks of
   another MPI_COMM_WORLD. */
bool yield_everywhere(MPI_Comm comm);

/* Between two looks at what is waited for; returns at once on a rank that does not
   yield. */
void yield_pause(struct pause *pause);

/* MPI_Wait. */
int yield_until_done(MPI_Request *request, MPI_Status *status);

#endif
