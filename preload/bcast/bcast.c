/* SPDX-License-Identifier: BSD-3-Clause */
#include "bcast.h"

#include "call.h"
#include "comm_state.h"
#include "preload/interpose/asked.h"
#include "preload/interpose/stock.h"
#include "preload/wait/arguments.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * The broadcast of a communicator, counted from 0, at which the library gets ready for
 * it, which takes a communicator and some collective calls. Most communicators never
 * see so many.
 */
enum { setup_call = 2 };

enum phase { NOT_STARTED, ACTIVE, PASSING };
static _Atomic enum phase phase;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start(void)
{
    const struct options *options = asked();
    const bool wanted = options->bcast != BCAST_OFF || options->report;
    phase = wanted && comm_state_begin(options) ? ACTIVE : PASSING;
}

static bool is_active(void)
{
    int begun = 0, over = 0;
    if (phase == NOT_STARTED) {
        PMPI_Initialized(&begun);
        PMPI_Finalized(&over);
        if (begun && !over)
            pthread_once(&once, start);
    }
    return phase == ACTIVE;
}

/* The bytes of a message; 0: none, or more than can be. */
static size_t bytes_of(const struct call *call)
{
    MPI_Count size = 0;
    size_t bytes;
    if (PMPI_Type_size_x(call->type, &size) != MPI_SUCCESS || size <= 0 ||
        __builtin_mul_overflow((size_t)size, (size_t)call->count, &bytes))
        return 0;
    return bytes;
}

/* NULL: the call is none to do anything about. */
static struct comm_state *take(struct call *call, MPI_Comm comm)
{
    if (!is_active() || comm == MPI_COMM_NULL)
        return NULL;
    struct comm_state *state = comm_state_of(comm);
    if (!state || state->size == 1 || !arguments_right(call, state->size))
        return NULL;
    call->bytes = bytes_of(call);
    if (call->bytes == 0)
        return NULL;
    if (state->calls++ == setup_call)
        comm_state_set_up(state);
    return state;
}

static const struct tree *route(struct comm_state *state, const struct call *call,
                                int *status)
{
    if (state->adapt)
        return adapt_route(state->adapt, call, status);
    if (state->paper)
        return paper_route(state->paper, call, status);
    return NULL;
}

static void learn(struct comm_state *state, const struct call *call,
                  const struct timing *timing)
{
    if (state->adapt)
        adapt_learn(state->adapt, call, timing);
    if (state->paper)
        paper_learn(state->paper, call, timing);
    if (state->report)
        report_after(state->report, call, timing);
}

/* What came before the message, a plan or a token, is time in the call, too. */
static int along_tree(struct comm_state *state, const struct call *call,
                      const struct tree *tree, int64_t entered, struct timing *timing)
{
    const int64_t before = now() - entered;
    const int status = transfer_bcast(&state->transfer, call, tree, timing);
    timing->in_call += before;
    if (call->root != state->context.rank)
        timing->waited += before;
    return status;
}

/* Nobody can tell how much of the MPI's own broadcast is waiting. */
static int leave_to_mpi(struct comm_state *state, const struct call *call,
                        int64_t entered, struct timing *timing)
{
    transfer_progress(&state->transfer);
    const int status = stock_bcast(call, state->comm);
    timing->in_call = now() - entered;
    timing->waited = call->root == state->context.rank ? 0 : timing->in_call;
    return status;
}

/* A broadcast that is the MPI's, and of which nobody needs the time: on a small
   message, looking at the clock costs as much as all else here. */
static int leave_alone(struct comm_state *state, const struct call *call)
{
    const struct timing none = {0};
    transfer_progress(&state->transfer);
    const int status = stock_bcast(call, state->comm);
    adapt_learn(state->adapt, call, &none);
    return status;
}

/*
 * What is learnt of a call counts it, also where it failed on this rank alone: the
 * others are on their way along the tree then, so this one does not wait for them in
 * the MPI's broadcast, but says so. The MPI's own failures have been raised already.
 */
static int carry(struct comm_state *state, const struct call *call)
{
    if (state->adapt && !state->report && adapt_is_idle(state->adapt, call))
        return leave_alone(state, call);

    const int64_t entered = now();
    struct timing timing = {0};
    int status = MPI_SUCCESS, mpi_status = MPI_SUCCESS;
    const struct tree *tree = route(state, call, &status);
    if (status == MPI_SUCCESS && state->report)
        status = report_before(state->report, call, tree);
    if (status == MPI_SUCCESS && tree)
        status = along_tree(state, call, tree, entered, &timing);
    else if (status == MPI_SUCCESS)
        mpi_status = leave_to_mpi(state, call, entered, &timing);
    learn(state, call, &timing);
    if (status == MPI_SUCCESS)
        return mpi_status;
    PMPI_Comm_call_errhandler(state->comm, status);
    return status;
}

bool bcast(int *status, void *buffer, MPI_Count count, MPI_Datatype type, int root,
           MPI_Comm comm, const void *site)
{
    struct call call = {buffer, count, type, 0, root, site};
    struct comm_state *state = take(&call, comm);
    if (state)
        *status = state->ready ? carry(state, &call) : stock_bcast(&call, comm);
    return state != NULL;
}

void bcast_switch(int level)
{
    comm_state_switch(level > 0);
}
