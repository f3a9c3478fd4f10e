/* SPDX-License-Identifier: BSD-3-Clause */
/* The Slurm job around motley, and the parts of a configuration in it. */
#include "parts.h"

#include "cli/process/memory.h"
#include "lib/base/hostlist.h"
#include "lib/input/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_COMPONENTS = 1024,
    /* Linux takes no argument or variable of more than 128 KiB (execve(2)), and it has
       other words than the hosts. */
    LONGEST_LIST = 120 * 1024
};

/* A variable of one of the job's components; NULL: unset. In a heterogeneous job the
   names of variables end in the number of the component. */
static const char *ask(const char *name, const struct mt_allocation *allocation,
                       int component)
{
    char variable[64];
    if (allocation->components == 1)
        return getenv(name);
    snprintf(variable, sizeof variable, "%s_HET_GROUP_%d", name, component);
    return getenv(variable);
}

/* The processors of the next node, of text as "16(x3),8". */
static int next_cpus(const char **text, int *left, int *last)
{
    char *end;
    if (*left == 0 && *text && **text) {
        *last = (int)strtol(*text, &end, 10);
        *left = 1;
        if (strncmp(end, "(x", 2) == 0) {
            *left = (int)strtol(end + 2, &end, 10);
            end += *end == ')';
        }
        *text = end + (*end == ',');
    }
    if (*left <= 0)
        return 0;
    --*left;
    return *last;
}

static int add_component(struct mt_allocation *allocation, int component,
                         struct mt_error *err)
{
    const char *names = ask("SLURM_JOB_NODELIST", allocation, component);
    const char *cpus = ask("SLURM_JOB_CPUS_PER_NODE", allocation, component);
    struct mt_hostlist hosts = {0};
    struct mt_error reason;
    int left = 0, last = 0;
    if (!names)
        return MT_OK;
    const int status = mt_hostlist_parse(&hosts, names, &reason);
    if (status != MT_OK)
        return mt_fail(err, status,
                       "the nodes of Slurm's job %s are not understood: %s",
                       allocation->job, reason.text);
    for (int i = 0; i < hosts.count; i++) {
        mt_array_extend(&allocation->nodes, allocation->count,
                        sizeof *allocation->nodes);
        allocation->nodes[allocation->count++] =
            (struct mt_allocated_node){.host = hosts.hosts[i],
                                       .component = component,
                                       .cpus = next_cpus(&cpus, &left, &last)};
        hosts.hosts[i] = NULL; /* now the allocation's */
    }
    mt_hostlist_clear(&hosts);
    return MT_OK;
}

int mt_allocation_read(struct mt_allocation *allocation, struct mt_error *err)
{
    const char *job = getenv("SLURM_JOB_ID"), *size = getenv("SLURM_HET_SIZE");
    int status = MT_OK;
    if (!job)
        return MT_OK;
    allocation->job = mt_strdup(job);
    const long components = size ? strtol(size, NULL, 10) : 1;
    allocation->components =
        components >= 1 && components <= MOST_COMPONENTS ? (int)components : 1;
    for (int i = 0; i < allocation->components && status == MT_OK; i++)
        status = add_component(allocation, i, err);
    return status;
}

void mt_allocation_clear(struct mt_allocation *allocation)
{
    for (int i = 0; i < allocation->count; i++)
        free(allocation->nodes[i].host);
    free(allocation->nodes);
    free(allocation->job);
    *allocation = (struct mt_allocation){0};
}

const struct mt_allocated_node *mt_allocation_find(
    const struct mt_allocation *allocation, const char *host)
{
    for (int i = 0; i < allocation->count; i++)
        if (strcmp(allocation->nodes[i].host, host) == 0)
            return &allocation->nodes[i];
    return NULL;
}

/* If ranks share cores, srun gets --overcommit. */
static int check_node(const struct mt_allocation *allocation, const char *host,
                      int processes, struct mt_error *err)
{
    const struct mt_allocated_node *node = mt_allocation_find(allocation, host);
    if (!node)
        return mt_fail(err, MT_EINVAL,
                       "node '%s' is not in Slurm's job %s, inside which motley was "
                       "started: allocate it, too, or start motley outside of a job",
                       host, allocation->job);
    if (node->cpus > 0 && processes > node->cpus)
        return mt_fail(err, MT_EINVAL,
                       "Slurm's job %s has %d processor%s of node '%s', too few for %d "
                       "processes: allocate whole nodes, by --exclusive",
                       allocation->job, node->cpus, node->cpus == 1 ? "" : "s", host,
                       processes);
    return MT_OK;
}

int mt_allocation_check(const struct mt_allocation *allocation,
                        const struct mt_cluster *cluster,
                        const struct mt_configuration *configuration,
                        struct mt_error *err)
{
    int status = MT_OK;
    struct mt_error reason;
    if (allocation->count == 0 || cluster->launcher != MT_LAUNCH_SLURM)
        return MT_OK;
    const bool overcommit = mt_oversubscribed(cluster, configuration);
    for (int g = 0; g < cluster->ngroups; g++)
        for (int i = 0; i < configuration->use[g].nodes && status == MT_OK; i++)
            status = check_node(allocation, cluster->groups[g].hosts[i],
                                overcommit ? 0 : configuration->use[g].layout.processes,
                                &reason);
    if (status == MT_OK)
        return MT_OK;
    char *text = mt_need(mt_configuration_format(configuration, cluster));
    mt_fail(err, status, "'%s' cannot run: %s", text, reason.text);
    free(text);
    return status;
}

/* A used node. */
struct place {
    char *host; /* borrowed */
    int processes;
    int threads;                            /* of each, at least 1 */
    int gpus;                               /* of each */
    const struct mt_slurm_request *request; /* borrowed */
    int component;                          /* of the allocation */
};

