/* SPDX-License-Identifier: BSD-3-Clause */
#include "parts.h"

#include "cli/process/memory.h"
#include "lib/input/internal.h"

#include <stdlib.h>
#include <string.h>

/* A node that is used. */
struct place {
    char *host; /* borrowed */
    int processes;
    int threads;                            /* of each, at least 1 */
    int gpus;                               /* of each */
    const struct mt_slurm_request *request; /* borrowed */
    int component;                          /* of the allocation */
};

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_request(const struct mt_slurm_request *a,
                         const struct mt_slurm_request *b)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): every place has one */
    return same_text(a->partition, b->partition) && same_text(a->account, b->account) &&
           same_text(a->qos, b->qos) && same_text(a->constraint, b->constraint) &&
           same_text(a->gres, b->gres);
}

static bool belong_together(const struct place *a, const struct place *b,
                            const struct mt_allocation *allocation)
{
    return allocation->count > 0 ? a->component == b->component
                                 : a->threads == b->threads && a->gpus == b->gpus &&
                                       same_request(a->request, b->request);
}

/* All that are used, in the order of the groups. */
static void list_places(struct place *places, const struct mt_launch *launch,
                        const struct mt_allocation *allocation)
{
    int count = 0;
    for (int g = 0; g < launch->cluster->ngroups; g++) {
        const struct mt_group *group = &launch->cluster->groups[g];
        const struct mt_use use = launch->configuration->use[g];
        for (int i = 0; i < use.nodes; i++) {
            const struct mt_allocated_node *node =
                mt_allocation_find(allocation, group->hosts[i]);
            places[count++] = (struct place){.host = group->hosts[i],
                                             .processes = use.layout.processes,
                                             .threads = mt_layout_threads(use.layout),
                                             .gpus = use.layout.gpus,
                                             .request = &group->slurm,
                                             .component = node ? node->component : 0};
        }
    }
}

/* n2 before n10. */
static int compare_names(const void *a, const void *b)
{
    const struct place *first = a, *second = b;
    return strverscmp(first->host, second->host);
}

/* A component for each stretch of nodes that belong together. */
static void divide(struct mt_parts *parts, const struct place *places, int count,
                   const struct mt_allocation *allocation)
{
    for (int i = 0; i < count; i++) {
        if (i == 0 || !belong_together(&places[i - 1], &places[i], allocation)) {
            mt_array_extend(&parts->parts, parts->count, sizeof *parts->parts);
            parts->parts[parts->count++] = (struct mt_part){
                .request = places[i].request,
                .threads = places[i].threads,
                .gpus = places[i].gpus,
                .number = allocation->components > 1 ? places[i].component : -1};
        }
        struct mt_part *last = &parts->parts[parts->count - 1];
        last->nodes++;
        for (int rank = 0; rank < places[i].processes; rank++) {
            mt_array_extend(&last->hosts, last->ranks, sizeof *last->hosts);
            last->hosts[last->ranks++] = places[i].host;
        }
    }
}

/* srun starts the components of an allocation in their order, and each once. */
static int check_order(const struct place *places, int count,
                       const struct mt_allocation *allocation, struct mt_error *err)
{
    for (int i = 1; allocation->count > 0 && i < count; i++)
        if (places[i].component < places[i - 1].component)
            return mt_fail(
                err, MT_EINVAL,
                "Slurm's job %s has node '%s' in an earlier component than '%s', and "
                "MPI "
                "fails where components are not in the order of their nodes' names: "
                "allocate them in that order, or start motley outside of a job",
                allocation->job, places[i].host, places[i - 1].host);
    return MT_OK;
}

/* Ranks of a component have equally many processors. */
static int check_threads(const struct place *places, int count,
                         const struct mt_allocation *allocation, struct mt_error *err)
{
    for (int i = 1; allocation->count > 0 && i < count; i++)
        if (places[i].component == places[i - 1].component &&
            (places[i].threads != places[i - 1].threads ||
             places[i].gpus != places[i - 1].gpus))
            return mt_fail(err, MT_EINVAL,
                           "Slurm's job %s has nodes '%s' and '%s' in one component, "
                           "whose ranks cannot have %d and %d threads, %d and %d GPUs: "
                           "give groups that are used together the same numbers, or "
                           "start motley outside of a job",
                           allocation->job, places[i - 1].host, places[i].host,
                           places[i - 1].threads, places[i].threads, places[i - 1].gpus,
                           places[i].gpus);
    return MT_OK;
}

int mt_parts_make(struct mt_parts *parts, const struct mt_launch *launch,
                  const struct mt_allocation *allocation, struct mt_error *err)
{
    const int count = mt_configuration_nodes(launch->configuration);
    bool one = true;
    int status =
        mt_allocation_check(allocation, launch->cluster, launch->configuration, err);
    if (status != MT_OK)
        return status;
    struct place *places = mt_calloc((size_t)count + 1, sizeof *places);
    list_places(places, launch, allocation);
    for (int i = 1; i < count; i++)
        one = one && belong_together(&places[0], &places[i], allocation);
    if (!one) {
        qsort(places, (size_t)count, sizeof *places, compare_names);
        status = check_order(places, count, allocation, err);
    }
    if (status == MT_OK)
        status = check_threads(places, count, allocation, err);
    if (status == MT_OK)
        divide(parts, places, count, allocation);
    free(places);
    return status;
}

void mt_parts_clear(struct mt_parts *parts)
{
    for (int i = 0; i < parts->count; i++)
        free(parts->parts[i].hosts);
    free(parts->parts);
    *parts = (struct mt_parts){0};
}
