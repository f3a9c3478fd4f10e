/* SPDX-License-Identifier: BSD-3-Clause */
#include "rules.h"

#include <math.h>

/* No more than there are cores, if the group allows that. */
static int most_processes(const struct mt_group *group)
{
    int most = group->layouts[0].processes;
    for (int m = 1; m < group->nlayouts; m++)
        if (group->layouts[m].processes <= group->simulate.cores)
            most = group->layouts[m].processes;
    return most;
}

struct mt_configuration rule_group_alone(const struct mt_cluster *cluster, int group)
{
    struct mt_configuration configuration = {0};
    configuration.use[group] =
        (struct mt_use){.nodes = cluster->groups[group].nodes,
                        .layout.processes = most_processes(&cluster->groups[group])};
    return configuration;
}

struct mt_configuration rule_all_nodes(const struct mt_cluster *cluster)
{
    struct mt_configuration configuration = {0};
    for (int g = 0; g < cluster->ngroups; g++)
        configuration.use[g] = rule_group_alone(cluster, g).use[g];
    return configuration;
}

static int nearest_processes(const struct mt_group *group, double share)
{
    int nearest = group->layouts[0].processes;
    for (int m = 1; m < group->nlayouts; m++)
        if (fabs(group->layouts[m].processes - share) < fabs(nearest - share))
            nearest = group->layouts[m].processes;
    return share < group->layouts[0].processes / 2.0 ? 0 : nearest;
}

struct mt_configuration rule_proportional(const struct mt_cluster *cluster,
                                          const double speeds[MT_MAX_GROUPS])
{
    struct mt_configuration configuration = {0};
    int fastest = 0;
    for (int g = 1; g < cluster->ngroups; g++)
        if (speeds[g] > speeds[fastest])
            fastest = g;
    const int most = most_processes(&cluster->groups[fastest]);
    for (int g = 0; g < cluster->ngroups; g++) {
        const int processes =
            nearest_processes(&cluster->groups[g], most * speeds[g] / speeds[fastest]);
        if (processes > 0)
            configuration.use[g] = (struct mt_use){.nodes = cluster->groups[g].nodes,
                                                   .layout.processes = processes};
    }
    return configuration;
}

struct mt_configuration rule_random(const struct mt_cluster *cluster,
                                    struct random *random)
{
    struct mt_configuration configuration = {0};
    while (mt_configuration_nodes(&configuration) == 0)
        for (int g = 0; g < cluster->ngroups; g++) {
            const struct mt_group *group = &cluster->groups[g];
            const int nodes = random_integer(random, 0, group->nodes),
                      m = random_integer(random, 0, group->nlayouts - 1);
            if (nodes > 0)
                configuration.use[g] = (struct mt_use){
                    .nodes = nodes, .layout.processes = group->layouts[m].processes};
        }
    return configuration;
}
