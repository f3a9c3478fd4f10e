/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce.h - which reductions the library takes into its hands. All others go to the
 * MPI as they are.
 */
#ifndef MT_BALANCE_REDUCE_H
#define MT_BALANCE_REDUCE_H

#include "preload/rooted/climb.h"

#include <stdbool.h>

/* `reduction` has no bytes yet. False: it is to be passed on to the MPI. */
bool reduce(int *status, const struct reduction *reduction, MPI_Comm comm);

#endif
