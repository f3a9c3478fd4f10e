/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols.h - the functions of the program's MPI, and whether this build of the library
 * is for that MPI.
 *
 * Under another MPI the handles mean something else. One line says so, and all calls
 * are passed through unread.
 */
#ifndef MT_BALANCE_SYMBOLS_H
#define MT_BALANCE_SYMBOLS_H

#include "core.h"

struct mpi_symbols {
    const struct core *core; /* NULL: pass the calls through to the functions below */
    /* Borrowed, [CALLS]: what a call is to be made by now, the MPI's own functions or
       those that yield while they wait. */
    const mpi_function *_Atomic calls;
    int (*pcontrol)(int level, ...);
    int (*init)(int *argc, char ***argv);
    int (*init_thread)(int *argc, char ***argv, int required, int *provided);
    int (*finalize)(void);
};

/* Functions for Fortran, which are in another library of the MPI. */
struct fortran_symbols {
    void (*pcontrol)(const int *level);
    void (*init)(int *error);
    void (*init_thread)(const int *required, int *provided, int *error);
    void (*finalize)(int *error);
};

/* Found at the first call; `caller` is an address in what calls the MPI. */
const struct mpi_symbols *symbols_find(const void *caller);
const struct fortran_symbols *symbols_find_fortran(const void *caller);
/* What that call is to be made by from Fortran now. */
mpi_function symbols_fortran_call(enum call_number call, const void *caller);

/* Around the time in which the MPI runs, if there is a core: agree on who yields, and
   end it. */
void symbols_begin(void);
void symbols_end(void);

#endif
