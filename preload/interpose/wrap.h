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

/* Handles come in words that hold an int or a pointer: see core.h. */
ENTRY int MPI_Bcast(void *buffer, int count, void *type, int root, void *comm);
ENTRY int MPI_Bcast_c(void *buffer, int64_t count, void *type, int root, void *comm);
ENTRY int MPI_Pcontrol(const int level, ...);

ENTRY void ompi_bcast_f(void *buffer, const int *count, const int *type,
                        const int *root, const int *comm, int *error);
ENTRY void ompi_pcontrol_f(const int *level);

#endif
