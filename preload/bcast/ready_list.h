/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ready_list.h - the communicators that the library has a context for.
 *
 * Threads may use it at the same time, each for a communicator of its own.
 */
#ifndef MT_BALANCE_READY_LIST_H
#define MT_BALANCE_READY_LIST_H

#include "comm_state.h"

#include <stdbool.h>

/* A context is one of the few thousand communicators that an MPI can have: a program
   that has many with broadcasts in them needs the others itself. */
bool ready_list_has_room(void);
/* A number for the next communicator, not given twice. */
int ready_list_number(void);
void ready_list_add(struct comm_state *state);
void ready_list_remove(struct comm_state *state);
/* The first in the order that all ranks have in common; NULL: none. */
struct comm_state *ready_list_first(void);
void ready_list_each(void (*function)(struct comm_state *state));

#endif
