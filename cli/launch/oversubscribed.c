/* SPDX-License-Identifier: BSD-3-Clause */
#include "oversubscribed.h"

#include <string.h>
#include <unistd.h>

static bool is_this_machine(const char *host)
{
    char own[256] = "";
    gethostname(own, sizeof own - 1);
    return !strcmp(host, "localhost") || !strcmp(host, own);
}

static bool is_group_oversubscribed(const struct mt_group *group, struct mt_use use)
{
    if (group->cores > 0)
        return use.nodes > 0 && use.processes > group->cores;
    if (use.processes <= sysconf(_SC_NPROCESSORS_ONLN))
        return false;
    for (int i = 0; i < use.nodes; i++)
        if (is_this_machine(group->hosts[i]))
            return true;
    return false;
}

bool mt_oversubscribed(const struct mt_cluster *cluster,
                       const struct mt_configuration *configuration)
{
    for (int g = 0; g < cluster->ngroups; g++)
        if (is_group_oversubscribed(&cluster->groups[g], configuration->use[g]))
            return true;
    return false;
}
