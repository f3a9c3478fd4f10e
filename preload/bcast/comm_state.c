/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm_state.h"

#include "arguments.h"
#include "preload/common/oversubscription.h"
#include "preload/common/settings.h"
#include "preload/reduce/adapted.h"
#include "preload/waits/waits.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Calls, from 0, at which a communicator is set up; most never see so many. That takes
 * a millisecond or less. Where ranks lack cores it takes as long as 40 broadcasts, each
 * a matter of milliseconds, and is to take no more than 1 % of the time in broadcasts.
 */
enum { SET_UP = 2, SET_UP_WITHOUT_CORES = 4096 };

static struct options options;
static const struct method_kind *kind; /* NULL: none is wanted */
static int comm_key = MPI_KEYVAL_INVALID, self_key = MPI_KEYVAL_INVALID;
static atomic_bool wanted_on = true;

void comm_state_learn(struct comm_state *state, const struct bcast_call *call,
                      const struct tree *tree, const struct bcast_timing *timing)
{
    if (state->method)
        kind->learn(state->method, call, timing);
    if (state->lateness)
        lateness_after(state->lateness, call, tree, timing);
}

void comm_state_catch_up(struct comm_state *state)
{
    const struct bcast_timing none = {0};
    if (state->left.message.bytes > 0)
        comm_state_learn(state, &state->left, NULL, &none);
    state->left = (struct bcast_call){0};
}

static void tear_down(struct comm_state *state)
{
    struct method *method = state->method;
    comm_state_catch_up(state);
    registry_remove(&state->registered);
    transfer_finish(&state->transfer);
    if (state->lateness)
        lateness_write(state->lateness, &options,
                       method && kind->saved ? kind->saved(method) : 0);
    if (method)
        kind->finish(method);
    lateness_free(state->lateness);
    adapted_free(state->reductions.adapted);
    context_free(&state->context);
}

static int on_comm_free(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    struct comm_state *state = value;
    if (state->ready)
        tear_down(state);
    free(state);
    return MPI_SUCCESS;
}

/* Tearing down may be collective over each communicator, and they may overlap: all
   ranks take them in the same order. */
void comm_state_end(void)
{
    if (comm_key == MPI_KEYVAL_INVALID)
        return;
    struct registered *first;
    while ((first = registry_first())) {
        const struct comm_state *state = (const struct comm_state *)first;
        if (PMPI_Comm_delete_attr(state->comm, comm_key) != MPI_SUCCESS)
            break;
    }
    waits_end();
    arguments_end();
    PMPI_Comm_free_keyval(&comm_key);
    PMPI_Comm_free_keyval(&self_key);
}

/* The first thing in MPI_Finalize. */
static int on_end(MPI_Comm self, int key, void *value, void *extra)
{
    (void)self, (void)key, (void)value, (void)extra;
    comm_state_end();
    return MPI_SUCCESS;
}

bool comm_state_begin(const struct options *wanted, const struct method_kind *method)
{
    options = *wanted;
    kind = method;
    return arguments_begin() && waits_begin(wanted) &&
           PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_comm_free, &comm_key,
                                   NULL) == MPI_SUCCESS &&
           PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_end, &self_key, NULL) ==
               MPI_SUCCESS &&
           PMPI_Comm_set_attr(MPI_COMM_SELF, self_key, NULL) == MPI_SUCCESS;
}

static struct comm_state *attach(MPI_Comm comm)
{
    struct comm_state *state = calloc(1, sizeof(*state));
    if (!state)
        return NULL;
    int between_groups = 0;
    state->comm = comm;
    state->size = 1;
    state->set_up_call = SET_UP;
    state->began = now();
    state->delay = oversubscription_delay();
    PMPI_Comm_test_inter(comm, &between_groups);
    if (!between_groups)
        PMPI_Comm_size(comm, &state->size);
    if (PMPI_Comm_set_attr(comm, comm_key, state) == MPI_SUCCESS)
        return state;
    free(state);
    return NULL;
}

struct comm_state *comm_state_of(MPI_Comm comm)
{
    struct comm_state *state;
    int there = 0;
    if (comm_key == MPI_KEYVAL_INVALID)
        return NULL;
    if (PMPI_Comm_get_attr(comm, comm_key, (void *)&state, &there) != MPI_SUCCESS)
        return NULL;
    return there ? state : attach(comm);
}

struct name {
    char text[MPI_MAX_OBJECT_NAME];
};

static struct name name_of(MPI_Comm comm)
{
    struct name name = {""};
    int length;
    PMPI_Comm_get_name(comm, name.text, &length);
    return name;
}

