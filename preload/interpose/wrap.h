/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrap.h - the entry points, which are all that the program and other libraries see of
 * this one, and the functions of the program's MPI behind them.
 */
#ifndef MT_BALANCE_WRAP_H
#define MT_BALANCE_WRAP_H

#include "core.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Any function of the MPI. */
typedef void (*mpi_function)(void);

/* The functions of the program's MPI. */
struct mpi_symbols {
    atomic_bool found;  /* the functions below */
    atomic_bool passes; /* pass calls through, without a core: the flag that all calls
                           check */
    const struct core *core; /* NULL: pass calls through to the functions below, as
                                before symbols_begin(), and under another MPI than this
                                build's, whose handles differ */
    int (*init)(int *argc, char ***argv);
    int (*init_thread)(int *argc, char ***argv, int required, int *provided);
    int (*bcast)(void *buffer, int count, void *type, int root, void *comm);
    int (*bcast_c)(void *buffer, int64_t count, void *type, int root, void *comm);
    int (*comm_free)(void *comm), (*comm_disconnect)(void *comm);
    int (*pcontrol)(int level, ...);
    mpi_function calls[CALLS], large_calls[CALLS]; /* these end in _c */
};

/* Functions for Fortran, in another library of the MPI. */
struct fortran_symbols {
    void (*bcast)(void *buffer, const int *count, const int *type, const int *root,
                  const int *comm, int *error);
    void (*pcontrol)(const int *level);
    /* The last two of the module mpi_f08. */
    void (*init)(int *error), (*init_f08)(int *error);
    void (*init_thread)(const int *required, int *provided, int *error);
    void (*init_thread_f08)(const int *required, int *provided, int *error);
    mpi_function calls[CALLS];
    atomic_bool found;
};

/* The MPI has started, which may be reported twice: all ranks of MPI_COMM_WORLD agree
   on whether calls bypass the core. */
void symbols_begin(void);

/* Find them at the first call; `caller` is an address in the caller of the MPI. */
const struct mpi_symbols *symbols_find(const void *caller);
/* The same in MPI_Init, which must come first for the core to be used. */
const struct mpi_symbols *symbols_init(const void *caller);
const struct fortran_symbols *symbols_find_fortran(const void *caller);

/* With the flag `passes`, a call needs only one of these. */
extern struct mpi_symbols symbols;
extern struct fortran_symbols fortran;

static inline bool is_set(const atomic_bool *flag)
{
    return atomic_load_explicit(flag, memory_order_acquire);
}

#define ENTRY __attribute__((visibility("default")))

/* Parameters that hold any argument of the program; see calls.h. */
#define NAMES_1 a
#define NAMES_2 NAMES_1, b
#define NAMES_3 NAMES_2, c
#define NAMES_4 NAMES_3, d
#define NAMES_5 NAMES_4, e
#define NAMES_6 NAMES_5, f
#define NAMES_7 NAMES_6, g
#define NAMES_8 NAMES_7, h
#define NAMES_9 NAMES_8, i
#define NAMES_12 NAMES_9, j, k, l
#define WORDS_1 call_word a
#define WORDS_2 WORDS_1, call_word b
#define WORDS_3 WORDS_2, call_word c
#define WORDS_4 WORDS_3, call_word d
#define WORDS_5 WORDS_4, call_word e
#define WORDS_6 WORDS_5, call_word f
#define WORDS_7 WORDS_6, call_word g
#define WORDS_8 WORDS_7, call_word h
#define WORDS_9 WORDS_8, call_word i
#define WORDS_12 WORDS_9, call_word j, call_word k, call_word l

#define DECLARE(Name, name, NAME, n, ...) ENTRY int MPI_##Name(WORDS_##n);
#define DECLARE_LARGE(Name, name, NAME, n, ...) ENTRY int MPI_##Name##_c(WORDS_##n);
PASSED_CALLS(DECLARE)
LARGE_CALLS(DECLARE_LARGE)
#undef DECLARE
#undef DECLARE_LARGE

/* Handles are words that hold an int or a pointer: see core.h. */
ENTRY int MPI_Bcast(void *buffer, int count, void *type, int root, void *comm);
ENTRY int MPI_Bcast_c(void *buffer, int64_t count, void *type, int root, void *comm);
ENTRY int MPI_Init(int *argc, char ***argv);
ENTRY int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
ENTRY void mpi_init_f08_(int *error);
ENTRY void mpi_init_thread_f08_(const int *required, int *provided, int *error);
ENTRY int MPI_Comm_free(void *comm);
ENTRY int MPI_Comm_disconnect(void *comm);
ENTRY int MPI_Pcontrol(const int level, ...);

ENTRY void ompi_bcast_f(void *buffer, const int *count, const int *type,
                        const int *root, const int *comm, int *error);
ENTRY void ompi_pcontrol_f(const int *level);
ENTRY void ompi_init_f(int *error);
ENTRY void ompi_init_thread_f(const int *required, int *provided, int *error);

/* Initialise by a function for Fortran. */
void wrap_init(void (*init)(int *error), int *error);
void wrap_init_thread(void (*init)(const int *required, int *provided, int *error),
                      const int *required, int *provided, int *error);

#endif
