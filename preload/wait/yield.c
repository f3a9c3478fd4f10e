/* SPDX-License-Identifier: BSD-3-Clause */
#include "yield.h"

#include "arguments.h"
#include "oversubscription.h"

#include <stdio.h>
#include <stdlib.h>

/* How full the node of each rank of MPI_COMM_WORLD is; NULL: nobody yields. */
static struct oversubscription *nodes;
static enum yield_mode wanted;
static bool here;
static int key = MPI_KEYVAL_INVALID;

static bool yields(int world_rank)
{
    return wanted == YIELD_ALWAYS || is_oversubscribed(&nodes[world_rank]);
}

static int fullest(int size)
{
    int worst = 0;
    for (int rank = 1; rank < size; rank++)
        if (nodes[rank].ranks * nodes[worst].cores >
            nodes[worst].ranks * nodes[rank].cores)
            worst = rank;
    return worst;
}

static void say(int size, bool somebody)
{
    const struct oversubscription *node = &nodes[fullest(size)];
    fprintf(stderr,
            "motley-balance: yield=%s: %s; the fullest node has %g rank%s on %.3g "
            "core%s\n",
            yield_mode_names[wanted],
            somebody ? "ranks that wait sleep"
                     : "every rank has a core, all is left as it is",
            node->ranks, node->ranks == 1 ? "" : "s", node->cores,
            node->cores == 1 ? "" : "s");
}

static bool prepare(int size)
{
    nodes = malloc((size_t)size * sizeof *nodes);
    return nodes && arguments_begin() &&
           PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key,
                                   NULL) == MPI_SUCCESS;
}

/* Whether all ranks have what it takes. */
static bool all_can(int size)
{
    int ready = prepare(size), least = 0;
    PMPI_Allreduce(&ready, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return least;
}

/* Whether some rank is to yield; `here` says whether this one is. */
static bool look_at_nodes(int rank, int size)
{
    struct oversubscription mine = {0};
    oversubscription_find(&mine, MPI_COMM_WORLD);
    PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, nodes, sizeof mine, MPI_BYTE,
                   MPI_COMM_WORLD);
    here = yields(rank);
    bool somebody = false;
    for (int i = 0; i < size && !somebody; i++)
        somebody = yields(i);
    return somebody;
}

static void forget(void)
{
    free(nodes);
    nodes = NULL;
    here = false;
}

bool yield_begin(enum yield_mode mode, bool verbose)
{
    int rank = 0, size = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    wanted = mode;
    if (mode == YIELD_OFF)
        return false;
    if (!all_can(size)) {
        forget();
        return false;
    }
    const bool somebody = look_at_nodes(rank, size);
    if (verbose && rank == 0)
        say(size, somebody);
    if (!somebody)
        forget();
    return somebody;
}

void yield_end(void)
{
    MPI_Request request;
    if (PMPI_Ibarrier(MPI_COMM_WORLD, &request) == MPI_SUCCESS)
        yield_until_done(&request, MPI_STATUS_IGNORE);
}

bool yield_here(void)
{
    return here;
}

/* Whether some rank of the group yields. False: `world` does not have all of it. */
static bool look_at_group(MPI_Group group, MPI_Group world, bool *somebody)
{
    int size = 0;
    PMPI_Group_size(group, &size);
    for (int rank = 0; rank < size; rank++) {
        int world_rank = MPI_UNDEFINED;
        PMPI_Group_translate_ranks(group, 1, &rank, world, &world_rank);
        if (world_rank == MPI_UNDEFINED)
            return false;
        *somebody = *somebody || yields(world_rank);
    }
    return true;
}

static bool look_at_ranks(MPI_Comm comm)
{
    MPI_Group world, mine;
    int between_groups = 0, size = 0;
    bool somebody = false;
    PMPI_Comm_test_inter(comm, &between_groups);
    PMPI_Comm_size(comm, &size);
    if (between_groups || size == 1)
        return false;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Comm_group(comm, &mine);
    const bool ours = look_at_group(mine, world, &somebody);
    PMPI_Group_free(&world);
    PMPI_Group_free(&mine);
    return ours && somebody;
}

bool yield_everywhere(MPI_Comm comm)
{
    void *answer = NULL; /* the attribute: is it not NULL? */
    int there = 0;
    if (!nodes || comm == MPI_COMM_NULL ||
        PMPI_Comm_get_attr(comm, key, &answer, &there) != MPI_SUCCESS)
        return false;
    if (!there) {
        answer = look_at_ranks(comm) ? &key : NULL;
        PMPI_Comm_set_attr(comm, key, answer);
    }
    return answer != NULL;
}

void yield_pause(struct pause *pause)
{
    if (here)
        pause_once(pause);
}

int yield_until_done(MPI_Request *request, MPI_Status *status)
{
    struct pause pause = {0};
    for (;;) {
        int done = 0;
        const int code = PMPI_Test(request, &done, status);
        if (code != MPI_SUCCESS || done)
            return code;
        yield_pause(&pause);
    }
}
