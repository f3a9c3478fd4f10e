/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * passing.h - broadcasts of a communicator that go straight to the MPI, until its ranks
 * meet again.
 *
 * A small broadcast takes the MPI a few hundred nanoseconds. Where ranks take turns on
 * a core, nothing of ours is in its caches when one comes, so all that is read for it
 * is here. No mpi.h: handles are words, whose lower bits may be all that counts.
 */
#ifndef MT_BALANCE_PASSING_H
#define MT_BALANCE_PASSING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct passing {
    uintptr_t handle_bits;
    /* They are like the last: of this communicator (0: none), with elements of this
       type, each of which goes to the MPI's function as some of another type. */
    atomic_uintptr_t comm;
    uintptr_t type;
    void *basic_type;
    int (*bcast)(void *buffer, int count, void *type, int root, void *comm);
    const void *in_place; /* no buffer */
    int64_t left;         /* so many are to go */
    int size;             /* of the communicator */
    int basic;            /* elements of the basic type in one; 0: none came yet */
    struct passing *next; /* of those that nobody uses */
};

/* NULL: no memory. `handle_bits` are always the same. */
struct passing *passing_new(uintptr_t handle_bits, uintptr_t comm, int size);
/* Other threads may still look at it: so it stays, for another communicator. */
void passing_free(struct passing *passing);

/* Whether a broadcast is one of those, and carried out then. One with a wrong argument
   is not: all ranks have to count the same ones. */
static inline bool passing_bcast(struct passing *passing, int *status, void *buffer,
                                 int64_t count, const void *type, int root, void *comm)
{
    const uintptr_t bits = passing->handle_bits;
    if (((uintptr_t)comm & bits) != passing->comm || passing->left <= 0 ||
        ((uintptr_t)type & bits) != passing->type || passing->basic == 0 ||
        count <= 0 || count > INT32_MAX / passing->basic || root < 0 ||
        root >= passing->size || !buffer || buffer == passing->in_place)
        return false;
    passing->left--;
    *status = passing->bcast(buffer, (int)count * passing->basic, passing->basic_type,
                             root, comm);
    return true;
}

#endif
