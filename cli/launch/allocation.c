/* SPDX-License-Identifier: BSD-3-Clause */
#include "allocation.h"

#include "cli/process/memory.h"
#include "launcher.h"
#include "lib/base/hostlist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COMPONENTS = 1024 };

/* What the job says of one of its components; NULL: nothing. Of a heterogeneous job the
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

static int compare(const void *a, const void *b)
{
    const struct mt_allocated_node *first = a, *second = b;
    return strcmp(first->host, second->host);
}

static int compare_name(const void *name, const void *node)
{
    return strcmp(name, ((const struct mt_allocated_node *)node)->host);
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
    if (allocation->count > 0)
        qsort(allocation->nodes, (size_t)allocation->count, sizeof *allocation->nodes,
              compare);
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
    return allocation->count > 0
               ? bsearch(host, allocation->nodes, (size_t)allocation->count,
                         sizeof *allocation->nodes, compare_name)
               : NULL;
}

/* Where ranks share cores, srun is told to overcommit. */
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
    char *text = mt_configuration_format(configuration, cluster);
    mt_fail(err, status, "'%s' cannot run: %s", text ? text : "?", reason.text);
    free(text);
    return status;
}
