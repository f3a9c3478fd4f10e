/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exact.h - operations and types of which the library knows that the order of the
 * numbers may change.
 */
#ifndef MT_BALANCE_ROOTED_EXACT_H
#define MT_BALANCE_ROOTED_EXACT_H

#include <mpi.h>

enum exactness {
    NOT_KNOWN,   /* or an operation that the type does not have */
    UP_TO_ORDER, /* another order may give other last bits, as with real numbers */
    EXACT        /* every order gives the same bits */
};

enum exactness exactness_of(MPI_Op op, MPI_Datatype type);

#endif
