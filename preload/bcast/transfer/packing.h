/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * packing.h - a message as the bytes that all ranks agree on, whatever their types.
 */
#ifndef MT_BALANCE_PACKING_H
#define MT_BALANCE_PACKING_H

#include "preload/bcast/call.h"

#include <stdbool.h>

/* The buffer holds just these bytes: an array of a basic type without gaps. */
bool packing_is_plain(MPI_Datatype type);

/* Between the call's buffer and call->bytes of packed ones. MPI_ERR_INTERN: the MPI
   does not pack into that many. `comm` is a context's. */
int packing_pack(const struct call *call, char *packed, MPI_Comm comm);
int packing_unpack(const struct call *call, char *packed, MPI_Comm comm);

#endif
