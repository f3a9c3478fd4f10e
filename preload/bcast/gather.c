/* SPDX-License-Identifier: BSD-3-Clause */
#include "gather.h"

#include "adapting.h"
#include "arguments.h"
#include "preload/common/settings.h"
#include "preload/rooted/trial.h"

/* At the root `all` counts, and `own` unless it is in place; else `own` alone. 0: there
   is nothing, or too much, as on all ranks of a correct program, or something wrong. */
static size_t bytes_of(const struct blocks *blocks, int rank, int size)
{
    const bool is_root = rank == blocks->root;
    size_t bytes = 0;
    if (!is_root || blocks->own.buffer != MPI_IN_PLACE) {
        bytes = arguments_bytes(&blocks->own, blocks->root, size);
        if (bytes == 0)
            return 0;
    }
    if (is_root)
        bytes = arguments_bytes(&blocks->all, blocks->root, size);
    return bytes <= TRIAL_MOST_BYTES ? bytes : 0;
}

/* False: nothing is to be done about this call. */
static bool take(struct blocks *blocks, const struct comm_state *state)
{
    int rank = 0;
    PMPI_Comm_rank(state->comm, &rank);
    blocks->bytes = state->size > 1 ? bytes_of(blocks, rank, state->size) : 0;
    return blocks->bytes > 0;
}

static struct comm_state *state_of(MPI_Comm comm)
{
    return comm != MPI_COMM_NULL ? comm_state_of(comm) : NULL;
}

/* `without_blocks`: the call as far as its kind goes. */
static bool carry(int *status, const struct blocks *made, struct comm_state *state,
                  struct adapting *adapting, const struct adaptable *without_blocks)
{
    struct blocks blocks = *made;
    struct adaptable call = *without_blocks;
    if (!take(&blocks, state))
        return false;
    call.call = &blocks;
    call.bytes = blocks.bytes;
    return adapting_carry(status, state, adapting, &call);
}

bool gather(int *status, const struct blocks *blocks, MPI_Comm comm)
{
    struct comm_state *state = state_of(comm);
    if (!state)
        return false;
    const struct adaptable call = {.kind = &adapted_gathers,
                                   .wanted = settings()->gather};
    return carry(status, blocks, state, &state->gathers, &call);
}

bool scatter(int *status, const struct blocks *blocks, MPI_Comm comm)
{
    struct comm_state *state = state_of(comm);
    if (!state)
        return false;
    const struct adaptable call = {.kind = &adapted_scatters,
                                   .wanted = settings()->scatter};
    return carry(status, blocks, state, &state->scatters, &call);
}
