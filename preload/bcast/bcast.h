/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast.h - which broadcasts the library takes into its hands, and how each is done.
 *
 * All others go to the MPI as they are, which does what it always does: also raise its
 * own errors about arguments that are wrong.
 */
#ifndef MT_BALANCE_BCAST_H
#define MT_BALANCE_BCAST_H

#include "preload/common/call.h"

#include <stdbool.h>

/* Whether the MPI runs and the library has begun, which it does here. */
bool bcast_is_active(void);
/* `call` has no bytes yet. False: it is to be passed on to the MPI. */
bool bcast(int *status, const struct bcast_call *call, MPI_Comm comm);
/* The program is about to free this. */
void bcast_leave(MPI_Comm comm);
/* MPI_Pcontrol: whether broadcasts that come are to be improved. */
void bcast_switch(int level);

#endif
