/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * core.h - the interface of libmotley-balance-core.so to libmotley-balance.so. The
 * latter is loaded into every program, and opens the core once it knows that the
 * program's MPI is the one that the core was compiled for.
 *
 * The first of the two must do no harm in a shell, in a launcher or under another MPI.
 * So it does not include mpi.h, needs no MPI to be loaded, and passes on handles of
 * communicators and types unchanged, in words that hold an int or a pointer.
 */
#ifndef MT_BALANCE_CORE_H
#define MT_BALANCE_CORE_H

#include "preload/common/calls.h"
#include "preload/common/passing.h"

#include <stdbool.h>
#include <stdint.h>

/* A call of MPI_Bcast or MPI_Bcast_c that the program made at `site`. */
struct bcast_words {
    void *buffer;
    int64_t count;
    void *type;
    int root;
    void *comm;
    const void *site;
};

struct core {
    /* After MPI_Init, on all ranks: whether there is anything to do. If not, no other
       function here is to be called. */
    bool (*begin)(void);
    /* `passing`, unless NULL, is set if later calls like this one need not come here:
       the caller tries passing_bcast() with it first. */
    int (*bcast)(const struct bcast_words *call, struct passing **passing);
    /* Passed to bcast() for a call from Fortran, which passes everything by reference;
       NULL if those come by MPI_Bcast. */
    struct bcast_words (*from_fortran)(void *buffer, const int *count, const int *type,
                                       const int *root, const int *comm);
    /* Before and after a call of calls.h with these arguments. */
    void (*before)(struct watched *watched, const call_word *arguments);
    void (*after)(const struct watched *watched);
    /* Between the two, if IS_TAKEN(): carry out the call. False: pass it on to the
       MPI. */
    bool (*instead)(int *status, const struct watched *watched,
                    const call_word *arguments);
    /* Before MPI_Comm_free and MPI_Comm_disconnect with this address. */
    void (*leave)(const void *comm);
    /* For work that cannot wait until MPI_Finalize: in the simulator. */
    void (*end)(void);
    /* MPI_Pcontrol: zero switches off, a larger number on. */
    void (*pcontrol)(int level);
};

/* A struct core, in libmotley-balance-core.so. */
#define CORE_SYMBOL "motley_balance_core"

#endif
