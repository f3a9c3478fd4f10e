/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * patience.h - waiting without using up the processor.
 *
 * An MPI polls while it waits, and takes the processor from the rank that it waits for
 * where both share one. A patient rank begins what it waits for, and then looks now and
 * then, and sleeps in between.
 */
#ifndef MT_BALANCE_PATIENCE_H
#define MT_BALANCE_PATIENCE_H

#include "preload/interpose/options.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Agree on who is to be patient; collective over MPI_COMM_WORLD, with the same mode on
   all of it. True: somebody is. */
bool patience_begin(enum patience_mode mode, bool verbose);
/* Before MPI_Finalize, if somebody is patient: wait for all ranks there, as the MPI
   itself would with no patience. */
void patience_end(void);

/* Whether this rank is to wait patiently: for messages, where ranks need not do alike.
 */
bool patience_here(void);
/* Whether ranks of this communicator are to: the same on all of them, for collective
   calls. None are between two groups, or with ranks of another MPI_COMM_WORLD. */
bool patience_everywhere(MPI_Comm comm);

/* One wait; zeroed at its beginning. */
struct patience {
    int64_t since; /* ns, on a clock of this rank's */
};
/* Between two looks at what is waited for; returns at once on a rank that is not to be
   patient. */
void patience_pause(struct patience *patience);

/* MPI_Wait. */
int patience_wait(MPI_Request *request, MPI_Status *status);

#endif
