/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * patient_fortran.h - the calls of patient.h as they come from Fortran, under Open MPI.
 *
 * They are made of the MPI's own functions for Fortran, so that no handle, index or
 * constant has to be converted.
 */
#ifndef MT_BALANCE_PATIENT_FORTRAN_H
#define MT_BALANCE_PATIENT_FORTRAN_H

#include "preload/interpose/calls.h"

/* [CALLS]; NULL: there is none. */
extern const mpi_function patient_fortran[CALLS];

#endif
