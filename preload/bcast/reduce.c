/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce.h"

#include "bcast.h"
#include "comm_state.h"
#include "preload/common/settings.h"
#include "preload/reduce/adapted.h"
#include "preload/reduce/exact.h"
#include "preload/reduce/trial.h"

#include <stdio.h>

/*
 * The reductions of a communicator, counted from 0, at which all its ranks look whether
 * they could gain: this one, and whenever there have been twice as many. Three times
 * they wait for the latest then; after so many calls that is little.
 */
enum { FIRST_LOOK = 128 };

/* What getting ready takes, in times that all ranks take to come together, and of how
   many times as long in reductions that is to be a part. */
enum { GETTING_READY = 10, SHARE = 100 };

/* On the root, or another rank, whose buffers are another matter. */
static bool has_buffers(const struct reduction *reduction, int rank)
{
    if (rank != reduction->root)
        return reduction->send && reduction->send != MPI_IN_PLACE;
    return reduction->receive && reduction->receive != MPI_IN_PLACE &&
           reduction->send && reduction->send != reduction->receive;
}

/* 0: what is to be reduced is not known, or it is too little, or too much. All ranks of
   a correct program come to the same, as MPI has them give the same arguments. */
static size_t bytes_of(const struct reduction *reduction)
{
    int size = 0;
    if (reduction->count <= 0 ||
        exactness_of(reduction->op, reduction->type) == NOT_KNOWN ||
        PMPI_Type_size(reduction->type, &size) != MPI_SUCCESS)
        return 0;
    const size_t bytes = (size_t)size * (size_t)reduction->count;
    return bytes >= TRIAL_LEAST_BYTES && bytes <= TRIAL_MOST_BYTES ? bytes : 0;
}

/* NULL: nothing is to be done about this call. */
static struct comm_state *take(struct reduction *reduction, MPI_Comm comm)
{
    int rank = 0;
    if (!bcast_is_active() || comm == MPI_COMM_NULL)
        return NULL;
    reduction->bytes = bytes_of(reduction);
    if (reduction->bytes == 0)
        return NULL;
    struct comm_state *state = comm_state_of(comm);
    if (!state || state->size == 1 || reduction->root < 0 ||
        reduction->root >= state->size)
        return NULL;
    PMPI_Comm_rank(comm, &rank);
    return has_buffers(reduction, rank) ? state : NULL;
}

static bool must_keep_order(const struct reduction *reduction)
{
    return settings()->reproducible &&
           exactness_of(reduction->op, reduction->type) == UP_TO_ORDER;
}

static void say(const struct comm_state *state, const int64_t *times, bool worth)
{
    const double scale = 1e-9 / state->size;
    int rank = 0;
    PMPI_Comm_rank(state->comm, &rank);
    if (rank == 0)
        fprintf(stderr,
                "motley-balance: %lld reductions have taken %.3g s of %.3g s: %s\n",
                (long long)state->reductions.calls, scale * (double)times[0],
                scale * (double)times[1],
                worth ? "they are adapted" : "they are left to the MPI as yet");
}

/* Whether reductions are more than one per cent of the time of all ranks, and getting
   ready for them is no more of theirs. Collective. */
static bool is_worth_it(const struct comm_state *state)
{
    const struct reductions *reductions = &state->reductions;
    PMPI_Barrier(state->comm);
    const int64_t together = now();
    PMPI_Barrier(state->comm);
    const int64_t left = now();
    int64_t times[] = {reductions->time, left - reductions->began, left - together};
    PMPI_Allreduce(MPI_IN_PLACE, times, 3, MPI_INT64_T, MPI_SUM, state->comm);
    const bool worth =
        times[0] * SHARE > times[1] && times[0] > SHARE * GETTING_READY * times[2];
    if (settings()->verbose)
        say(state, times, worth);
    return worth;
}

/* Ranks that were told different things find out together, so what this one was told
   counts only once all have compared it. */
static void look(struct comm_state *state)
{
    struct reductions *reductions = &state->reductions;
    reductions->agreed =
        reductions->agreed || (comm_state_agrees(state) && settings()->reduce);
    if (!reductions->agreed) {
        reductions->over = true;
    } else if (is_worth_it(state)) {
        comm_state_get_ready(state);
        reductions->over = !state->ready;
        if (!state->ready)
            return;
        reductions->adapted =
            adapted_new(&state->transfer, state->comm, settings()->verbose);
        comm_state_turn(state);
    }
}

static bool is_time_to_look(const struct reductions *reductions)
{
    const int64_t calls = reductions->calls;
    return calls >= FIRST_LOOK && (calls & (calls - 1)) == 0;
}

static int watch(struct comm_state *state, const struct reduction *reduction)
{
    struct reductions *reductions = &state->reductions;
    const int64_t entered = now();
    if (reductions->calls++ == 0)
        reductions->began = entered;
    const int status =
        PMPI_Reduce(reduction->send, reduction->receive, reduction->count,
                    reduction->type, reduction->op, reduction->root, state->comm);
    reductions->time += now() - entered;
    return status;
}

bool reduce(int *status, const struct reduction *made, MPI_Comm comm)
{
    struct reduction reduction = *made;
    struct comm_state *state = take(&reduction, comm);
    if (!state || state->reductions.over)
        return false;
    struct reductions *reductions = &state->reductions;
    if (!reductions->adapted && is_time_to_look(reductions))
        look(state);
    if (reductions->over || (reductions->agreed && must_keep_order(&reduction)))
        return false;
    *status = reductions->adapted ? adapted_reduce(reductions->adapted, &reduction)
                                  : watch(state, &reduction);
    return true;
}
