/* SPDX-License-Identifier: BSD-3-Clause */
#include "communicators.h"

#include "preload/lateness/order.h"

#include <pthread.h>
#include <stdlib.h>

static int key = MPI_KEYVAL_INVALID;

/*
 * Communicators of the same ranks are told apart by the order in which their first
 * collective calls come, which these ranks share. Of programs that have ever more
 * groups of ranks, some communicators get the same number.
 */
enum { GROUPS = 4096 };
static struct {
    uint64_t ranks; /* made of all of them */
    uint64_t communicators;
} groups[GROUPS];
static int known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int on_free(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)extra;
    struct communicator *communicator = value;
    free(communicator->world);
    free(communicator);
    return MPI_SUCCESS;
}

bool communicators_begin(void)
{
    return PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_free, &key, NULL) ==
           MPI_SUCCESS;
}

void communicators_end(void)
{
    if (key != MPI_KEYVAL_INVALID)
        PMPI_Comm_free_keyval(&key);
}

static bool find_world_ranks(struct communicator *communicator, MPI_Comm comm)
{
    const int size = communicator->size;
    int *ranks = malloc((size_t)size * sizeof *ranks + 1);
    communicator->world = malloc((size_t)size * sizeof *communicator->world + 1);
    MPI_Group group = MPI_GROUP_NULL, all = MPI_GROUP_NULL;
    const bool found = ranks && communicator->world &&
                       PMPI_Comm_group(comm, &group) == MPI_SUCCESS &&
                       PMPI_Comm_group(MPI_COMM_WORLD, &all) == MPI_SUCCESS;
    if (found) {
        for (int rank = 0; rank < size; rank++)
            ranks[rank] = rank;
        PMPI_Group_translate_ranks(group, size, ranks, all, communicator->world);
        for (int rank = 0; rank < size; rank++)
            if (communicator->world[rank] == MPI_UNDEFINED)
                communicator->world[rank] = -1;
    }
    if (group != MPI_GROUP_NULL)
        PMPI_Group_free(&group);
    if (all != MPI_GROUP_NULL)
        PMPI_Group_free(&all);
    free(ranks);
    return found;
}

static struct communicator *attach(MPI_Comm comm)
{
    struct communicator *communicator = calloc(1, sizeof *communicator);
    int between_groups = 0;
    if (!communicator)
        return NULL;
    PMPI_Comm_test_inter(comm, &between_groups);
    if (!between_groups) {
        PMPI_Comm_rank(comm, &communicator->rank);
        PMPI_Comm_size(comm, &communicator->size);
    }
    if (find_world_ranks(communicator, comm) &&
        PMPI_Comm_set_attr(comm, key, communicator) == MPI_SUCCESS)
        return communicator;
    free(communicator->world);
    free(communicator);
    return NULL;
}

struct communicator *communicator_of(MPI_Comm comm)
{
    struct communicator *communicator;
    int there = 0;
    if (comm == MPI_COMM_NULL ||
        PMPI_Comm_get_attr(comm, key, (void *)&communicator, &there) != MPI_SUCCESS)
        return NULL;
    return there ? communicator : attach(comm);
}

/* How many communicators of these ranks there have been. */
static uint64_t count(uint64_t ranks)
{
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < known && groups[i].ranks != ranks)
        i++;
    if (i == known && known < GROUPS)
        groups[known++].ranks = ranks;
    const uint64_t number = i < GROUPS ? ++groups[i].communicators : 0;
    pthread_mutex_unlock(&lock);
    return number;
}

static uint64_t make_id(const struct communicator *communicator)
{
    uint64_t ranks = 0;
    for (int rank = 0; rank < communicator->size; rank++)
        ranks = scramble(ranks + (uint64_t)communicator->world[rank] + 2);
    return scramble(ranks + count(ranks)) | 1;
}

uint64_t communicator_next(struct communicator *communicator)
{
    if (communicator->id == 0)
        communicator->id = make_id(communicator);
    return scramble(communicator->id + (uint64_t)communicator->calls++) >> 1;
}
