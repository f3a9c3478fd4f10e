/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm_state.h"

#include "arguments.h"
#include "preload/common/oversubscription.h"
#include "preload/common/settings.h"
#include "preload/rooted/adapted.h"
#include "preload/waits/waits.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Calls before a communicator is set up whose ranks lack cores. It takes them as long
 * as 40 broadcasts, each a matter of milliseconds: to be no more than 1 % of the time
 * in broadcasts.
 */
enum { MANY_CALLS = 4096 };

/*
 * Meetings of the ranks are at these calls. At the first they hear whether every call
 * matters; else they make statements at the second, which is behind the broadcasts of
 * most communicators, if it is worth it, and judge them at a third, twice as late. Then
 * all goes on from there, later and later.
 */
enum { SECOND_MEETING = 16, TO_JUDGE = 2, TO_STATE_AGAIN = 4 };

static struct options options;
static const struct method_kind *kind; /* NULL: none is wanted */
static int comm_key = MPI_KEYVAL_INVALID, self_key = MPI_KEYVAL_INVALID;
static atomic_bool wanted_on = true;
/* How often states have gone: handles of communicators that are no more come again. */
static atomic_uint gone;
static int64_t begun_at, delay_before; /* ns: when this did, and the lack of a core
                                       until then */

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
    adapted_free(state->gathers.adapted);
    adapted_free(state->scatters.adapted);
    context_free(&state->context);
}

static int on_comm_free(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    struct comm_state *state = value;
    gone++;
    agreement_end(&state->agreement);
    if (state->ready)
        tear_down(state);
    passing_free(state->passing);
    free(state);
    return MPI_SUCCESS;
}

/* Tearing down may be collective over each communicator, and they may overlap: all
   ranks take them in the same order. */
void comm_state_end(void)
{
    if (comm_key == MPI_KEYVAL_INVALID)
        return;
    agreement_end_all();
    struct registered *first;
    while ((first = registry_first())) {
        const struct comm_state *state = (const struct comm_state *)first;
        if (PMPI_Comm_delete_attr(state->comm, comm_key) != MPI_SUCCESS)
            break;
    }
    waits_end();
    arguments_end();
    PMPI_Comm_free_keyval(&comm_key);
    gone++;
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
    begun_at = now();
    delay_before = oversubscription_delay();
    return arguments_begin() && waits_begin(wanted) &&
           PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_comm_free, &comm_key,
                                   NULL) == MPI_SUCCESS &&
           PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_end, &self_key, NULL) ==
               MPI_SUCCESS &&
           PMPI_Comm_set_attr(MPI_COMM_SELF, self_key, NULL) == MPI_SUCCESS;
}

static struct comm_state *attach(MPI_Comm comm)
{
    const uintptr_t handle_bits =
        sizeof(comm) == sizeof(int) ? UINT32_MAX : UINTPTR_MAX;
    struct comm_state *state = calloc(1, sizeof(*state));
    int between_groups = 0;
    if (!state)
        return NULL;
    state->comm = comm;
    state->size = 1;
    agreement_init(&state->agreement);
    PMPI_Comm_test_inter(comm, &between_groups);
    if (!between_groups)
        PMPI_Comm_size(comm, &state->size);
    state->passing = passing_new(handle_bits, (uintptr_t)comm, state->size);
    if (state->passing && PMPI_Comm_set_attr(comm, comm_key, state) == MPI_SUCCESS)
        return state;
    if (state->passing)
        passing_free(state->passing);
    free(state);
    return NULL;
}

static struct comm_state *find(MPI_Comm comm, bool make)
{
    struct comm_state *state;
    int there = 0;
    if (comm_key == MPI_KEYVAL_INVALID ||
        PMPI_Comm_get_attr(comm, comm_key, (void *)&state, &there) != MPI_SUCCESS)
        return NULL;
    if (there)
        return state;
    return make ? attach(comm) : NULL;
}

/* The MPI takes longer to find an attribute than all else takes that is done ahead of
   most broadcasts. */
struct comm_state *comm_state_of(MPI_Comm comm)
{
    static __thread struct {
        MPI_Comm comm;
        struct comm_state *state;
        unsigned gone;
    } last;
    const unsigned gone_now = gone;
    if (!last.state || last.gone != gone_now || last.comm != comm) {
        last.state = find(comm, true);
        last.comm = comm;
        last.gone = gone_now;
    }
    return last.state;
}

