/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * registry.h - the communicators that the library has a context for, in an order that
 * all ranks have in common.
 *
 * Taking down a report, or bcast=paper, is collective, and communicators may overlap:
 * the order keeps ranks from waiting for each other in a circle at the end. Threads may
 * use the registry at the same time, each for a communicator of its own.
 */
#ifndef MT_BALANCE_REGISTRY_H
#define MT_BALANCE_REGISTRY_H

#include <stdbool.h>

/* The first member of what is registered. */
struct registered {
    int world_rank, number; /* of the communicator's rank 0, and its own count */
    struct registered *next;
};

/* A context is one of the few thousand communicators that an MPI can have: a program
   that has many with broadcasts in them needs the others itself. */
bool registry_has_room(void);
/* A number for the next communicator, not given twice. */
int registry_number(void);
void registry_add(struct registered *entry);
void registry_remove(struct registered *entry);
/* The first in the common order; NULL: none. */
struct registered *registry_first(void);
/* `function` must not use the registry. */
void registry_each(void (*function)(struct registered *entry));
/* Between these two no other thread goes through the registry, or changes it. */
void registry_lock(void);
void registry_unlock(void);

#endif
