/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * adapting.h - from when on the calls of a collective are adapted on a communicator:
 * once all ranks know that they want it and may gain by it.
 */
#ifndef MT_BALANCE_ADAPTING_H
#define MT_BALANCE_ADAPTING_H

#include "comm_state.h"
#include "preload/rooted/adapted.h"

/* A call that could be adapted, on all ranks or on none. */
struct adaptable {
    const struct adapted_kind *kind;
    const void *call; /* of that kind */
    size_t bytes;     /* the same on all ranks; at most TRIAL_MOST_BYTES */
    bool wanted;      /* calls of this kind are to be adapted... */
    bool kept;        /* ...but not this one */
};

/* False: it is to be passed on to the MPI. */
bool adapting_carry(int *status, struct comm_state *state, struct adapting *adapting,
                    const struct adaptable *call);

#endif
