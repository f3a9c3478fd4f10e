/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * yielding.h - the MPI's blocking calls, made by ranks that yield while they wait.
 *
 * Each does what the MPI's function of the name does. On a rank that does not yield it
 * calls that function; so it does when an argument is wrong, for the MPI to raise the
 * error as of the call that the program made.
 */
#ifndef MT_BALANCE_YIELDING_H
#define MT_BALANCE_YIELDING_H

#include "calls.h"

#include <mpi.h>

#define DECLARE(Name, name, NAME, n) extern __typeof__(MPI_##Name) yield_##Name;
MESSAGE_CALLS(DECLARE)
WAIT_CALLS(DECLARE)
BCAST_CALLS(DECLARE)
COLLECTIVE_CALLS(DECLARE)
#undef DECLARE
#if MPI_VERSION >= 4
#define DECLARE(name, n) extern __typeof__(MPI_##name) yield_##name;
LARGE_MESSAGE_CALLS(DECLARE)
LARGE_BCAST_CALLS(DECLARE)
LARGE_COLLECTIVE_CALLS(DECLARE)
#undef DECLARE
#endif

#endif
