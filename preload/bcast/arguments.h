/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arguments.h - whether the arguments of a call are right. If not, it is left to the
 * MPI, which raises its own errors.
 */
#ifndef MT_BALANCE_ARGUMENTS_H
#define MT_BALANCE_ARGUMENTS_H

#include "preload/common/message.h"

#include <stdbool.h>

/* Once the MPI runs; false: it refused. */
bool arguments_begin(void);
void arguments_end(void);

/* The bytes of a message among `size` ranks. 0: there are none, or more than can be, or
   something is wrong. */
size_t arguments_bytes(const struct message *message, int root, int size);

#endif
