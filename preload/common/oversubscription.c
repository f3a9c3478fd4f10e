/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the cores and ranks of a node, and the time that a rank waited for a core. */
#include "oversubscription.h"

#include "lib/base/cores.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef SMPI_H
int oversubscription_find(struct oversubscription *found, MPI_Comm comm)
{
    (void)comm;
    *found = (struct oversubscription){1, 1};
    return MPI_SUCCESS;
}

int64_t oversubscription_delay(void)
{
    return 0;
}
#else
/* All processors that some rank of the node may run on. */
static int find_cores(struct oversubscription *found, MPI_Comm node)
{
    cpu_set_t processors;
    if (sched_getaffinity(0, sizeof processors, &processors) != 0)
        CPU_ZERO(&processors);
    const int status = PMPI_Allreduce(MPI_IN_PLACE, &processors, sizeof processors,
                                      MPI_BYTE, MPI_BOR, node);
    const int cores = mt_cores_count(&processors);
    found->cores = cores > 0 ? cores : found->ranks;
    return status;
}

enum { quotas_of_rank = 8 };

static void take_if_fuller(struct oversubscription *found, double ranks, double cores)
{
    if (ranks * found->cores > found->ranks * cores)
        *found = (struct oversubscription){ranks, cores};
}

/* A quota is shared by the ranks that are in its group, or below. */
static void compare_quotas(struct oversubscription *found,
                           const struct mt_quota *quotas, int n)
{
    for (int i = 0; i < n; i++) {
        int ranks = 0;
        for (int j = 0; j < n; j++)
            ranks += quotas[j].cores > 0 && quotas[j].group == quotas[i].group;
        if (quotas[i].cores > 0)
            take_if_fuller(found, ranks, quotas[i].cores);
    }
}

static int find_quotas(struct oversubscription *found, MPI_Comm node)
{
    struct mt_quota mine[quotas_of_rank] = {{0}};
    const int ranks = (int)found->ranks;
    struct mt_quota *all = malloc((size_t)ranks * sizeof mine);
    int complete = all != NULL;
    int status = PMPI_Allreduce(MPI_IN_PLACE, &complete, 1, MPI_INT, MPI_MIN, node);
    if (status == MPI_SUCCESS && complete) {
        mt_quota_find(mine, quotas_of_rank, "/proc/self");
        status = PMPI_Allgather(mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE,
                                node);
        if (status == MPI_SUCCESS)
            compare_quotas(found, all, ranks * quotas_of_rank);
    }
    free(all);
    return status;
}

int oversubscription_find(struct oversubscription *found, MPI_Comm comm)
{
    MPI_Comm node;
    int ranks = 0;
    int status =
        PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    if (status != MPI_SUCCESS)
        return status;
    PMPI_Comm_size(node, &ranks);
    found->ranks = ranks;
    status = find_cores(found, node);
    if (status == MPI_SUCCESS)
        status = find_quotas(found, node);
    PMPI_Comm_free(&node);
    return status;
}

/* The second number of the file. */
int64_t oversubscription_delay(void)
{
    int64_t delay = 0;
    FILE *file = fopen("/proc/self/schedstat", "re");
    if (!file)
        return 0;
    if (fscanf(file, "%*s %" SCNd64, &delay) != 1)
        delay = 0;
    fclose(file);
    return delay;
}
#endif

bool is_oversubscribed(const struct oversubscription *node)
{
    return node->ranks > node->cores;
}
