/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce.h"

#include "adapting.h"
#include "preload/common/settings.h"
#include "preload/rooted/exact.h"
#include "preload/rooted/trial.h"

/* Of fewer the MPI's own trees make few ranks wait. */
#define LEAST_BYTES ((size_t)1 << 11)

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
    return bytes >= LEAST_BYTES && bytes <= TRIAL_MOST_BYTES ? bytes : 0;
}

/* NULL: nothing is to be done about this call. */
static struct comm_state *take(struct reduction *reduction, MPI_Comm comm)
{
    int rank = 0;
    if (comm == MPI_COMM_NULL)
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

bool reduce(int *status, const struct reduction *made, MPI_Comm comm)
{
    struct reduction reduction = *made;
    struct comm_state *state = take(&reduction, comm);
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
