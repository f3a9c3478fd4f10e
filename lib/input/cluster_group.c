/* SPDX-License-Identifier: BSD-3-Clause */
#include "cluster_file.h"

#include "yaml_value.h"

#include "motley/hostlist.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 1000000 }; /* as many as a host list may have */

/* A name must be a word that the text of a configuration can hold. */
static int check_name(const struct file_group *from, const struct mt_yaml *yaml,
                      int map, struct mt_error *err)
{
    for (const char *letter = from->name; *letter; letter++)
        if (strchr(":+,", *letter) || isspace((unsigned char)*letter) ||
            iscntrl((unsigned char)*letter))
            return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "name"), err,
                                "group name with a blank or one of ':+,': '%.60s'",
                                from->name);
    return MT_OK;
}

/* Nodes without names of their own are called NAME-1, NAME-2, ... */
static int make_hosts(struct mt_group *group, int nodes, struct mt_error *err)
{
    group->hosts = calloc((size_t)nodes, sizeof *group->hosts);
    if (!group->hosts)
        return mt_fail(err, MT_ENOMEM, "no memory for %d nodes", nodes);
    for (group->nodes = 0; group->nodes < nodes; group->nodes++) {
        char *host;
        if (asprintf(&host, "%s-%d", group->name, group->nodes + 1) < 0)
            return mt_fail(err, MT_ENOMEM, "no memory for %d nodes", nodes);
        group->hosts[group->nodes] = host;
    }
    return MT_OK;
}

static int read_hosts(struct mt_group *group, const struct file_group *from,
                      const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    int nodes = mt_yaml_member(yaml, map, "nodes");
    if (!from->hosts && !nodes)
        return mt_yaml_fail(yaml, map, err,
                            "missing key 'hosts' or 'nodes' in group '%s'",
                            group->name);
    if (from->hosts && nodes)
        return mt_yaml_fail(yaml, nodes, err, "both 'hosts' and 'nodes' in group '%s'",
                            group->name);
    if (nodes && from->nodes < 1)
        return mt_yaml_fail(yaml, nodes, err,
                            "'nodes' of group '%s' must be at least 1, not %d",
                            group->name, from->nodes);
    if (nodes && from->nodes > MOST_NODES)
        return mt_yaml_fail(yaml, nodes, err,
                            "'nodes' of group '%s' must be at most %d, not %d",
                            group->name, MOST_NODES, from->nodes);
    if (nodes)
        return make_hosts(group, from->nodes, err);

    struct mt_hostlist list = {0};
    struct mt_error reason;
    const int status = mt_hostlist_parse(&list, from->hosts, &reason);
    if (status == MT_ENOMEM)
        return mt_fail(err, status, "%s", reason.text);
    if (status)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "hosts"), err,
                            "'hosts' of group '%s': %s", group->name, reason.text);
    group->hosts = list.hosts;
    group->nodes = list.count;
    return MT_OK;
}

static int compare_ints(const void *a, const void *b)
{
    int first = *(const int *)a, second = *(const int *)b;
    return (first > second) - (first < second);
}

static int read_processes(struct mt_group *group, struct file_group *from,
                          const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    int list = mt_yaml_member(yaml, map, "processes");
    for (int i = 0; i < (int)from->nprocesses; i++) {
        int item = mt_yaml_item(yaml, list, i);
        if (from->processes[i] < 1)
            return mt_yaml_fail(yaml, item, err,
                                "'processes' of group '%s' must be at least 1, not %d",
                                group->name, from->processes[i]);
        for (int j = 0; j < i; j++)
            if (from->processes[j] == from->processes[i])
                return mt_yaml_fail(yaml, item, err,
                                    "%d comes twice in 'processes' of group '%s'",
                                    from->processes[i], group->name);
    }
    group->processes = from->processes;
    group->nprocesses = (int)from->nprocesses;
    from->processes = NULL;
    qsort(group->processes, from->nprocesses, sizeof *group->processes, compare_ints);
    return MT_OK;
}

static int read_costs(struct mt_group *group, const struct file_group *from,
                      const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    if (from->price < 0)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "price"), err,
                            "'price' of group '%s' must not be negative: %g",
                            group->name, from->price);
    if (from->watts < 0)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "watts"), err,
                            "'watts' of group '%s' must not be negative: %g",
                            group->name, from->watts);
    group->price = from->price;
    group->watts = from->watts;
    return MT_OK;
}

/* A simulated node has its cores below 'simulate'. */
static int read_cores(struct mt_group *group, const struct file_group *from,
                      const struct mt_yaml *yaml, int map, bool simulated,
                      struct mt_error *err)
{
    const int cores = mt_yaml_member(yaml, map, "cores");
    if (cores && simulated)
        return mt_yaml_fail(yaml, cores, err,
                            "'cores' of group '%s' belongs below 'simulate'",
                            group->name);
    if (cores && from->cores <= 0)
        return mt_yaml_fail(yaml, cores, err,
                            "'cores' of group '%s' must be more than 0, not %g",
                            group->name, from->cores);
    group->cores = from->cores;
    return MT_OK;
}

static int read_testbed(struct mt_group *group, const struct file_group *from,
                        const struct mt_yaml *yaml, int map, bool simulated,
                        struct mt_error *err)
{
    const int testbed = mt_yaml_member(yaml, map, "testbed");
    if (!testbed)
        return MT_OK;
    if (simulated)
        return mt_yaml_fail(yaml, testbed, err,
                            "'testbed' in group '%s' is not for launcher smpi",
                            group->name);
    if (group->cores == 0)
        return mt_yaml_fail(yaml, map, err,
                            "missing key 'cores' in group '%s': 'testbed' needs it",
                            group->name);
    return mt_yaml_quantity(&group->testbed_bandwidth, yaml, testbed, "bandwidth",
                            from->testbed.bandwidth, MT_BANDWIDTH, err);
}

int mt_cluster_read_group(struct mt_group *group, struct file_group *from,
                          const struct mt_yaml *yaml, int map, bool simulated,
                          struct mt_error *err)
{
    int status = check_name(from, yaml, map, err);
    if (status)
        return status;
    group->name = from->name;
    from->name = NULL;

    int simulate = mt_yaml_member(yaml, map, "simulate");
    if (simulated && !simulate)
        return mt_yaml_fail(
            yaml, map, err,
            "missing key 'simulate' in group '%s': launcher smpi needs it",
            group->name);
    if (!simulated && simulate)
        return mt_yaml_fail(yaml, simulate, err,
                            "'simulate' in group '%s' is for launcher smpi only",
                            group->name);
    status = read_hosts(group, from, yaml, map, err);
    if (!status)
        status = read_processes(group, from, yaml, map, err);
    if (!status)
        status = read_costs(group, from, yaml, map, err);
    if (!status)
        status = mt_yaml_quantity(&group->memory, yaml, map, "memory", from->memory,
                                  MT_BYTES, err);
    if (!status)
        status = read_cores(group, from, yaml, map, simulated, err);
    if (!status)
        status = read_testbed(group, from, yaml, map, simulated, err);
    if (!status && simulated)
        status = mt_cluster_read_simulate(&group->simulate, group->nodes,
                                          &from->simulate, yaml, simulate, err);
    return status;
}
