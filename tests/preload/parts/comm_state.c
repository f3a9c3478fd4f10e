/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comm_state same|mode|words: communicators are set up on all ranks, or, if one rank
 * has another mode or other words, on none. Ranks share no variables in the simulator.
 */
#include "preload/bcast/comm_state.h"
#include "preload/common/method.h"
#include "tests/preload/programs/check.h"

#include <stdlib.h>
#include <string.h>

static int rank, ranks;
static int learned; /* calls */

static void learn(struct method *method, const struct bcast_call *call,
                  const struct bcast_timing *timing)
{
    learned++;
    method_auto.learn(method, call, timing);
}

static void check_ready(MPI_Comm comm, const char *name)
{
    struct comm_state *state = comm_state_of(comm);
    if (!state)
        MPI_Abort(MPI_COMM_WORLD, 1);
    check(state == comm_state_of(comm), "%s: has one state", name);
    check(!state->ready, "%s: nothing is set up before it is wanted", name);
    state->calls = state->agreement.next;
    agreement_note(&state->agreement, 1000000, 8);
    comm_state_meet(state, 0);
    check(state->ready && state->method, "%s: is ready", name);
    check(state->context.rank >= 0 && state->context.comm != comm,
          "%s: has a communicator of the library's", name);
}

/* The MPI's own broadcast, which the program's error handler leaves by longjmp. */
static void check_left(struct comm_state *state)
{
    const struct bcast_call call = {
        .message = {.count = 8, .type = MPI_BYTE, .bytes = 8}};
    const int before = learned;
    int status = MPI_SUCCESS;
    state->method->kind->route(state->method, &call, &status);
    state->left = call;
    comm_state_catch_up(state);
    check(learned == before + 1, "a call that was left is made up for");
    comm_state_catch_up(state);
    check(learned == before + 1, "once");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char *other = argc > 1 ? argv[1] : "same";
    const bool same = strcmp(other, "same") == 0, is_other = !same && rank == ranks - 1;
    const bool off = is_other && strcmp(other, "mode") == 0;
    const struct options options = {.bcast = off ? BCAST_OFF : BCAST_AUTO,
                                    .reduce = is_other && !off};
    struct method_kind counting = method_auto;
    counting.learn = learn;
    check(comm_state_begin(&options, off ? NULL : &counting) == same, "begins");
    if (!same) {
        check(!comm_state_of(MPI_COMM_WORLD), "nothing begins");
        return check_finish();
    }

    MPI_Comm half, copy;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    check_ready(MPI_COMM_WORLD, "MPI_COMM_WORLD");
    check_ready(half, "a half");
    check_left(comm_state_of(MPI_COMM_WORLD));

    MPI_Comm_dup(half, &copy);
    check(!comm_state_of(copy)->ready, "a duplicate begins with nothing");
    MPI_Comm_free(&copy);
    if (rank % 2 == 0)
        MPI_Comm_free(&half); /* the others' goes at the end, with MPI_COMM_WORLD's */
    comm_state_end();
    check(registry_first() == NULL, "all are taken down");
    return check_finish();
}
