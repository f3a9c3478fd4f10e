/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a communicator: set up, used at each broadcast, and torn down. */
#include "comm_state.h"

#include "preload/common/oversubscription.h"
#include "preload/rooted/rooted.h"
#include "preload/tuning.h"
#include "preload/waits/waits.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static const struct options *options;  /* borrowed; the same on all ranks of
                                          MPI_COMM_WORLD */
static const struct method_kind *kind; /* NULL: none is wanted */
static int comm_key = MPI_KEYVAL_INVALID, self_key = MPI_KEYVAL_INVALID;
static atomic_bool wanted_on = true;
/* Counts freed states, since handles of freed communicators are reused. */
static atomic_uint gone;
static int64_t begun_at, delay_before; /* ns: when that was, and the lack of a core
                                          until then */

/*
 * A rank without a communicator's state could not count its calls, and the others would
 * wait for it at meetings. So all possible states are reserved in MPI_Init, where the
 * ranks agree that each of them has them: Open MPI numbers communicators with 16 bits,
 * and MPICH has 2048. Pages that are not touched cost nothing.
 */
enum { MOST_STATES = 1 << 16 };
static struct comm_state *states; /* [MOST_STATES] */
static int used;                  /* of them, so far */
static struct comm_state *unused; /* those that have gone */
static struct comm_state *adrift; /* states whose attribute the MPI had no memory to
                                     keep */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct comm_state *take_state(void)
{
    pthread_mutex_lock(&lock);
    struct comm_state *state = unused;
    if (state)
        unused = state->next;
    else if (used < MOST_STATES)
        state = &states[used++];
    pthread_mutex_unlock(&lock);
    return state;
}

static void put_into(struct comm_state **list, struct comm_state *state)
{
    pthread_mutex_lock(&lock);
    state->next = *list;
    *list = state;
    pthread_mutex_unlock(&lock);
}

/* NULL if none is adrift. */
static struct comm_state *find_adrift(MPI_Comm comm, bool take)
{
    pthread_mutex_lock(&lock);
    struct comm_state **place = &adrift;
    while (*place && (*place)->comm != comm)
        place = &(*place)->next;
    struct comm_state *state = *place;
    if (state && take)
        *place = state->next;
    pthread_mutex_unlock(&lock);
    return state;
}

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
        lateness_write(state->lateness, options,
                       method && kind->saved ? kind->saved(method) : 0);
    if (method)
        kind->finish(method);
    lateness_free(state->lateness);
    adapted_free(state->reductions.adapted);
    adapted_free(state->gathers.adapted);
    context_free(&state->context);
}

static void let_go(struct comm_state *state)
{
    gone++;
    agreement_end(&state->agreement);
    if (state->ready)
        tear_down(state);
    state->passing.comm = 0;
    put_into(&unused, state);
}

static int on_comm_free(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    let_go(value);
    return MPI_SUCCESS;
}

static int let_go_of(MPI_Comm comm)
{
    struct comm_state *state = find_adrift(comm, true);
    if (!state)
        return PMPI_Comm_delete_attr(comm, comm_key);
    let_go(state);
    return MPI_SUCCESS;
}

static void free_keyval(int *key)
{
    if (*key != MPI_KEYVAL_INVALID)
        PMPI_Comm_free_keyval(key);
}

static void release(void)
{
    waits_release();
    free_keyval(&comm_key);
    free_keyval(&self_key);
    messages_end();
    gone++;
}

/* Tearing down may be collective over each communicator, and they may overlap: all
   ranks take them in the same order. */
void comm_state_end(void)
{
    if (comm_key == MPI_KEYVAL_INVALID)
        return;
    agreement_end_all();
    struct registered *first;
    while ((first = registry_first()))
        if (let_go_of(((const struct comm_state *)first)->comm) != MPI_SUCCESS)
            break;
    waits_end();
    release();
}

/* The first thing in MPI_Finalize. */
static int on_end(MPI_Comm self, int key, void *value, void *extra)
{
    (void)self, (void)key, (void)value, (void)extra;
    comm_state_end();
    return MPI_SUCCESS;
}

