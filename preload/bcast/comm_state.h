/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comm_state.h - what the library knows of a communicator of the program.
 *
 * It hangs on the communicator as an attribute: it is made at the first broadcast,
 * duplicates begin with nothing, and it goes with MPI_Comm_free, or when the MPI ends.
 */
#ifndef MT_BALANCE_COMM_STATE_H
#define MT_BALANCE_COMM_STATE_H

#include "adapt.h"
#include "context.h"
#include "preload/bcast/paper/paper.h"
#include "preload/bcast/transfer/transfer.h"
#include "preload/interpose/options.h"
#include "preload/lateness/report.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct comm_state {
    MPI_Comm comm; /* the program's */
    int size;      /* 1 also for an intercommunicator: nothing is done there */
    int64_t calls; /* broadcasts of this communicator, but for those that no rank but
                      the MPI deals with */
    bool ready;    /* the rest is set up */
    struct context context;
    struct transfer transfer;
    struct adapt *adapt;   /* owned; NULL unless asked for */
    struct paper *paper;   /* owned; likewise */
    struct report *report; /* owned; likewise */
    struct comm_order {
        int world_rank, number; /* of the communicator's rank 0, and its own count */
    } order;
    struct comm_state *next; /* in the list of those that are ready */
};

/* Once the MPI runs; the options are kept. False: the MPI has refused. */
bool comm_state_begin(const struct options *options);
/* Called by itself when MPI_Finalize begins, but not in the simulator. */
void comm_state_end(void);
/* NULL when memory is short, and at the end of the MPI. */
struct comm_state *comm_state_of(MPI_Comm comm);
/* Collective: get ready, on all ranks or on none. */
void comm_state_set_up(struct comm_state *state);
/* Hand on MPI_Pcontrol to what is ready, and to what will be. */
void comm_state_switch(bool on);

#endif
