/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather.h - which calls of MPI_Gather and MPI_Scatter the library takes into its
 * hands. All others go to the MPI as they are.
 */
#ifndef MT_BALANCE_GATHER_H
#define MT_BALANCE_GATHER_H

#include "preload/rooted/blocks.h"

#include <stdbool.h>

/* `blocks` have no bytes yet. False: it is to be passed on to the MPI. */
bool gather(int *status, const struct blocks *blocks, MPI_Comm comm);
bool scatter(int *status, const struct blocks *blocks, MPI_Comm comm);

#endif
