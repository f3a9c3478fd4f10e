/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * patient.h - the MPI's blocking calls, made by ranks that wait patiently.
 *
 * Each does what the MPI's function of the name does. Where patience is not called for
 * it calls that function; so it does when an argument is wrong, for the MPI to raise
 * the error as of the call that the program made.
 */
#ifndef MT_BALANCE_PATIENT_H
#define MT_BALANCE_PATIENT_H

#include "preload/interpose/calls.h"

#include <mpi.h>

#define DECLARE(name, arguments) extern __typeof__(MPI_##name) patient_##name;
MESSAGE_CALLS(DECLARE)
WAIT_CALLS(DECLARE)
BCAST_CALLS(DECLARE)
COLLECTIVE_CALLS(DECLARE)
#if MPI_VERSION >= 4
LARGE_MESSAGE_CALLS(DECLARE)
LARGE_BCAST_CALLS(DECLARE)
LARGE_COLLECTIVE_CALLS(DECLARE)
#endif
#undef DECLARE

#endif
