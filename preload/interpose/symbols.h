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

/* Any function of the MPI. */
typedef void (*mpi_function)(void);

struct mpi_symbols {
    const struct core *core; /* NULL: pass the calls through to the functions below, as
                                before symbols_begin() */
    int (*init)(int *argc, char ***argv);
    int (*init_thread)(int *argc, char ***argv, int required, int *provided);
    int (*bcast)(void *buffer, int count, void *type, int root, void *comm);
    int (*bcast_c)(void *buffer, int64_t count, void *type, int root, void *comm);
    int (*comm_free)(void *comm), (*comm_disconnect)(void *comm);
    int (*pcontrol)(int level, ...);
    mpi_function calls[CALLS], large_calls[CALLS]; /* these end in _c */
};

/* Functions for Fortran, which are in another library of the MPI. */
struct fortran_symbols {
    void (*bcast)(void *buffer, const int *count, const int *type, const int *root,
                  const int *comm, int *error);
    void (*pcontrol)(const int *level);
    /* The last two of the module mpi_f08. */
    void (*init)(int *error), (*init_f08)(int *error);
    void (*init_thread)(const int *required, int *provided, int *error);
    void (*init_thread_f08)(const int *required, int *provided, int *error);
    mpi_function calls[CALLS];
};

/* The MPI has begun, which a program may come by twice: all ranks of the world agree on
   whether calls pass by the core. */
void symbols_begin(void);

/* Found at the first call; `caller` is an address in what calls the MPI. */
const struct mpi_symbols *symbols_find(const void *caller);
/* The same in MPI_Init, which is to come first where the core is to be used. */
const struct mpi_symbols *symbols_init(const void *caller);
const struct fortran_symbols *symbols_find_fortran(const void *caller);

#endif
