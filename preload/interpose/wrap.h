/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrap.h - the entry points: all that other libraries and the program see of this one.
 */
#ifndef MT_BALANCE_WRAP_H
#define MT_BALANCE_WRAP_H

#include "symbols.h"

#include <stdbool.h>
#include <stdint.h>

#define ENTRY __attribute__((visibility("default")))

/* Parameters that hold whatever the program passes; see calls.h. */
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

/* Handles come in words that hold an int or a pointer: see core.h. */
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

/* Begin by a function for Fortran. */
void wrap_init(void (*init)(int *error), int *error);
void wrap_init_thread(void (*init)(const int *required, int *provided, int *error),
                      const int *required, int *provided, int *error);

#endif
