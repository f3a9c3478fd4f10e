/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rooted_calls.h - which calls of MPI_Reduce, MPI_Gather and MPI_Scatter the library
 * takes into its hands. All others go to the MPI as they are.
 */
#ifndef MT_BALANCE_ROOTED_CALLS_H
#define MT_BALANCE_ROOTED_CALLS_H

#include "preload/rooted/blocks.h"
#include "preload/rooted/climb.h"

#include <stdbool.h>

/* What is handed in has no bytes yet. False: it is to be passed on to the MPI. */
bool reduce(int *status, const struct reduction *reduction, MPI_Comm comm);
bool gather(int *status, const struct blocks *blocks, MPI_Comm comm);
bool scatter(int *status, const struct blocks *blocks, MPI_Comm comm);

#endif
