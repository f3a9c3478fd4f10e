/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Selects the reductions and gathers that the library carries out, and starts to adapt
 * them on a communicator once all ranks know that they want it and may gain by it.
 */
#include "bcast.h"

#include "comm_state.h"
#include "preload/common/options.h"
#include "preload/rooted/trial.h"
#include "preload/tuning.h"

#include <stddef.h>
#include <stdio.h>

/* A call that could be adapted; the same on all ranks. */
struct adaptable {
    const struct adapted_kind *kind;
    const void *call; /* of that kind */
    size_t bytes;     /* the same on all ranks; at most TRIAL_MOST_BYTES */
    bool wanted;      /* calls of this kind can be adapted... */
    bool kept;        /* ...but not this one */
};

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
                worth ? "they are adapted" : "they are left to the MPI for now");
}

/* Whether the calls take over 1 % of the ranks' time, and setup is possible and takes
   at most 1 % of the calls' time. Collective. */
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
    const bool worth = times[3] == state->size && times[0] > times[1] / ROOTED_SHARE &&
                       times[0] / (ROOTED_SHARE * GETTING_READY) > times[2];
    if (settings()->verbose)
        say(state, adapting, name, times, worth);
    return worth;
}

static void look(struct comm_state *state, struct adapting *adapting,
                 const struct adaptable *call)
{
    if (comm_state_is_beyond_world(state)) {
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
    return calls >= FIRST_ROOTED_LOOK && (calls & (calls - 1)) == 0;
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

/* Calls left to the MPI are not counted, so `calls` must not stay at a call to look at:
   all later calls would be, too. */
static bool adapting_carry(int *status, struct comm_state *state,
                           struct adapting *adapting, const struct adaptable *call)
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

/* Operations and types whose operands the library may reorder. */
enum exactness {
    NOT_KNOWN,   /* or an operation that is not defined for the type */
    UP_TO_ORDER, /* the order may change the last bits, as with real numbers */
    EXACT        /* every order gives the same bits */
};

static bool is_among(MPI_Datatype type, const MPI_Datatype *types, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (type == types[i])
            return true;
    return false;
}
#define IS_AMONG(type, ...) \
    is_among(type, (const MPI_Datatype[]){__VA_ARGS__}, \
             sizeof(MPI_Datatype[]){__VA_ARGS__} / sizeof(MPI_Datatype))

static bool is_integer_of_c(MPI_Datatype type)
{
    return IS_AMONG(type, MPI_INT, MPI_LONG, MPI_UNSIGNED, MPI_UNSIGNED_LONG,
                    MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG, MPI_SHORT,
                    MPI_UNSIGNED_SHORT, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_INT8_T,
                    MPI_INT16_T, MPI_INT32_T, MPI_INT64_T, MPI_UINT8_T, MPI_UINT16_T,
                    MPI_UINT32_T, MPI_UINT64_T);
}

/* A Fortran type may be absent. */
static bool is_real(MPI_Datatype type)
{
    return IS_AMONG(type, MPI_DOUBLE, MPI_FLOAT, MPI_DOUBLE_PRECISION, MPI_REAL);
}

static bool is_arithmetic(MPI_Op op)
{
    return op == MPI_SUM || op == MPI_MAX || op == MPI_MIN || op == MPI_PROD;
}

static bool is_bitwise(MPI_Op op)
{
    return op == MPI_BAND || op == MPI_BOR || op == MPI_BXOR;
}

static bool is_logical(MPI_Op op)
{
    return op == MPI_LAND || op == MPI_LOR || op == MPI_LXOR;
}

/* For floating point the maximum also depends on the order: of 0 and -0, say. */
static enum exactness exactness_of(MPI_Op op, MPI_Datatype type)
{
    if (type == MPI_DATATYPE_NULL)
        return NOT_KNOWN;
    if (is_real(type))
        return is_arithmetic(op) ? UP_TO_ORDER : NOT_KNOWN;
    if (is_arithmetic(op) || is_bitwise(op))
        return is_integer_of_c(type) || type == MPI_INTEGER ? EXACT : NOT_KNOWN;
    return is_logical(op) && is_integer_of_c(type) ? EXACT : NOT_KNOWN;
}

/* On the root or another rank, which have different buffers. */
static bool has_buffers(const struct reduction *reduction, int rank)
{
    if (rank != reduction->root)
        return reduction->send && reduction->send != MPI_IN_PLACE;
    return reduction->receive && reduction->receive != MPI_IN_PLACE &&
           reduction->send && reduction->send != reduction->receive;
}

/* The bytes to reduce; 0: unknown, too few or too many. All ranks of a correct program
   get the same result, as MPI requires the same arguments. */
static size_t reduction_bytes(const struct reduction *reduction)
{
    int size = 0;
    if (reduction->count <= 0 ||
        exactness_of(reduction->op, reduction->type) == NOT_KNOWN ||
        PMPI_Type_size(reduction->type, &size) != MPI_SUCCESS)
        return 0;
    const size_t bytes = (size_t)size * (size_t)reduction->count;
    return bytes >= LEAST_BYTES && bytes <= TRIAL_MOST_BYTES ? bytes : 0;
}

/* NULL: leave this call to the MPI. */
static struct comm_state *take_reduction(struct reduction *reduction, MPI_Comm comm)
{
    int rank = 0;
    if (comm == MPI_COMM_NULL)
        return NULL;
    reduction->bytes = reduction_bytes(reduction);
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

bool reduce(int *status, const struct reduction *made, MPI_Comm comm)
{
    struct reduction reduction = *made;
    struct comm_state *state = take_reduction(&reduction, comm);
    if (!state)
        return false;
    const struct adaptable call = {
        .kind = &adapted_reductions,
        .call = &reduction,
        .bytes = reduction.bytes,
        .wanted = settings()->reduce,
        .kept = must_keep_order(&reduction),
    };
    return adapting_carry(status, state, &state->reductions, &call);
}

/* Bytes of a block: of `all` at the root, and of `own` unless in place; of `own`
   elsewhere. 0: empty or too large, as on all ranks of a correct program, or
   invalid. */
static size_t block_bytes(const struct blocks *blocks, int rank, int size)
{
    const bool is_root = rank == blocks->root;
    size_t bytes = 0;
    if (!is_root || blocks->own.buffer != MPI_IN_PLACE) {
        bytes = message_check(&blocks->own, blocks->root, size);
        if (bytes == 0)
            return 0;
    }
    if (is_root)
        bytes = message_check(&blocks->all, blocks->root, size);
    return bytes <= TRIAL_MOST_BYTES ? bytes : 0;
}

/* False: leave this call to the MPI. */
static bool take_blocks(struct blocks *blocks, const struct comm_state *state)
{
    int rank = 0;
    PMPI_Comm_rank(state->comm, &rank);
    blocks->bytes = state->size > 1 ? block_bytes(blocks, rank, state->size) : 0;
    return blocks->bytes > 0;
}

bool gather(int *status, const struct blocks *made, MPI_Comm comm)
{
    struct blocks blocks = *made;
    struct comm_state *state = comm != MPI_COMM_NULL ? comm_state_of(comm) : NULL;
    if (!state || !take_blocks(&blocks, state))
        return false;
    const struct adaptable call = {.kind = &adapted_gathers,
                                   .call = &blocks,
                                   .bytes = blocks.bytes,
                                   .wanted = settings()->gather};
    return adapting_carry(status, state, &state->gathers, &call);
}