static void say(const struct comm_state *state)
{
    const struct context *context = &state->context;
    const struct name name = name_of(state->comm);
    int nodes = 0;
    for (int rank = 0; rank < context->size; rank++)
        nodes += context->node[rank] == rank;
    fprintf(stderr, "motley-balance: %s: %d ranks on %d node%s, bcast=%s%s%s\n",
            *name.text ? name.text : "a nameless communicator", context->size, nodes,
            nodes == 1 ? "" : "s", bcast_mode_names[options.bcast],
            options.reduce ? ", reduce" : "", options.report ? ", report" : "");
}

/* Collective over the context; what cannot be had is had by no rank. */
static void add_parts(struct comm_state *state, int64_t began)
{
    const struct context *context = &state->context;
    if (kind)
        state->method = kind->create(context, options.verbose);
    if (options.report)
        state->lateness = lateness_new(context, name_of(state->comm).text, began);
}

static void turn_one(struct registered *entry)
{
    struct comm_state *state = (struct comm_state *)entry;
    if (state->method && kind->turn)
        kind->turn(state->method, wanted_on);
    if (state->reductions.adapted)
        adapted_turn(state->reductions.adapted, wanted_on);
}

/* A communicator with ranks of another MPI_COMM_WORLD, which were started with another
   environment, and may be without the library. */
static bool reaches_beyond_world(MPI_Comm comm)
{
    MPI_Group world, group;
    int size = 0, relation = MPI_UNEQUAL;
    PMPI_Comm_compare(comm, MPI_COMM_WORLD, &relation);
    if (relation != MPI_UNEQUAL)
        return false;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Comm_group(comm, &group);
    PMPI_Group_size(group, &size);
    bool beyond = false;
    for (int rank = 0; rank < size && !beyond; rank++) {
        int there = MPI_UNDEFINED;
        PMPI_Group_translate_ranks(group, 1, &rank, world, &there);
        beyond = there == MPI_UNDEFINED;
    }
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    return beyond;
}

/* Ranks that were told different things would take different ways. */
static bool all_can(const struct comm_state *state)
{
    const int wish = 8 * (int)options.bcast + 4 * options.reproducible +
                     2 * options.reduce + options.report;
    int mine[] = {registry_has_room(), wish, -wish}, least[3] = {0};
    PMPI_Allreduce(mine, least, 3, MPI_INT, MPI_MIN, state->comm);
    const bool same = least[1] == -least[2];
    if (!same)
        settings_complain(state->comm);
    return same && least[0];
}

bool comm_state_agrees(const struct comm_state *state)
{
    return !reaches_beyond_world(state->comm) && all_can(state);
}

/* A report is wanted of all calls, and the method of 2008 as it stands. */
static bool may_be_later(const struct comm_state *state)
{
    return state->set_up_call == SET_UP && options.bcast == BCAST_AUTO &&
           !options.report;
}

/* For more than a tenth of the time since the first call, in which all ranks have come
   together once. */
static bool lacks_core(const struct comm_state *state)
{
    const int64_t delay = oversubscription_delay() - state->delay;
    return delay > 1000000 && delay > (now() - state->began) / 10;
}

/* Collective over the context. */
static void finish_set_up(struct comm_state *state, int64_t began)
{
    state->transfer.context = &state->context;
    PMPI_Comm_rank(MPI_COMM_WORLD, &state->registered.world_rank);
    state->registered.number = registry_number();
    PMPI_Bcast(&state->registered, 2, MPI_INT, 0, state->context.comm);
    add_parts(state, began);
    state->ready = true;
    registry_add(&state->registered);
    turn_one(&state->registered);
    if (options.verbose && state->context.rank == 0)
        say(state);
}

void comm_state_set_up(struct comm_state *state)
{
    const int64_t began = now();
    if (state->ready || !comm_state_agrees(state) || !(kind || options.report))
        return;
    const bool later = may_be_later(state), wanted = !later || !lacks_core(state);
    if (context_init(&state->context, state->comm, wanted) == MPI_SUCCESS)
        finish_set_up(state, began);
    else
        state->set_up_call = later ? SET_UP_WITHOUT_CORES : -1;
}

void comm_state_get_ready(struct comm_state *state)
{
    const int64_t began = now();
    if (!state->ready &&
        context_init(&state->context, state->comm, true) == MPI_SUCCESS)
        finish_set_up(state, began);
}

void comm_state_switch(bool on)
{
    wanted_on = on;
    registry_each(turn_one);
}
