/* SPDX-License-Identifier: BSD-3-Clause */
/* Selects the broadcasts that the library carries out, and how. */
#include "bcast.h"

#include "comm_state.h"
#include "preload/common/options.h"
#include "preload/waits/waits.h"

static const struct method_kind *const methods[BCAST_MODES] = {
    [BCAST_AUTO] = &method_auto,
    [BCAST_PAPER] = &method_paper,
    [BCAST_PAPER_2] = &method_paper};

bool bcast_begin(void)
{
    const struct options *options = settings();
    return comm_state_begin(options, methods[options->bcast]);
}

#if MPI_VERSION < 4
/* Exists in MPI 4, under which we may run. */
#pragma weak PMPI_Bcast_c
int PMPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root,
                 MPI_Comm comm);
#endif

/* Only MPI_Bcast_c has counts that do not fit an int. Other ranks may describe the same
   message by another type, with a count that fits. */
static int pass(const struct message *message, int root, MPI_Comm comm)
{
    if (message->count != (int)message->count)
        return PMPI_Bcast_c(message->buffer, message->count, message->type, root, comm);
    return PMPI_Bcast(message->buffer, (int)message->count, message->type, root, comm);
}

/*
 * Set while this thread works for the library: an MPI_Bcast from inside the MPI is then
 * not the program's call. The program's error handlers are called outside, as they may
 * never return.
 */
static __thread bool inside;

static int pass_outside(const struct message *message, int root, MPI_Comm comm)
{
    inside = false;
    const int status = pass(message, root, comm);
    inside = true;
    return status;
}

static void raise_outside(MPI_Comm comm, int status)
{
    inside = false;
    PMPI_Comm_call_errhandler(comm, status);
    inside = true;
}

/* NULL: the call needs no work by the library. */
static struct comm_state *take(struct bcast_call *call, MPI_Comm comm)
{
    if (inside || comm == MPI_COMM_NULL)
        return NULL;
    struct comm_state *state = comm_state_of(comm);
    if (!state || state->size == 1)
        return NULL;
    const size_t bytes = message_check(&call->message, call->root, state->size);
    call->message.bytes = bytes;
    return bytes > 0 && bytes <= MESSAGE_MOST_BYTES ? state : NULL;
}

static const struct tree *route(struct comm_state *state, const struct bcast_call *call,
                                int *status)
{
    struct method *method = state->method;
    return method ? method->kind->route(method, call, status) : NULL;
}

/* A plan or token before the message is part of the call's time, too. */
static int along_tree(struct comm_state *state, const struct bcast_call *call,
                      const struct tree *tree, int64_t entered,
                      struct bcast_timing *timing)
{
    const int64_t before = now() - entered;
    const int status = transfer_bcast(&state->transfer, &call->message, tree, timing);
    timing->in_call += before;
    if (call->root != state->context.rank)
        timing->waited += before;
    return status;
}

/* The share of waiting in the MPI's own broadcast is unknown. */
static int leave_to_mpi(struct comm_state *state, const struct bcast_call *call,
                        int64_t entered, struct bcast_timing *timing)
{
    transfer_progress(&state->transfer);
    state->left = *call;
    const int status = pass_outside(&call->message, call->root, state->comm);
    state->left = (struct bcast_call){0};
    timing->in_call = now() - entered;
    timing->waited = call->root == state->context.rank ? 0 : timing->in_call;
    return status;
}

/* Whether the MPI's own broadcast needs no timing: for a small message, looking at the
   clock costs as much as everything else here. */
static bool needs_no_clock(struct comm_state *state, const struct bcast_call *call)
{
    struct method *method = state->method;
    return method && method->kind->is_idle && !state->lateness &&
           method->kind->is_idle(method, call);
}

static int leave_alone(struct comm_state *state, const struct bcast_call *call)
{
    const struct bcast_timing none = {0};
    transfer_progress(&state->transfer);
    comm_state_learn(state, call, NULL, &none);
    return pass_outside(&call->message, call->root, state->comm);
}

/*
 * Learning also counts the calls, so it follows even a call that failed on this rank
 * alone. The other ranks may be sending along the tree, so this one must not wait for
 * them in the MPI's own broadcast; it raises the error. The MPI has raised its own
 * errors already.
 */
static int carry(struct comm_state *state, const struct bcast_call *call)
{
    comm_state_catch_up(state);
    if (needs_no_clock(state, call))
        return leave_alone(state, call);

    const int64_t entered = now();
    struct bcast_timing timing = {0};
    int status = MPI_SUCCESS, mpi_status = MPI_SUCCESS;
    const struct tree *tree = route(state, call, &status);
    if (status == MPI_SUCCESS && state->lateness)
        status = lateness_before(state->lateness, call, tree);
    if (status == MPI_SUCCESS && tree)
        status = along_tree(state, call, tree, entered, &timing);
    else if (status == MPI_SUCCESS)
        mpi_status = leave_to_mpi(state, call, entered, &timing);
    comm_state_learn(state, call, tree, &timing);
    if (status == MPI_SUCCESS)
        return mpi_status;
    raise_outside(state->comm, status);
    return status;
}

/* Let calls pass untimed. All ranks count the same ones. */
static void let_pass(struct comm_state *state)
{
    if (settings()->report)
        return;
    state->passing.left = agreement_idle_calls(&state->agreement, state->calls);
    state->calls += state->passing.left;
}

/* Until the ranks have agreed. */
static int wait_and_see(struct comm_state *state, const struct bcast_call *call)
{
    const struct message *message = &call->message;
    const bool idle = agreement_idle_calls(&state->agreement, state->calls++) > 0;
    let_pass(state);
    if (idle)
        return pass_outside(message, call->root, state->comm);
    const int64_t entered = now();
    const int status = pass_outside(message, call->root, state->comm);
    agreement_note(&state->agreement, now() - entered, message->bytes);
    return status;
}

/* The calls to pass are like this one. */
static void describe(struct passing *passing, MPI_Datatype type)
{
    const size_t size = message_known_size(type);
    passing->most = size > 0 ? (int64_t)(MESSAGE_MOST_BYTES / size) : 0;
    passing->type = (uintptr_t)type & passing->handle_bits;
    passing->in_place = MPI_IN_PLACE;
    passing->bcast =
        (int (*)(void *, int, void *, int, void *))(void (*)(void))PMPI_Bcast;
}

static int take_part(struct comm_state *state, const struct bcast_call *call)
{
    inside = true;
    if (!state->ready)
        comm_state_meet(state, call->root);
    const int status = state->ready ? carry(state, call) : wait_and_see(state, call);
    inside = false;
    return status;
}

int bcast(const struct bcast_call *made, MPI_Comm comm, struct passing **passing)
{
    struct bcast_call call = *made;
    struct comm_state *state = take(&call, comm);
    if (state && state->passing.left > 0) {
        state->passing.left--;
        describe(&state->passing, call.message.type);
        if (passing)
            *passing = &state->passing;
        return pass(&call.message, call.root, comm);
    }
    struct watched watched = {.call = CALL_Bcast, .site = call.site};
    if (!inside)
        waits_before(&watched,
                     (const call_word[]){0, 0, 0, call.root, (call_word)comm});
    const int status =
        state ? take_part(state, &call) : pass(&call.message, call.root, comm);
    waits_after(&watched);
    return status;
}
