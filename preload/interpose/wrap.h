/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrap.h - the entry points: all that other libraries and the program see of this one.
 */
#ifndef MT_BALANCE_WRAP_H
#define MT_BALANCE_WRAP_H

#include "preload/wait/calls.h"
#include "symbols.h"

#include <stdbool.h>
#include <stdint.h>

enum { SUCCESS = 0 }; /* MPI_SUCCESS of all MPIs */

#define ENTRY __attribute__((visibility("default")))

/* Parameters that hold whatever the program passes; see NAMES_1 for their names. */
typedef intptr_t word;
#define WORDS_1 word a
#define WORDS_2 WORDS_1, word b
#define WORDS_3 WORDS_2, word c
#define WORDS_4 WORDS_3, word d
#define WORDS_5 WORDS_4, word e
#define WORDS_6 WORDS_5, word f
#define WORDS_7 WORDS_6, word g
#define WORDS_8 WORDS_7, word h
#define WORDS_9 WORDS_8, word i
#define WORDS_12 WORDS_9, word j, word k, word l

#define DECLARE(Name, name, NAME, n) ENTRY int MPI_##Name(WORDS_##n);
PLAIN_CALLS(DECLARE)
#undef DECLARE
#define DECLARE(name, n) ENTRY int MPI_##name(WORDS_##n);
LARGE_CALLS(DECLARE)
#undef DECLARE

/* Handles come in words that hold an int or a pointer: see core.h. */
ENTRY int MPI_Bcast(void *buffer, int count, void *type, int root, void *comm);
ENTRY int MPI_Bcast_c(void *buffer, int64_t count, void *type, int root, void *comm);
ENTRY int MPI_Pcontrol(const int level, ...);
ENTRY int MPI_Init(int *argc, char ***argv);
ENTRY int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
ENTRY int MPI_Finalize(void);

ENTRY void ompi_bcast_f(void *buffer, const int *count, const int *type,
                        const int *root, const int *comm, int *error);
ENTRY void ompi_pcontrol_f(const int *level);
ENTRY void ompi_init_f(int *error);
ENTRY void ompi_init_thread_f(const int *required, int *provided, int *error);
ENTRY void ompi_finalize_f(int *error);

/* Hand a broadcast to the core. False: there is none, this thread is in the library
   already, or the core leaves the call to the MPI; the caller passes it on then,
   outside of the library, as the program's error handler may never return. */
bool wrap_bcast(const struct mpi_symbols *mpi, int *status,
                const struct bcast_words *call);

#endif
