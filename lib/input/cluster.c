/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions about a cluster: its groups, hosts, cores and networks. */
#include "motley/cluster.h"

#include "internal.h"

#include <limits.h>
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
    free(cluster->network.incast.steps);
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

static bool same_host(const char *a, const char *b)
{
    const char *begin = a;
    for (; *a && *a == *b; a++)
        b++;
    const bool lacks = (!*a && *b == '.') || (!*b && *a == '.');
    return (!*a && !*b) || (lacks && !memchr(begin, '.', (size_t)(a - begin)));
}

int mt_cluster_group_of(const struct mt_cluster *cluster, const char *host)
{
    for (int g = 0; g < cluster->ngroups; g++)
        for (int i = 0; i < cluster->groups[g].nodes; i++)
            if (same_host(cluster->groups[g].hosts[i], host))
                return g;
    return -1;
}

/* The other nodes keep their order, which the ranks follow. */
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

int mt_layout_threads(struct mt_layout layout)
{
    return layout.threads > 0 ? layout.threads : 1;
}

static bool wants_equal_threads(const struct mt_cluster *cluster, enum mt_bind bind)
{
    return cluster->launcher == MT_LAUNCH_MPICH && bind == MT_BIND_CORE;
}

bool mt_cluster_next_threads(const struct mt_cluster *cluster, enum mt_bind bind,
                             int *threads)
{
    int next = INT_MAX;
    if (!wants_equal_threads(cluster, bind)) {
        const bool first = *threads < 0;
        *threads = 0;
        return first;
    }
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        for (int i = 0; i < group->nlayouts; i++) {
            const int number = mt_layout_threads(group->layouts[i]);
            if (group->layouts[i].bind == bind && number > *threads && number < next)
                next = number;
        }
    }
    *threads = next;
    return next < INT_MAX;
}

int mt_configuration_check(const struct mt_configuration *configuration,
                           const struct mt_cluster *cluster, struct mt_error *err)
{
    int first = -1, threads = 0;
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_use use = configuration->use[g];
        const int own = mt_layout_threads(use.layout);
        if (use.nodes == 0)
            continue;
        first = first >= 0 ? first : g;
        if (use.layout.bind != configuration->use[first].layout.bind)
            return mt_fail(err, MT_EINVAL,
                           "a launcher binds all ranks in the same way: give groups "
                           "'%s' and '%s', which are used together, the same binding",
                           cluster->groups[first].name, cluster->groups[g].name);
        if (!wants_equal_threads(cluster, use.layout.bind))
            continue;
        if (threads > 0 && own != threads)
            return mt_fail(err, MT_EINVAL,
                           "MPICH binds all ranks to equally many cores: give groups "
                           "that are used together the same number of threads, or bind "
                           "by 'numa' or 'none'");
        threads = own;
    }
    return MT_OK;
}
