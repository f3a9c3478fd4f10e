/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/cluster.h"

#include "internal.h"

#include <stdlib.h>
#include <string.h>

static void clear_group(struct mt_group *group)
{
    for (int i = 0; group->hosts && i < group->nodes + group->down; i++)
        free(group->hosts[i]);
    free(group->hosts);
    free(group->name);
    free(group->network);
    free(group->slurm.partition);
    free(group->slurm.account);
    free(group->slurm.qos);
    free(group->slurm.constraint);
    free(group->slurm.gres);
    free(group->layouts);
    free(group->simulate.caches);
}

void mt_cluster_clear(struct mt_cluster *cluster)
{
    for (int i = 0; i < cluster->ngroups; i++)
        clear_group(&cluster->groups[i]);
    free(cluster->groups);
    for (char **word = cluster->launch; word && *word; word++)
        free(*word);
    free(cluster->launch);
    free(cluster->currency);
    free(cluster->note);
    free(cluster->remote_shell);
    free(cluster->mpi);
    free(cluster->path);
    free(cluster->name);
    *cluster = (struct mt_cluster){0};
}

int mt_cluster_find_group(const struct mt_cluster *cluster, const char *name)
{
    for (int i = 0; i < cluster->ngroups; i++)
        if (strcmp(cluster->groups[i].name, name) == 0)
            return i;
    return -1;
}

bool mt_cluster_has_node(const struct mt_cluster *cluster, const char *host)
{
    for (int g = 0; g < cluster->ngroups; g++)
        for (int i = 0; i < cluster->groups[g].nodes; i++)
            if (strcmp(cluster->groups[g].hosts[i], host) == 0)
                return true;
    return false;
}

/* The order of the other nodes stays, as that of the ranks follows it. */
static void leave_out(struct mt_group *group, int node)
{
    char *host = group->hosts[node];
    group->nodes--;
    for (int i = node; i < group->nodes; i++)
        group->hosts[i] = group->hosts[i + 1];
    group->hosts[group->nodes] = host;
    group->down++;
}

bool mt_cluster_leave_out(struct mt_cluster *cluster, const char *host)
{
    for (int g = 0; g < cluster->ngroups; g++)
        for (int i = 0; i < cluster->groups[g].nodes; i++)
            if (strcmp(cluster->groups[g].hosts[i], host) == 0) {
                leave_out(&cluster->groups[g], i);
                return true;
            }
    return false;
}

bool mt_cluster_simulated(const struct mt_cluster *cluster)
{
    return cluster->launcher == MT_LAUNCH_SMPI;
}

bool mt_cluster_is_testbed(const struct mt_cluster *cluster)
{
    for (int i = 0; i < cluster->ngroups; i++)
        if (cluster->groups[i].testbed_bandwidth > 0)
            return true;
    return false;
}

const char *mt_launcher_name(enum mt_launcher launcher)
{
    static const char *const names[] = {
#define X(launcher, name) [launcher] = #name,
        MT_LAUNCHER_LIST(X)
#undef X
    };
    return launcher < MT_LAUNCHERS ? names[launcher] : "unknown launcher";
}

const char *mt_topology_name(enum mt_topology topology)
{
    switch (topology) {
    case MT_TOPOLOGY_SWITCHES:
        return "switches";
    case MT_TOPOLOGY_BUS:
        return "bus";
    case MT_TOPOLOGY_TORUS:
        return "torus";
    case MT_TOPOLOGY_MULTISTAGE:
        return "multistage";
    }
    return "unknown topology";
}
