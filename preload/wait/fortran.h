/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fortran.h - the calls of yielding.h as they come from Fortran, under Open MPI, whose
 * functions for Fortran do not come by the names for C.
 *
 * Each converts its handles, indices and statuses, and Open MPI's addresses that stand
 * for MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE in Fortran,
 * and makes the call for C.
 */
#ifndef MT_BALANCE_FORTRAN_H
#define MT_BALANCE_FORTRAN_H

#include "calls.h"

/* A buffer as C has it. */
void *fortran_buffer(void *buffer);

/* [CALLS]; NULL: there is none. */
extern const mpi_function yielding_fortran[CALLS];

#endif
