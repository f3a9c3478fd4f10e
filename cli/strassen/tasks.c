/* SPDX-License-Identifier: BSD-3-Clause */
#include "tasks.h"

struct mt_configuration mt_strassen_alone(int group, int processes)
{
    struct mt_configuration configuration = {0};
    configuration.use[group] = (struct mt_use){.nodes = 1, .processes = processes};
    return configuration;
}

static void add_pair(struct mt_strassen_pairs *pairs, int group, int other)
{
    struct mt_configuration pair = mt_strassen_alone(group, 1);
    if (group == other)
        pair.use[group].nodes = 2;
    else
        pair.use[other] = (struct mt_use){.nodes = 1, .processes = 1};
    pairs->pairs[pairs->count++] = pair;
}

struct mt_strassen_pairs mt_strassen_pairs(const struct mt_cluster *cluster)
{
    struct mt_strassen_pairs pairs = {.count = 0};
    int first = -1;
    for (int g = 0; g < cluster->ngroups; g++) {
        if (cluster->groups[g].nodes == 0)
            continue;
        if (first < 0)
            first = g;
        else
            add_pair(&pairs, first, g);
        if (cluster->groups[g].nodes > 1)
            add_pair(&pairs, g, g);
    }
    if (pairs.count == 0 && first >= 0) {
        const struct mt_group *group = &cluster->groups[first];
        if (group->processes[group->nprocesses - 1] > 1)
            pairs.pairs[pairs.count++] = mt_strassen_alone(first, 2);
    }
    return pairs;
}

static int add_tasks(struct mt_tasks *tasks,
                     const struct mt_configuration *configuration, const double *sizes,
                     int nsizes, int repeat, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < nsizes; i++)
        for (int r = 1; status == MT_OK && r <= repeat; r++) {
            const struct mt_task task = {
                .configuration = *configuration, .size = sizes[i], .repetition = r};
            status = mt_tasks_add(tasks, &task, err);
        }
    return status;
}

static int add_products(struct mt_tasks *tasks, const struct mt_cluster *cluster,
                        const double *sizes, int nsizes, int repeat,
                        struct mt_error *err)
{
    int status = MT_OK;
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        for (int i = 0; status == MT_OK && group->nodes > 0 && i < group->nprocesses;
             i++) {
            const struct mt_configuration alone =
                mt_strassen_alone(g, group->processes[i]);
            status = add_tasks(tasks, &alone, sizes, nsizes, repeat, err);
        }
    }
    return status;
}

static int add_messages(struct mt_tasks *tasks, const struct mt_cluster *cluster,
                        int repeat, struct mt_error *err)
{
    static const double sizes[] = {MT_STRASSEN_SMALL, MT_STRASSEN_LARGE};
    const struct mt_strassen_pairs pairs = mt_strassen_pairs(cluster);
    int status = MT_OK;
    for (int i = 0; status == MT_OK && i < pairs.count; i++)
        status = add_tasks(tasks, &pairs.pairs[i], sizes, 2, repeat, err);
    return status;
}

int mt_strassen_tasks(struct mt_tasks *tasks, enum mt_strassen_probe probe,
                      const struct mt_cluster *cluster, const double *sizes, int nsizes,
                      int repeat, struct mt_error *err)
{
    if (probe == MT_PROBE_PRODUCT || probe == MT_PROBE_STRASSEN)
        return add_products(tasks, cluster, sizes, nsizes, repeat, err);
    return add_messages(tasks, cluster, repeat, err);
}