void comm_state_leave(MPI_Comm comm)
{
    struct comm_state *state = find(comm, false);
    if (state)
        agreement_end(&state->agreement);
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
    fprintf(stderr, "motley-balance: %s: %d ranks on %d node%s, bcast=%s%s%s%s%s\n",
            *name.text ? name.text : "a nameless communicator", context->size, nodes,
            nodes == 1 ? "" : "s", bcast_mode_names[options.bcast],
            options.reduce ? ", reduce" : "", options.gather ? ", gather" : "",
            options.scatter ? ", scatter" : "", options.report ? ", report" : "");
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

/* While the registry is locked: what another thread's MPI_Pcontrol says is heard here,
   or by comm_state_switch(), or by both. */
static void turn(struct comm_state *state)
{
    if (state->method && kind->turn)
        kind->turn(state->method, wanted_on);
    adapted_turn(state->reductions.adapted, wanted_on);
    adapted_turn(state->gathers.adapted, wanted_on);
    adapted_turn(state->scatters.adapted, wanted_on);
}

static void turn_one(struct registered *entry)
{
    turn((struct comm_state *)entry);
}

void comm_state_adopt(struct comm_state *state, struct adapting *adapting,
                      struct adapted *adapted)
{
    registry_lock();
    adapting->adapted = adapted;
    turn(state);
    registry_unlock();
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
static int wish(void)
{
    return 32 * (int)options.bcast + 16 * options.scatter + 8 * options.gather +
           4 * options.reproducible + 2 * options.reduce + options.report;
}

bool comm_state_agrees(const struct comm_state *state)
{
    if (reaches_beyond_world(state->comm))
        return false;
    int mine[] = {wish(), -wish()}, least[2] = {0};
    PMPI_Allreduce(mine, least, 2, MPI_INT, MPI_MIN, state->comm);
    const bool same = least[0] == -least[1];
    if (!same)
        settings_complain(state->comm);
    return same;
}

/* For more than a tenth of the time. */
static bool lacks_core(void)
{
    const int64_t delay = oversubscription_delay() - delay_before;
    return delay > 1000000 && delay > (now() - begun_at) / 10;
}

void comm_state_get_ready(struct comm_state *state)
{
    if (state->ready)
        return;
    const int64_t start = now();
    state->agreement.next = -1;
    if (options.report)
        waits_ask(state->comm);
    if (context_init(&state->context, state->comm) != MPI_SUCCESS)
        return;
    state->transfer.context = &state->context;
    PMPI_Comm_rank(MPI_COMM_WORLD, &state->registered.world_rank);
    state->registered.number = registry_number();
    PMPI_Bcast(&state->registered, 2, MPI_INT, 0, state->context.comm);
    add_parts(state, start);
    state->ready = true;
    state->passing->left = 0;
    registry_add(&state->registered);
    registry_lock();
    turn(state);
    registry_unlock();
    if (options.verbose && state->context.rank == 0)
        say(state);
}

/* A report is wanted of all calls, and the method of 2008 as it stands. */
static bool wants_all_calls(void)
{
    return options.report || options.bcast == BCAST_PAPER;
}

static void make_statement(struct comm_state *state)
{
    const bool content = agreement_is_content(&state->agreement);
    const struct statement statement = {
        .can = registry_has_room(),
        .wish = wish(),
        .minus_wish = -wish(),
        .has_core = content || !lacks_core(),
        .content = content,
    };
    agreement_begin(&state->agreement, &statement, state->comm);
}

/* What all ranks said decides, so all decide the same. */
static void judge(struct comm_state *state)
{
    struct agreement *agreement = &state->agreement;
    const struct statement *all = &agreement->all;
    agreement_end(agreement);
    if (!agreement_is_common(agreement))
        settings_complain(state->comm);
    if (!agreement_is_common(agreement) || !all->can || (!kind && !options.report))
        agreement->next = -1;
    else if (wants_all_calls() ||
             (!all->content && (all->has_core || state->calls >= MANY_CALLS)))
        comm_state_get_ready(state);
    else if (state->calls < SECOND_MEETING)
        agreement_put_off(agreement, SECOND_MEETING);
    else
        agreement_put_off(agreement, TO_STATE_AGAIN * state->calls);
}

static void meet_first(struct comm_state *state, int root)
{
    struct agreement *agreement = &state->agreement;
    if (reaches_beyond_world(state->comm)) {
        agreement->next = -1;
    } else if (agreement_is_at_once() ||
               agreement_hear(wants_all_calls(), root, state->comm)) {
        make_statement(state);
        judge(state);
    } else {
        agreement_put_off(agreement, SECOND_MEETING);
    }
}

void comm_state_meet(struct comm_state *state, int root)
{
    struct agreement *agreement = &state->agreement;
    if (state->calls != agreement->next)
        return;
    if (state->calls < SECOND_MEETING) {
        meet_first(state, root);
    } else if (agreement->open) {
        if (agreement_is_reached(agreement, root, state->comm))
            judge(state);
        else
            agreement_put_off(agreement, TO_JUDGE * state->calls);
    } else if (agreement_is_at_once()) {
        make_statement(state);
        judge(state);
    } else if (agreement_hear(agreement_is_worth_it(agreement), root, state->comm)) {
        make_statement(state);
        agreement_put_off(agreement, TO_JUDGE * state->calls);
    } else {
        agreement_put_off(agreement, TO_STATE_AGAIN * state->calls);
    }
}

void comm_state_switch(bool on)
{
    wanted_on = on;
    registry_each(turn_one);
}
