/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call.h - one call of MPI_Bcast, and what its rank saw of time in it.
 *
 * Times are local durations in nanoseconds: clocks of different ranks are never
 * compared.
 */
#ifndef MT_BALANCE_CALL_H
#define MT_BALANCE_CALL_H

#include "message.h"

#include <stdint.h>
#include <time.h>

struct bcast_call {
    struct message message;
    int root;
    const void *site; /* where the program called from */
};

struct bcast_timing {
    int64_t waited;  /* from entering the call until the message, or its first segment,
                        had come; 0 at the root */
    int64_t in_call; /* from entering to leaving */
};

/* In ns. The MPI's own function takes longer than the system's; the simulator's time is
   its own. */
static inline int64_t now(void)
{
#ifdef SMPI_H
    return (int64_t)(PMPI_Wtime() * 1e9);
#else
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
#endif
}

#endif
