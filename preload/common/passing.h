/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * passing.h - broadcasts of a communicator that go straight to the MPI, until its ranks
 * meet again.
 *
 * A small broadcast takes the MPI a few hundred nanoseconds. If ranks take turns on a
 * core, the library's data are not in its caches then, so everything that a call reads
 * is here. No mpi.h: handles are words, whose lower bits may be all that counts.
 */
#ifndef MT_BALANCE_PASSING_H
#define MT_BALANCE_PASSING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct passing {
    uintptr_t handle_bits;
    /* They are like the last one: of this communicator (0: none), with at most this
       many elements (0: none yet) of this type. */
    atomic_uintptr_t comm;
    uintptr_t type;
    int64_t most;
    int (*bcast)(void *buffer, int count, void *type, int root, void *comm);
    const void *in_place; /* no buffer */
    int64_t left;         /* calls left to pass */
    int size;             /* of the communicator */
};

/* Start with no calls to pass for the communicator; the bits are always the same. A
   thread may still read an unused state, so its memory must stay, with `comm` 0. */
static inline void passing_init(struct passing *passing, uintptr_t handle_bits,
                                uintptr_t comm, int size)
{
    if (passing->handle_bits != handle_bits)
        passing->handle_bits = handle_bits;
    passing->left = 0;
    passing->most = 0;
    passing->size = size;
    passing->comm = comm & handle_bits;
}

/* Whether a broadcast is one of those; if so, it is carried out. One with a wrong
   argument is not: all ranks must count the same calls. */
static inline bool passing_bcast(struct passing *passing, int *status, void *buffer,
                                 int64_t count, void *type, int root, void *comm)
{
    const uintptr_t bits = passing->handle_bits;
    if (((uintptr_t)comm & bits) != passing->comm || passing->left <= 0 ||
        ((uintptr_t)type & bits) != passing->type || count <= 0 ||
        count > passing->most || root < 0 || root >= passing->size || !buffer ||
        buffer == passing->in_place)
        return false;
    passing->left--;
    *status = passing->bcast(buffer, (int)count, type, root, comm);
    return true;
}

#endif
