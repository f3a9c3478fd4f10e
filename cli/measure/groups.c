/* SPDX-License-Identifier: BSD-3-Clause */
#include "groups.h"

#include "lib/base/text.h"

#include <stdio.h>
#include <string.h>

static int choose(bool *chosen, const char *name, const struct mt_cluster *cluster,
                  struct mt_error *err)
{
    struct mt_closest closest = {.word = name};
    for (int g = 0; g < cluster->ngroups; g++) {
        if (strcmp(cluster->groups[g].name, name) == 0) {
            chosen[g] = true;
            return MT_OK;
        }
        mt_closest_try(&closest, cluster->groups[g].name);
    }
    return mt_fail(err, MT_EINVAL, "--groups: cluster '%s' has no group '%s'%s%s%s",
                   cluster->name, name, closest.name ? "; did you mean '" : "",
                   closest.name ? closest.name : "", closest.name ? "'?" : "");
}

static int read_list(bool *chosen, const char *list, const struct mt_cluster *cluster,
                     struct mt_error *err)
{
    int status = MT_OK;
    for (const char *rest = list; rest && status == MT_OK;) {
        char name[128];
        const size_t length = strcspn(rest, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, rest);
        status = choose(chosen, name, cluster, err);
        rest = rest[length] ? rest + length + 1 : NULL;
    }
    return status;
}

static bool uses_others(const struct mt_configuration *configuration,
                        const bool *chosen, int ngroups)
{
    for (int g = 0; g < ngroups; g++)
        if (configuration->use[g].nodes > 0 && !chosen[g])
            return true;
    return false;
}

int mt_groups_keep(struct mt_tasks *tasks, const char *list,
                   const struct mt_cluster *cluster, struct mt_error *err)
{
    bool chosen[MT_MAX_GROUPS] = {false};
    const int status = read_list(chosen, list, cluster, err);
    int kept = 0;
    if (status != MT_OK)
        return status;
    for (int i = 0; i < tasks->count; i++)
        if (!uses_others(&tasks->tasks[i].configuration, chosen, cluster->ngroups))
            tasks->tasks[kept++] = tasks->tasks[i];
    tasks->count = kept;
    return kept > 0
               ? MT_OK
               : mt_fail(err, MT_EINVAL,
                         "--groups: none of the configurations uses '%s' alone", list);
}
