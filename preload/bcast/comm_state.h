/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comm_state.h - what the library knows of a communicator of the program.
 *
 * It hangs on the communicator as an attribute: it begins at the first call, duplicates
 * begin with nothing, and it goes with MPI_Comm_free, or when the MPI ends.
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
    int64_t began, time;     /* ns: when the first was called; in all of them */
    bool over;               /* they are the MPI's for good */
    struct adapted *adapted; /* owned; NULL until it is worth it */
};

struct comm_state {
    struct registered registered; /* while `ready` */
    MPI_Comm comm;                /* the program's */
    int size;      /* 1 also for an intercommunicator: nothing is done there */
    int64_t calls; /* broadcasts before it was `ready`, except those that only the MPI
                      handles */
    struct agreement agreement; /* on getting ready */
    bool ready;                 /* the rest is set up */
    struct bcast_call left; /* to the MPI, and not yet come back from; no bytes: none */
    struct context context;
    struct transfer transfer;
    struct method *method;     /* owned; NULL unless the options have one */
    struct lateness *lateness; /* owned; NULL unless the options have a report */
    struct adapting reductions, gathers;
    struct comm_state *next; /* in a list of those that hang on no communicator */
    struct passing passing;  /* how many calls still go straight to the MPI, which
                                `calls`  has already. The last: other threads may look at
                                it even  when the state is one of another communicator */
};

/* In MPI_Init, collective over MPI_COMM_WORLD; the options must stay. `method` is NULL
   if broadcasts are only watched. Whether, on all ranks of the world, there is anything
   to do: they have the same options and what they need. */
bool comm_state_begin(const struct options *options, const struct method_kind *method);
/* Called by itself when MPI_Finalize begins, but not in the simulator. */
void comm_state_end(void);
/* NULL at the end of the MPI, and beyond the most communicators that an MPI has. */
struct comm_state *comm_state_of(MPI_Comm comm);
/* Ahead of each broadcast, until `ready`: at some of them the ranks agree, and all get
   ready or none. */
void comm_state_meet(struct comm_state *state, int root);
/* Whether it has ranks of another MPI_COMM_WORLD, which were started with another
   environment, and may be without the library. */
bool comm_state_is_beyond_world(const struct comm_state *state);
/* Collective: get ready, on all ranks or on none, where they agree and gain by it. */
void comm_state_get_ready(struct comm_state *state);
/* Ahead of MPI_Comm_free: MPICH puts off the rest of it, and the program's functions
   that delete attributes, as long as something of ours is under way. */
void comm_state_leave(MPI_Comm comm);
/* Learn from a call; `tree` is NULL for the MPI's own broadcast. */
void comm_state_learn(struct comm_state *state, const struct bcast_call *call,
                      const struct tree *tree, const struct bcast_timing *timing);
/* The same, late, for a call that the program's error handler has left by longjmp or an
   exception, should there be one. */
void comm_state_catch_up(struct comm_state *state);
/* Hand on MPI_Pcontrol to what is ready, and to what will be: 0 switches off. */
void comm_state_switch(int level);
/* Add the adaptation of a collective's calls, owned from now on, to a state that is
   ready. NULL: not adapted. */
void comm_state_adopt(struct comm_state *state, struct adapting *adapting,
                      struct adapted *adapted);

#endif