/* Everything that a rank itself needs before it can take part. */
static bool prepare(void)
{
    void *memory = mmap(NULL, MOST_STATES * sizeof *states, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    states = memory == MAP_FAILED ? NULL : memory;
    return states && messages_begin() && waits_begin(options) &&
           PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_comm_free, &comm_key,
                                   NULL) == MPI_SUCCESS &&
           PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_end, &self_key, NULL) ==
               MPI_SUCCESS &&
           PMPI_Comm_set_attr(MPI_COMM_SELF, self_key, NULL) == MPI_SUCCESS;
}

/* A rank's options in one number. */
static int wish(void)
{
    return 16 * (int)options->bcast + 8 * options->gather + 4 * options->reproducible +
           2 * options->reduce + options->report;
}

/* A communicator of all ranks for the question. A rank without the library never
   answers, which hangs; on MPI_COMM_WORLD, a call of its program could be taken for an
   answer, which would corrupt data. */
static bool make_own(MPI_Comm *own)
{
    enum { TAG = 32767 }; /* the largest that every MPI allows */
    MPI_Group world;
    if (PMPI_Comm_group(MPI_COMM_WORLD, &world) != MPI_SUCCESS)
        return false;
    const int status = PMPI_Comm_create_group(MPI_COMM_WORLD, world, TAG, own);
    PMPI_Group_free(&world);
    return status == MPI_SUCCESS;
}

static bool find_least(int of_all[3])
{
    MPI_Comm own;
    if (!make_own(&own))
        return false;
    const int status = PMPI_Allreduce(MPI_IN_PLACE, of_all, 3, MPI_INT, MPI_MIN, own);
    PMPI_Comm_free(&own);
    return status == MPI_SUCCESS;
}

/*
 * The one question that decides whether the library does anything, asked of all ranks
 * of the world: is each of them prepared, and do all have the same options? From here
 * on, nothing depends on a single rank's options or memory.
 */
static bool all_are_prepared(bool mine)
{
    int all[] = {mine, wish(), -wish()}, rank = 0, size = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 1 && !find_least(all))
        return false;
    const bool same = all[1] == -all[2];
    if (rank == 0 && !same)
        fprintf(stderr, "motley-balance: MOTLEY_BALANCE is not the same on all ranks; "
                        "all calls are left to the MPI\n");
    else if (rank == 0 && !all[0])
        fprintf(stderr, "motley-balance: a rank has no memory for the library; all "
                        "calls are left to the MPI\n");
    return all[0] && same && wish() != 0;
}

bool comm_state_begin(const struct options *wanted, const struct method_kind *method)
{
    options = wanted;
    kind = method;
    if (!all_are_prepared(wish() == 0 || prepare())) {
        release();
        return false;
    }
    delay_before = oversubscription_delay();
    begun_at = now();
    waits_start();
    return true;
}

static struct comm_state *attach(MPI_Comm comm)
{
    const uintptr_t handle_bits =
        sizeof(comm) == sizeof(int) ? UINT32_MAX : UINTPTR_MAX;
    struct comm_state *state = take_state();
    int between_groups = 0, size = 1;
    if (!state)
        return NULL;
    PMPI_Comm_test_inter(comm, &between_groups);
    if (!between_groups)
        PMPI_Comm_size(comm, &size);
    memset(state, 0, offsetof(struct comm_state, passing));
    state->comm = comm;
    state->size = size;
    passing_init(&state->passing, handle_bits, (uintptr_t)comm, size);
    agreement_init(&state->agreement);
    if (PMPI_Comm_set_attr(comm, comm_key, state) != MPI_SUCCESS)
        put_into(&adrift, state);
    return state;
}

static struct comm_state *find(MPI_Comm comm, bool make)
{
    struct comm_state *state;
    int there = 0;
    if (comm_key == MPI_KEYVAL_INVALID ||
        PMPI_Comm_get_attr(comm, comm_key, (void *)&state, &there) != MPI_SUCCESS)
        return NULL;
    if (!there)
        state = find_adrift(comm, false);
    return state || !make ? state : attach(comm);
}

/* Cached, since the MPI takes longer to find an attribute than everything else done
   before most broadcasts. */
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
    if ((state = find_adrift(comm, true)))
        let_go(state);
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
    fprintf(stderr, "motley-balance: %s: %d ranks on %d node%s, bcast=%s%s%s%s\n",
            *name.text ? name.text : "a nameless communicator", context->size, nodes,
            nodes == 1 ? "" : "s", bcast_mode_names[options->bcast],
            options->reduce ? ", reduce" : "", options->gather ? ", gather" : "",
            options->report ? ", report" : "");
}

