/* SPDX-License-Identifier: BSD-3-Clause */
#include "patience.h"

#include "arguments.h"
#include "crowding.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

/*
 * Nanoseconds, and the part of the wait so far that a sleep lasts. Most messages that
 * are on their way come while the rank spins. A rendezvous advances only while its
 * ranks look: that, and what comes late, wait no longer than the longest sleep.
 */
enum { SPIN = 50 * 1000, SHORTEST = 10 * 1000, LONGEST = 300 * 1000, PART = 8 };

/* How full the node of each rank of MPI_COMM_WORLD is; NULL: nobody is patient. */
static struct crowding *nodes;
static enum patience_mode wanted;
static bool here;
static int key = MPI_KEYVAL_INVALID;

static bool is_patient(int world_rank)
{
    return wanted == PATIENCE_ALWAYS || crowding_is(&nodes[world_rank]);
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
    const struct crowding *node = &nodes[fullest(size)];
    fprintf(stderr,
            "motley-balance: patient=%s: %s; the fullest node has %g rank%s on %.3g "
            "core%s\n",
            patience_mode_names[wanted],
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

/* Whether somebody is to be patient, and this rank. */
static bool look_at_nodes(int rank, int size)
{
    struct crowding mine = {0};
    crowding_find(&mine);
    PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, nodes, sizeof mine, MPI_BYTE,
                   MPI_COMM_WORLD);
    here = is_patient(rank);
    bool somebody = false;
    for (int i = 0; i < size && !somebody; i++)
        somebody = is_patient(i);
    return somebody;
}

static void forget(void)
{
    free(nodes);
    nodes = NULL;
    here = false;
}

bool patience_begin(enum patience_mode mode, bool verbose)
{
    int rank = 0, size = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    wanted = mode;
    if (mode == PATIENCE_OFF)
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

void patience_end(void)
{
    MPI_Request request;
    if (PMPI_Ibarrier(MPI_COMM_WORLD, &request) == MPI_SUCCESS)
        patience_wait(&request, MPI_STATUS_IGNORE);
}

bool patience_here(void)
{
    return here;
}

/* Whether somebody of the group is patient. False: *world does not have all of it. */
static bool look_at_group(MPI_Group group, MPI_Group world, bool *somebody)
{
    int size = 0;
    PMPI_Group_size(group, &size);
    for (int rank = 0; rank < size; rank++) {
        int world_rank = MPI_UNDEFINED;
        PMPI_Group_translate_ranks(group, 1, &rank, world, &world_rank);
        if (world_rank == MPI_UNDEFINED)
            return false;
        *somebody = *somebody || is_patient(world_rank);
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

bool patience_everywhere(MPI_Comm comm)
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

static int64_t clock_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * (int64_t)1000000000 + time.tv_nsec;
}

/* The kernel may lengthen a sleep, by 50 us unless told otherwise. */
static void sleep_for(int64_t nanoseconds)
{
    static __thread bool exact;
    if (!exact)
        prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    exact = true;
    nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
}

void patience_pause(struct patience *patience)
{
    if (!here)
        return;
    const int64_t now = clock_now();
    if (patience->since == 0)
        patience->since = now;
    const int64_t waited = now - patience->since;
    if (waited < SPIN)
        return;
    const int64_t part = waited / PART;
    sleep_for(part < SHORTEST ? SHORTEST : part > LONGEST ? LONGEST : part);
}

int patience_wait(MPI_Request *request, MPI_Status *status)
{
    struct patience patience = {0};
    for (;;) {
        int done = 0;
        const int code = PMPI_Test(request, &done, status);
        if (code != MPI_SUCCESS || done)
            return code;
        patience_pause(&patience);
    }
}
