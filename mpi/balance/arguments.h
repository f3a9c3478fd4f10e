/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arguments.h - whether the MPI takes the arguments of a call.
 *
 * One that it refuses on one rank, the others do not hear of: it must not count.
 */
#ifndef MT_BALANCE_ARGUMENTS_H
#define MT_BALANCE_ARGUMENTS_H

#include "call.h"

#include <stdbool.h>

/* False: the MPI has refused. */
bool arguments_begin(void);
void arguments_end(void);

/* Over a communicator of `size` ranks; raises no error. */
bool arguments_right(const struct call *call, int size);

#endif
