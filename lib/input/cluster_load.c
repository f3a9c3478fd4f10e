/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/cluster.h"

#include "cluster_file.h"
#include "yaml_load.h"
#include "yaml_value.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const launch_placeholders[] = {"{P}", "{hostfile}", "{hosts}",
                                                  "{program}", NULL};

static int read_launcher(struct mt_cluster *cluster, const struct file_cluster *from,
                         const struct mt_yaml *yaml, struct mt_error *err)
{
    char names[80] = "";
    size_t used = 0;
    for (int launcher = 0; launcher < MT_LAUNCHERS; launcher++) {
        const char *name = mt_launcher_name(launcher);
        if (from->launcher && strcmp(from->launcher, name) == 0) {
            cluster->launcher = launcher;
            return MT_OK;
        }
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 used ? ", " : "", name);
    }
    int node = mt_yaml_member(yaml, mt_yaml_root(yaml), "launcher");
    if (!node)
        return mt_yaml_fail(yaml, mt_yaml_root(yaml), err,
                            "missing key 'launcher': one of %s", names);
    return mt_yaml_fail(yaml, node, err, "'launcher' must be one of %s, not '%.60s'",
                        names, from->launcher);
}

/* The template of launcher `command`. */
static int read_launch(struct mt_cluster *cluster, struct file_cluster *from,
                       const struct mt_yaml *yaml, struct mt_error *err)
{
    int root = mt_yaml_root(yaml), node = mt_yaml_member(yaml, root, "launch");
    if (cluster->launcher != MT_LAUNCH_COMMAND && node)
        return mt_yaml_fail(yaml, node, err, "'launch' is for launcher command only");
    if (cluster->launcher != MT_LAUNCH_COMMAND)
        return MT_OK;
    if (!node)
        return mt_yaml_fail(yaml, root, err,
                            "missing key 'launch': launcher command needs it");
    int status = mt_yaml_command(&cluster->launch, yaml, root, "launch", &from->launch,
                                 from->nlaunch, launch_placeholders, err);
    if (status)
        return status;
    for (char **word = cluster->launch; *word; word++)
        if (strcmp(*word, "{program}") == 0)
            return MT_OK;
    return mt_yaml_fail(yaml, node, err, "'launch' has no word '{program}'");
}

static int read_glitches(struct mt_cluster *cluster, const struct file_cluster *from,
                         const struct mt_yaml *yaml, struct mt_error *err)
{
    const int map = mt_yaml_member(yaml, mt_yaml_root(yaml), "glitches");
    const struct file_glitches *glitches = &from->glitches;
    if (!map)
        return MT_OK;
    if (!mt_cluster_simulated(cluster))
        return mt_yaml_fail(yaml, map, err, "'glitches' is for launcher smpi only");
    if (glitches->count < 1)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "count"), err,
                            "'count' must be at least 1, not %d", glitches->count);
    if (glitches->slowdown <= 1)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "slowdown"), err,
                            "'slowdown' must be more than 1, not %g",
                            glitches->slowdown);
    cluster->glitches = (struct mt_glitches){glitches->count, glitches->slowdown};
    return MT_OK;
}

static int read_groups(struct mt_cluster *cluster, struct file_cluster *from,
                       const struct mt_yaml *yaml, struct mt_error *err)
{
    int list = mt_yaml_member(yaml, mt_yaml_root(yaml), "groups");
    cluster->groups = calloc(from->ngroups, sizeof *cluster->groups);
    if (!cluster->groups)
        return mt_fail(err, MT_ENOMEM, "no memory for a cluster");
    for (int i = 0; i < (int)from->ngroups; i++) {
        int map = mt_yaml_item(yaml, list, i);
        if (mt_cluster_find_group(cluster, from->groups[i].name) >= 0)
            return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "name"), err,
                                "group '%s' comes twice", from->groups[i].name);
        cluster->ngroups++; /* from now on the cluster's to clear */
        int status = mt_cluster_read_group(&cluster->groups[i], &from->groups[i], yaml,
                                           map, mt_cluster_simulated(cluster), err);
        if (status)
            return status;
    }
    return MT_OK;
}

/* P is an int everywhere, which can count one further. */
enum { MOST_RANKS = INT_MAX - 1 };
/* Plans count an hour's price in millionths, and these times processes. */
static const double most_price = 1e10;

static int check_totals(const struct mt_cluster *cluster, const struct mt_yaml *yaml,
                        struct mt_error *err)
{
    const int groups = mt_yaml_member(yaml, mt_yaml_root(yaml), "groups");
    int64_t ranks = 0;
    double price = 0;
    for (int i = 0; i < cluster->ngroups; i++) {
        const struct mt_group *group = &cluster->groups[i];
        ranks += (int64_t)group->nodes * group->processes[group->nprocesses - 1];
        price += group->nodes * group->price;
    }
    if (ranks > MOST_RANKS)
        return mt_yaml_fail(yaml, groups, err,
                            "'groups' add up to more than %d processes", MOST_RANKS);
    if (price > most_price)
        return mt_yaml_fail(yaml, groups, err,
                            "'groups' add up to a price of more than %.0e an hour",
                            most_price);
    return MT_OK;
}

