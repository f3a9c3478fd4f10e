/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comm_state.h - the library's state of a communicator of the program.
 *
 * It is an attribute of the communicator, created at the first call. Duplicates start
 * without it, and MPI_Comm_free or the end of the MPI deletes it.
 */
#ifndef MT_BALANCE_COMM_STATE_H
#define MT_BALANCE_COMM_STATE_H

#include "agreement.h"
#include "preload/bcast/transfer/transfer.h"
#include "preload/common/method.h"
#include "preload/common/options.h"
#include "preload/common/passing.h"
#include "preload/lateness/lateness.h"
#include "registry.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct adapted;

/* The calls of a collective: see rooted_calls.c. */
struct adapting {
    int64_t calls;           /* before `adapted`, except those that only the MPI
                                handles */
    int64_t began, time;     /* ns: time of the first call; total time in all of them */
    bool over;               /* left to the MPI for good */
    struct adapted *adapted; /* owned; NULL until it pays */
};

struct comm_state {
    struct registered registered; /* while `ready` */
    MPI_Comm comm;                /* the program's */
    int size;      /* 1 also for an intercommunicator, which is left alone */
    int64_t calls; /* broadcasts before it was `ready`, except those that only the MPI
                      handles */
    struct agreement agreement; /* on getting ready */
    bool ready;                 /* the rest is set up */
    struct bcast_call left; /* passed to the MPI and not returned yet; no bytes: none */
    struct context context;
    struct transfer transfer;
    struct method *method;     /* owned; NULL unless the options have one */
    struct lateness *lateness; /* owned; NULL unless the options have a report */
    struct adapting reductions, gathers;
    struct comm_state *next; /* in the list of states that no communicator holds */
    struct passing passing;  /* calls that still go straight to the MPI, already
                                included in `calls`. Last member: other threads may read
                                it even after the state went to another communicator */
};

/* In MPI_Init, collective over MPI_COMM_WORLD; the options must stay. `method` is NULL
   if broadcasts are only watched. Returns, the same on all ranks of MPI_COMM_WORLD,
   whether there is anything to do: all have the same options and enough memory. */
bool comm_state_begin(const struct options *options, const struct method_kind *method);
/* Called automatically when MPI_Finalize begins, but not in the simulator. */
void comm_state_end(void);
/* NULL at the end of the MPI, and beyond the largest number of communicators. */
struct comm_state *comm_state_of(MPI_Comm comm);
/* Before each broadcast, until `ready`: at some of them the ranks decide together to
   set up, all or none. */
void comm_state_meet(struct comm_state *state, int root);
/* Whether it has ranks of another MPI_COMM_WORLD, which were started with another
   environment, and may be without the library. */
bool comm_state_is_beyond_world(const struct comm_state *state);
/* Collective: set up, on all ranks or on none, if they agree and gain by it. */
void comm_state_get_ready(struct comm_state *state);
/* Before MPI_Comm_free: MPICH delays the rest of it, and the program's attribute delete
   functions, while a message of ours is in transit. */
void comm_state_leave(MPI_Comm comm);
/* Learn from a call; `tree` is NULL for the MPI's own broadcast. */
void comm_state_learn(struct comm_state *state, const struct bcast_call *call,
                      const struct tree *tree, const struct bcast_timing *timing);
/* The same, afterwards, for a call that the program's error handler left by longjmp or
   an exception, if any. */
void comm_state_catch_up(struct comm_state *state);
/* Pass MPI_Pcontrol on to all states that are or will be ready: 0 switches off. */
void comm_state_switch(int level);
/* Add the adaptation of a collective's calls, owned from now on, to a state that is
   ready. NULL: not adapted. */
void comm_state_adopt(struct comm_state *state, struct adapting *adapting,
                      struct adapted *adapted);

#endif
