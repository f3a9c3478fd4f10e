/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast.h - selects the broadcasts, reductions and gathers that the library carries
 * out, and how.
 *
 * All others go to the MPI unchanged, which also raises its own errors about wrong
 * arguments.
 */
#ifndef MT_BALANCE_BCAST_H
#define MT_BALANCE_BCAST_H

#include "preload/common/message.h"
#include "preload/rooted/rooted.h"

#include <stdbool.h>

struct passing;

/* Called in MPI_Init, collective over MPI_COMM_WORLD. False, on all ranks: nothing to
   do, and no other function here may be called. */
bool bcast_begin(void);
/* `call` has no bytes yet. `passing`, unless NULL, is set if later calls like this one
   need not come here: the caller tries passing_bcast() with it first. */
int bcast(const struct bcast_call *call, MPI_Comm comm, struct passing **passing);

/* The caller leaves the bytes unset. False: pass the call on to the MPI. In
   rooted_calls.c. */
bool reduce(int *status, const struct reduction *reduction, MPI_Comm comm);
bool gather(int *status, const struct blocks *blocks, MPI_Comm comm);

#endif