/* Collective over the context; a part that cannot be set up is missing on all ranks. */
static void add_parts(struct comm_state *state, int64_t began)
{
    const struct context *context = &state->context;
    if (kind)
        state->method = kind->create(context, options->verbose);
    if (options->report)
        state->lateness = lateness_new(context, name_of(state->comm).text, began);
}

/* While the registry is locked: another thread's MPI_Pcontrol takes effect here, in
   comm_state_switch(), or in both. */
static void turn(struct comm_state *state)
{
    if (state->method && kind->turn)
        kind->turn(state->method, wanted_on);
    adapted_turn(state->reductions.adapted, wanted_on);
    adapted_turn(state->gathers.adapted, wanted_on);
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

bool comm_state_is_beyond_world(const struct comm_state *state)
{
    const MPI_Comm comm = state->comm;
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

/* Whether this rank lacked a core for more than a tenth of the time. */
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
    if (!context_init(&state->context, state->comm))
        return;
    const bool complete = transfer_init(&state->transfer, &state->context) == 0;
    if (!context_agrees(&state->context, complete)) {
        transfer_finish(&state->transfer);
        context_free(&state->context);
        return;
    }
    PMPI_Comm_rank(MPI_COMM_WORLD, &state->registered.world_rank);
    state->registered.number = registry_number();
    PMPI_Bcast(&state->registered, 2, MPI_INT, 0, state->context.comm);
    add_parts(state, start);
    state->ready = true;
    state->passing.left = 0;
    registry_add(&state->registered);
    registry_lock();
    turn(state);
    registry_unlock();
    if (options->verbose && state->context.rank == 0)
        say(state);
}

/* A report must cover all calls, and the method of 2008 must run unchanged. */
static bool wants_all_calls(void)
{
    return options->report || options->bcast >= BCAST_PAPER;
}

static struct statement statement_of(const struct comm_state *state)
{
    const bool content = agreement_is_content(&state->agreement);
    return (struct statement){
        .can = registry_has_room(),
        .has_core = content || !lacks_core(),
        .content = content,
    };
}

/* Judge by the statements of all ranks, so that all decide the same. */
static void judge(struct comm_state *state)
{
    struct agreement *agreement = &state->agreement;
    const struct statement *all = &agreement->all;
    agreement_end(agreement);
    if (!all->can || (!kind && !options->report))
        agreement->next = -1;
    else if (wants_all_calls() ||
             (!all->content && (all->has_core || state->calls >= MANY_CALLS)))
        comm_state_get_ready(state);
    else if (state->calls < SECOND_MEETING)
        agreement_put_off(agreement, SECOND_MEETING);
    else
        agreement_put_off(agreement, TO_STATE_AGAIN * state->calls);
}

static void agree_at_once(struct comm_state *state)
{
    const struct statement mine = statement_of(state);
    agreement_take(&state->agreement, &mine, state->comm);
    judge(state);
}

static void agree_by_and_by(struct comm_state *state, int root)
{
    struct agreement *agreement = &state->agreement;
    const struct statement mine = statement_of(state);
    /* A root without a core knows the outcome, whatever the others state. */
    const bool may_gain = mine.has_core || TO_JUDGE * state->calls >= MANY_CALLS;
    if (!agreement_hear(may_gain && agreement_is_worth_it(agreement), root,
                        state->comm)) {
        agreement_put_off(agreement, TO_STATE_AGAIN * state->calls);
        return;
    }
    agreement_begin(agreement, &mine, state->comm);
    agreement_put_off(agreement, TO_JUDGE * state->calls);
}

void comm_state_meet(struct comm_state *state, int root)
{
    struct agreement *agreement = &state->agreement;
    if (state->calls != agreement->next)
        return;
    if (agreement->open && !agreement_is_reached(agreement, root, state->comm))
        agreement_put_off(agreement, TO_JUDGE * state->calls);
    else if (agreement->open)
        judge(state);
    else if (comm_state_is_beyond_world(state))
        agreement->next = -1;
    else if (agreement_is_at_once() || wants_all_calls())
        agree_at_once(state);
    else if (state->calls < SECOND_MEETING)
        agreement_put_off(agreement, SECOND_MEETING);
    else
        agree_by_and_by(state, root);
}

void comm_state_switch(int level)
{
    wanted_on = level > 0;
    registry_each(turn_one);
}
