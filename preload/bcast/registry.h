/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * registry.h - the communicators that the library has a context for, in an order common
 * to all ranks.
 *
 * Tearing down a report, or bcast=paper, is collective, and communicators may overlap:
 * the order avoids deadlock at the end. Threads may use the registry concurrently, each
 * for a communicator of its own.
 */
#ifndef MT_BALANCE_REGISTRY_H
#define MT_BALANCE_REGISTRY_H

#include <stdbool.h>

/* The first member of what is registered. */
struct registered {
    int world_rank, number; /* of the communicator's rank 0, and its own count */
    struct registered *next;
};

/* The most contexts. Each is one of the few thousand communicators of an MPI, and a
   program with many of its own needs the rest. */
bool registry_has_room(void);
/* A unique number for the next communicator. */
int registry_number(void);
void registry_add(struct registered *entry);
void registry_remove(struct registered *entry);
/* The first in the common order; NULL: none. */
struct registered *registry_first(void);
/* `function` must not use the registry. */
void registry_each(void (*function)(struct registered *entry));
/* Between these two, no other thread reads or changes the registry. */
void registry_lock(void);
void registry_unlock(void);

#endif
