/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes and threads on a node. */
#include "motley/cluster.h"

#include <stdio.h>
#include <stdlib.h>

int mt_layout_threads(struct mt_layout layout)
{
    return layout.threads > 0 ? layout.threads : 1;
}

int mt_layout_cores(struct mt_layout layout)
{
    return layout.processes * mt_layout_threads(layout);
}

int mt_layout_compare(struct mt_layout a, struct mt_layout b)
{
    if (a.processes != b.processes)
        return a.processes < b.processes ? -1 : 1;
    return (a.threads > b.threads) - (a.threads < b.threads);
}

const char *mt_layout_format(char text[MT_LAYOUT_LENGTH], struct mt_layout layout)
{
    if (layout.threads > 0)
        snprintf(text, MT_LAYOUT_LENGTH, "%dt%d", layout.processes, layout.threads);
    else
        snprintf(text, MT_LAYOUT_LENGTH, "%d", layout.processes);
    return text;
}

struct mt_layout mt_group_layout(const struct mt_group *group, int i)
{
    return (struct mt_layout){.processes = group->processes[i],
                              .threads = group->threads ? group->threads[i] : 0};
}

double mt_group_cores(const struct mt_group *group)
{
    return group->cores > 0 ? group->cores : group->simulate.cores;
}

/* The layouts of a group. Zeroed is empty. */
struct layouts {
    int *processes, *threads; /* owned */
    int count;
};

static void clear(struct layouts *layouts)
{
    free(layouts->processes);
    free(layouts->threads);
    *layouts = (struct layouts){0};
}

/* Whether processes may have so many threads there. */
static bool has_cores(const struct mt_group *group, int processes, int threads)
{
    return threads == 1 || (double)processes * threads <= mt_group_cores(group);
}

/* Combine the group's numbers of processes with those of threads. */
static int combine(struct layouts *layouts, const struct mt_group *group,
                   const int *threads, int count, struct mt_error *err)
{
    const size_t room = (size_t)group->nprocesses * (size_t)count;
    layouts->processes = calloc(room + 1, sizeof *layouts->processes);
    layouts->threads = calloc(room + 1, sizeof *layouts->threads);
    if (!layouts->processes || !layouts->threads)
        return mt_fail(err, MT_ENOMEM, "no memory for the layouts of group '%s'",
                       group->name);
    for (int i = 0; i < group->nprocesses; i++) {
        const int processes = group->processes[i];
        for (int t = 0; t < count; t++) {
            if (!has_cores(group, processes, threads[t]))
                continue;
            layouts->processes[layouts->count] = processes;
            layouts->threads[layouts->count++] = threads[t] > 1 ? threads[t] : 0;
        }
    }
    return MT_OK;
}

static int lay_out_group(struct layouts *layouts, const struct mt_cluster *cluster,
                         const struct mt_group *group, const int *threads, int count,
                         struct mt_error *err)
{
    const char *path = cluster->path ? cluster->path : cluster->name;
    if (threads[count - 1] > 1 && mt_group_cores(group) == 0)
        return mt_fail(err, MT_EINVAL,
                       "%s: missing key 'cores' in group '%s': a program with threads "
                       "needs it",
                       path, group->name);
    const int status = combine(layouts, group, threads, count, err);
    if (status == MT_OK && layouts->count == 0)
        return mt_fail(err, MT_EINVAL,
                       "%s: group '%s' has %g cores, too few for %d process%s of %d "
                       "threads, the fewest of the program",
                       path, group->name, mt_group_cores(group), group->processes[0],
                       group->processes[0] == 1 ? "" : "es", threads[0]);
    return status;
}

int mt_cluster_lay_out(struct mt_cluster *cluster, const int *threads, int count,
                       struct mt_error *err)
{
    struct layouts layouts[MT_MAX_GROUPS] = {{0}};
    int status = MT_OK;
    if (count == 0)
        return MT_OK;
    for (int g = 0; g < cluster->ngroups && status == MT_OK; g++)
        status = lay_out_group(&layouts[g], cluster, &cluster->groups[g], threads,
                               count, err);
    for (int g = 0; g < cluster->ngroups; g++) {
        struct mt_group *group = &cluster->groups[g];
        if (status == MT_OK) {
            const struct layouts before = {group->processes, group->threads, 0};
            group->processes = layouts[g].processes;
            group->threads = layouts[g].threads;
            group->nprocesses = layouts[g].count;
            layouts[g] = before;
        }
        clear(&layouts[g]);
    }
    return status;
}
