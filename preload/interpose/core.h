/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * core.h - what libmotley-balance.so, which is loaded into every program, calls in
 * libmotley-balance-core.so, which is opened once the program's MPI is known to be the
 * one that the core was compiled for.
 *
 * The first of the two must do no harm in a shell, in a launcher or under another MPI.
 * So it knows no mpi.h, needs no MPI to be loaded, and hands on the handles of
 * communicators and types as it gets them: in words that hold an int or a pointer.
 */
#ifndef MT_BALANCE_CORE_H
#define MT_BALANCE_CORE_H

#include "calls.h"

#include <stdbool.h>
#include <stdint.h>

struct core {
    /* MPI_Bcast and MPI_Bcast_c, called at `site` by the program. False: the call is to
       be passed on to the MPI. */
    bool (*bcast)(int *status, void *buffer, int64_t count, void *type, int root,
                  void *comm, const void *site);
    /* The same from Fortran, which passes everything by reference. */
    bool (*bcast_fortran)(void *buffer, const int *count, const int *type,
                          const int *root, const int *comm, int *error,
                          const void *site);
    /* MPI_Pcontrol: zero switches off, more switches on. */
    void (*pcontrol)(int level);
    /* After MPI_Init; collective over MPI_COMM_WORLD. True: there are ranks that wait
       patiently, and this one is to make its calls by `patient`. */
    bool (*begin)(void);
    /* Before MPI_Finalize; collective if begin() returned true. */
    void (*end)(void);
    /* [CALLS] stand-ins for the MPI's functions; NULL: there is none. */
    const mpi_function *patient;
    /* The same for its functions for Fortran; NULL where those come by the others. */
    const mpi_function *patient_fortran;
};

/* Of type struct core, in libmotley-balance-core.so. */
#define CORE_SYMBOL "motley_balance_core"

#endif
