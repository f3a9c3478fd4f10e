/* SPDX-License-Identifier: BSD-3-Clause */
#include "adapting.h"

#include "preload/common/settings.h"

#include <stdio.h>

/*
 * The calls of a communicator, counted from 0, at which all its ranks look whether they
 * could gain: this one, and whenever there have been twice as many. They wait for the
 * latest a few times then; after so many calls that is little.
 */
enum { FIRST_LOOK = 128 };

/* What getting ready takes, in times that all ranks take to come together, and of how
   many times as long in calls that is to be a part. */
enum { GETTING_READY = 10, SHARE = 100 };

static void say(const struct comm_state *state, const struct adapting *adapting,
                const char *name, const int64_t *times, bool worth)
{
    const double scale = 1e-9 / state->size;
    int rank = 0;
    PMPI_Comm_rank(state->comm, &rank);
    if (rank == 0)
        fprintf(stderr, "motley-balance: %lld %s have taken %.3g s of %.3g s: %s\n",
                (long long)adapting->calls, name, scale * (double)times[0],
                scale * (double)times[1],
                worth ? "they are adapted" : "they are left to the MPI as yet");
}

/* Whether the calls are more than one per cent of the time of all ranks, and getting
   ready for them is no more of theirs, and possible. Collective. */
static bool is_worth_it(const struct comm_state *state, const struct adapting *adapting,
                        const char *name)
{
    PMPI_Barrier(state->comm);
    const int64_t together = now();
    PMPI_Barrier(state->comm);
    const int64_t left = now();
    const bool can = state->ready || registry_has_room();
    int64_t times[] = {adapting->time, left - adapting->began, left - together, can};
    PMPI_Allreduce(MPI_IN_PLACE, times, 4, MPI_INT64_T, MPI_SUM, state->comm);
    const bool worth = times[3] == state->size && times[0] > times[1] / SHARE &&
                       times[0] / (SHARE * GETTING_READY) > times[2];
    if (settings()->verbose)
        say(state, adapting, name, times, worth);
    return worth;
}

static void look(struct comm_state *state, struct adapting *adapting,
                 const struct adaptable *call)
{
    if (!comm_state_can_adapt(state)) {
        adapting->over = true;
    } else if (is_worth_it(state, adapting, call->kind->name)) {
        comm_state_get_ready(state);
        adapting->over = !state->ready;
        if (!state->ready)
            return;
        comm_state_adopt(state, adapting,
                         adapted_new(call->kind, &state->transfer, state->comm,
                                     settings()->verbose));
    }
}

static bool is_time_to_look(const struct adapting *adapting)
{
    const int64_t calls = adapting->calls;
    return calls >= FIRST_LOOK && (calls & (calls - 1)) == 0;
}

static int watch(const struct comm_state *state, struct adapting *adapting,
                 const struct adaptable *call)
{
    const int64_t entered = now();
    if (adapting->calls++ == 0)
        adapting->began = entered;
    const int status = call->kind->by_mpi(call->call, state->comm);
    adapting->time += now() - entered;
    return status;
}

static bool is_left_to_mpi(const struct adapting *adapting,
                           const struct adaptable *call)
{
    return adapting->over || !call->wanted || call->kept;
}

/* What is left to the MPI is not counted, so it must not be a call to look at either:
   all that follow would be such calls, too. */
bool adapting_carry(int *status, struct comm_state *state, struct adapting *adapting,
                    const struct adaptable *call)
{
    if (is_left_to_mpi(adapting, call))
        return false;
    if (!adapting->adapted && is_time_to_look(adapting))
        look(state, adapting, call);
    if (is_left_to_mpi(adapting, call))
        return false;
    *status = adapting->adapted
                  ? adapted_carry(adapting->adapted, call->call, call->bytes)
                  : watch(state, adapting, call);
    return true;
}
