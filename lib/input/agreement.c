/* SPDX-License-Identifier: BSD-3-Clause */
/* What the groups of a configuration have to agree on for the launcher's sake. */
#include "internal.h"

#include <limits.h>

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