/* A cluster is a testbed as a whole, or not at all. */
static int check_testbed(const struct mt_cluster *cluster, const struct mt_yaml *yaml,
                         struct mt_error *err)
{
    const int groups = mt_yaml_member(yaml, mt_yaml_root(yaml), "groups");
    for (int i = 0; i < cluster->ngroups; i++)
        if (mt_cluster_is_testbed(cluster) && cluster->groups[i].testbed_bandwidth == 0)
            return mt_yaml_fail(yaml, mt_yaml_item(yaml, groups, i), err,
                                "missing key 'testbed' in group '%s': other groups "
                                "have it",
                                cluster->groups[i].name);
    return MT_OK;
}

struct named_host {
    const char *name; /* borrowed */
    int group;
};

static int compare_hosts(const void *a, const void *b)
{
    const struct named_host *first = a, *second = b;
    int order = strcmp(first->name, second->name);
    return order ? order : first->group - second->group;
}

/* No host is in two groups; within a group the host list sees to it. */
static int check_hosts(const struct mt_cluster *cluster, const struct mt_yaml *yaml,
                       struct mt_error *err)
{
    size_t total = 0, used = 0;
    for (int i = 0; i < cluster->ngroups; i++)
        total += (size_t)cluster->groups[i].nodes;
    if (total < 2)
        return MT_OK;
    struct named_host *hosts = calloc(total, sizeof *hosts);
    if (!hosts)
        return mt_fail(err, MT_ENOMEM, "no memory for %zu hosts", total);
    for (int i = 0; i < cluster->ngroups; i++)
        for (int j = 0; j < cluster->groups[i].nodes; j++)
            hosts[used++] = (struct named_host){cluster->groups[i].hosts[j], i};
    qsort(hosts, total, sizeof *hosts, compare_hosts);

    int status = MT_OK;
    int groups = mt_yaml_member(yaml, mt_yaml_root(yaml), "groups");
    for (size_t i = 1; i < total && !status; i++)
        if (strcmp(hosts[i - 1].name, hosts[i].name) == 0)
            status = mt_yaml_fail(
                yaml,
                mt_yaml_member(yaml, mt_yaml_item(yaml, groups, hosts[i].group),
                               "hosts"),
                err, "host '%.60s' is in group '%.40s' and in '%.40s'", hosts[i].name,
                cluster->groups[hosts[i - 1].group].name,
                cluster->groups[hosts[i].group].name);
    free(hosts);
    return status;
}

/* Fill `cluster` from the file; on failure it holds what was done so far. */
static int read_cluster(struct mt_cluster *cluster, struct file_cluster *from,
                        const struct mt_yaml *yaml, struct mt_error *err)
{
    cluster->name = from->name;
    cluster->remote_shell = from->remote_shell;
    from->name = from->remote_shell = NULL;

    int status = read_launcher(cluster, from, yaml, err);
    if (!status)
        status = read_launch(cluster, from, yaml, err);
    if (!status)
        status = read_groups(cluster, from, yaml, err);
    if (!status)
        status = check_totals(cluster, yaml, err);
    if (!status)
        status = check_hosts(cluster, yaml, err);
    if (!status)
        status = check_testbed(cluster, yaml, err);
    if (!status)
        status = mt_cluster_read_network(cluster, from, yaml, err);
    if (!status)
        status = read_glitches(cluster, from, yaml, err);
    return status;
}

static int load_file(struct mt_cluster *cluster, const struct mt_yaml *yaml,
                     struct mt_error *err)
{
    void *from = NULL;
    int status = mt_yaml_load(yaml, &mt_cluster_schema, &from, err);
    if (!status)
        status = read_cluster(cluster, from, yaml, err);
    mt_yaml_unload(&mt_cluster_schema, from);
    return status;
}

int mt_cluster_load(struct mt_cluster *cluster, const char *path, struct mt_error *err)
{
    struct mt_cluster loaded = {.path = strdup(path)};
    struct mt_yaml *yaml = NULL;
    int status = MT_OK;
    if (!loaded.path)
        status = mt_fail(err, MT_ENOMEM, "no memory to read '%s'", path);
    if (!status)
        status = mt_yaml_open(&yaml, path, err);
    if (!status)
        status = load_file(&loaded, yaml, err);
    mt_yaml_close(yaml);
    if (status)
        mt_cluster_clear(&loaded);
    else
        *cluster = loaded;
    return status;
}