void mt_request_values(struct mt_request_value values[MT_REQUEST_VALUES],
                       const struct mt_slurm_request *request)
{
    const struct mt_request_value all[MT_REQUEST_VALUES] = {
        {"partition", request->partition},
        {"account", request->account},
        {"qos", request->qos},
        {"constraint", request->constraint},
        {"gres", request->gres}};
    memcpy(values, all, sizeof all);
}

static bool same_request(const struct mt_slurm_request *a,
                         const struct mt_slurm_request *b)
{
    struct mt_request_value first[MT_REQUEST_VALUES], second[MT_REQUEST_VALUES];
    bool same = true;
    mt_request_values(first, a);
    mt_request_values(second, b);
    for (int i = 0; i < MT_REQUEST_VALUES; i++)
        same = same && strcmp(first[i].value ? first[i].value : "",
                              second[i].value ? second[i].value : "") == 0;
    return same;
}

/* The rules of dividing places into parts. */
struct division {
    const struct mt_allocation *allocation; /* borrowed */
    bool is_long; /* the list of all ranks' hosts is too long, so parts must be even */
    bool block;   /* even parts may use Slurm's block distribution */
};

static bool belong_together(const struct place *a, const struct place *b,
                            const struct division *division)
{
    return division->allocation->count > 0
               ? a->component == b->component
               : a->threads == b->threads && a->gpus == b->gpus &&
                     (!division->is_long || a->processes == b->processes) &&
                     same_request(a->request, b->request);
}

/* List the used nodes, in the order of the groups. */
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

/* Make a component of each run of nodes that belong together. */
static void divide(struct mt_parts *parts, const struct place *places, int count,
                   const struct division *division)
{
    for (int i = 0; i < count; i++) {
        const bool first =
            i == 0 || !belong_together(&places[i - 1], &places[i], division);
        if (first) {
            mt_array_extend(&parts->parts, parts->count, sizeof *parts->parts);
            parts->parts[parts->count++] = (struct mt_part){
                .request = places[i].request,
                .threads = places[i].threads,
                .gpus = places[i].gpus,
                .per_node = division->block ? places[i].processes : 0,
                .number =
                    division->allocation->components > 1 ? places[i].component : -1};
        }
        struct mt_part *last = &parts->parts[parts->count - 1];
        last->nodes++;
        if (!first && (places[i].processes != places[i - 1].processes ||
                       compare_names(&places[i - 1], &places[i]) >= 0))
            last->per_node = 0;
        for (int rank = 0; rank < places[i].processes; rank++) {
            mt_array_extend(&last->hosts, last->ranks, sizeof *last->hosts);
            last->hosts[last->ranks++] = places[i].host;
        }
    }
}

/* srun starts the components of an allocation in their order, and each once; its ranks
   have equally many processors. */
static int check_components(const struct place *places, int count,
                            const struct mt_allocation *allocation,
                            struct mt_error *err)
{
    for (int i = 1; allocation->count > 0 && i < count; i++) {
        const struct place *before = &places[i - 1], *place = &places[i];
        if (place->component < before->component)
            return mt_fail(
                err, MT_EINVAL,
                "Slurm's job %s has node '%s' in an earlier component than '%s', and "
                "MPI "
                "fails where components are not in the order of their nodes' names: "
                "allocate them in that order, or start motley outside of a job",
                allocation->job, place->host, before->host);
        if (place->component == before->component &&
            (place->threads != before->threads || place->gpus != before->gpus))
            return mt_fail(err, MT_EINVAL,
                           "Slurm's job %s has nodes '%s' and '%s' in one component, "
                           "whose ranks cannot have %d and %d threads, %d and %d GPUs: "
                           "give groups that are used together the same numbers, or "
                           "start motley outside of a job",
                           allocation->job, before->host, place->host, before->threads,
                           place->threads, before->gpus, place->gpus);
    }
    return MT_OK;
}

int mt_parts_make(struct mt_parts *parts, const struct mt_launch *launch,
                  const struct mt_allocation *allocation, struct mt_error *err)
{
    const int count = mt_configuration_nodes(launch->configuration);
    struct division division = {
        allocation, false, !mt_oversubscribed(launch->cluster, launch->configuration)};
    bool one = true;
    size_t length = 0;
    int status =
        mt_allocation_check(allocation, launch->cluster, launch->configuration, err);
    if (status != MT_OK)
        return status;
    struct place *places = mt_calloc((size_t)count + 1, sizeof *places);
    list_places(places, launch, allocation);
    for (int i = 0; i < count; i++)
        length += (strlen(places[i].host) + 1) * (size_t)places[i].processes;
    division.is_long = length > LONGEST_LIST;
    parts->is_long = division.is_long;
    for (int i = 1; i < count; i++)
        one = one && belong_together(&places[0], &places[i], &division);
    if (!one || division.is_long)
        qsort(places, (size_t)count, sizeof *places, compare_names);
    status = check_components(places, count, allocation, err);
    if (status == MT_OK)
        divide(parts, places, count, &division);
    free(places);
    return status;
}

char *mt_part_nodes(const struct mt_part *part)
{
    char **hosts = mt_calloc((size_t)part->nodes + 1, sizeof *hosts);
    int count = 0;
    for (int i = 0; i < part->ranks; i++)
        if (i == 0 || strcmp(part->hosts[i], part->hosts[i - 1]) != 0)
            hosts[count++] = part->hosts[i];
    char *text = mt_need(mt_hostlist_format(hosts, count));
    free(hosts);
    return text;
}

void mt_parts_clear(struct mt_parts *parts)
{
    for (int i = 0; i < parts->count; i++)
        free(parts->parts[i].hosts);
    free(parts->parts);
    *parts = (struct mt_parts){0};
}
