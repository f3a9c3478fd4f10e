/* SPDX-License-Identifier: BSD-3-Clause */
/* How nodes are used: processes, their threads, and where these run. */
#include "motley/cluster.h"
#include "motley/program.h"

#include <stdio.h>
#include <stdlib.h>

const char *mt_bind_name(enum mt_bind bind)
{
    static const char *const names[] = {[MT_BIND_DEFAULT] = "",
#define X(bind, name) [bind] = name,
                                        MT_BIND_LIST(X)
#undef X
    };
    return bind < MT_BINDS ? names[bind] : "";
}

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
    if (a.threads != b.threads)
        return a.threads < b.threads ? -1 : 1;
    return (a.bind > b.bind) - (a.bind < b.bind);
}

bool mt_layout_alike(struct mt_layout a, struct mt_layout b)
{
    return a.threads == b.threads && a.bind == b.bind;
}

const char *mt_layout_format(char text[MT_LAYOUT_LENGTH], struct mt_layout layout)
{
    int used = snprintf(text, MT_LAYOUT_LENGTH, "%d", layout.processes);
    if (layout.threads > 0)
        used += snprintf(text + used, (size_t)(MT_LAYOUT_LENGTH - used), "t%d",
                         layout.threads);
    if (layout.bind != MT_BIND_DEFAULT)
        snprintf(text + used, (size_t)(MT_LAYOUT_LENGTH - used), "@%s",
                 mt_bind_name(layout.bind));
    return text;
}

struct mt_layout mt_group_layout(const struct mt_group *group, int i)
{
    return (struct mt_layout){.processes = group->processes[i],
                              .threads = group->threads ? group->threads[i] : 0,
                              .bind = group->binds ? group->binds[i] : MT_BIND_DEFAULT};
}

bool mt_group_leaves_cores(const struct mt_group *group, struct mt_layout layout)
{
    int most = 0;
    for (int i = 0; i < group->nprocesses; i++) {
        const int cores = mt_layout_cores(mt_group_layout(group, i));
        most = cores > most ? cores : most;
    }
    return layout.threads > 0 && mt_layout_cores(layout) < most;
}

double mt_group_cores(const struct mt_group *group)
{
    return group->cores > 0 ? group->cores : group->simulate.cores;
}

/* The layouts of a group. Zeroed is empty. */
struct layouts {
    int *processes, *threads; /* owned, as the next */
    enum mt_bind *binds;
    int count;
};

static void clear(struct layouts *layouts)
{
    free(layouts->processes);
    free(layouts->threads);
    free(layouts->binds);
    *layouts = (struct layouts){0};
}

/* Whether processes may have so many threads there. */
static bool has_cores(const struct mt_group *group, int processes, int threads)
{
    return threads == 1 || (double)processes * threads <= mt_group_cores(group);
}

static void add(struct layouts *layouts, int processes, int threads,
                const struct mt_program *program)
{
    for (int b = 0; b < (program->nbinds > 0 ? program->nbinds : 1); b++) {
        const int i = layouts->count++;
        layouts->processes[i] = processes;
        layouts->threads[i] = threads > 1 ? threads : 0;
        layouts->binds[i] = program->nbinds > 0 ? program->binds[b] : MT_BIND_DEFAULT;
    }
}

/* Combine the group's numbers of processes with what the program says. */
static int combine(struct layouts *layouts, const struct mt_group *group,
                   const struct mt_program *program, struct mt_error *err)
{
    const size_t room = (size_t)group->nprocesses * (size_t)(program->nthreads + 1) *
                        (size_t)(program->nbinds + 1);
    layouts->processes = calloc(room, sizeof *layouts->processes);
    layouts->threads = calloc(room, sizeof *layouts->threads);
    layouts->binds = calloc(room, sizeof *layouts->binds);
    if (!layouts->processes || !layouts->threads || !layouts->binds)
        return mt_fail(err, MT_ENOMEM, "no memory for the layouts of group '%s'",
                       group->name);
    for (int i = 0; i < group->nprocesses; i++) {
        if (program->nthreads == 0)
            add(layouts, group->processes[i], 1, program);
        for (int t = 0; t < program->nthreads; t++)
            if (has_cores(group, group->processes[i], program->threads[t]))
                add(layouts, group->processes[i], program->threads[t], program);
    }
    return MT_OK;
}

static int lay_out_group(struct layouts *layouts, const struct mt_cluster *cluster,
                         const struct mt_group *group, const struct mt_program *program,
                         struct mt_error *err)
{
    const char *path = cluster->path ? cluster->path : cluster->name;
    const int most =
        program->nthreads > 0 ? program->threads[program->nthreads - 1] : 1;
    if (most > 1 && mt_group_cores(group) == 0)
        return mt_fail(err, MT_EINVAL,
                       "%s: missing key 'cores' in group '%s': a program with threads "
                       "needs it",
                       path, group->name);
    const int status = combine(layouts, group, program, err);
    if (status == MT_OK && layouts->count == 0)
        return mt_fail(err, MT_EINVAL,
                       "%s: group '%s' has %g cores, too few for %d process%s of %d "
                       "threads, the fewest of the program",
                       path, group->name, mt_group_cores(group), group->processes[0],
                       group->processes[0] == 1 ? "" : "es", program->threads[0]);
    return status;
}

int mt_cluster_lay_out(struct mt_cluster *cluster, const struct mt_program *program,
                       struct mt_error *err)
{
    struct layouts layouts[MT_MAX_GROUPS] = {{0}};
    int status = MT_OK;
    if (program->nthreads == 0 && program->nbinds == 0)
        return MT_OK;
    for (int g = 0; g < cluster->ngroups && status == MT_OK; g++)
        status = lay_out_group(&layouts[g], cluster, &cluster->groups[g], program, err);
    for (int g = 0; g < cluster->ngroups; g++) {
        struct mt_group *group = &cluster->groups[g];
        if (status == MT_OK) {
            const struct layouts before = {.processes = group->processes,
                                           .threads = group->threads,
                                           .binds = group->binds};
            group->processes = layouts[g].processes;
            group->threads = layouts[g].threads;
            group->binds = layouts[g].binds;
            group->nprocesses = layouts[g].count;
            layouts[g] = before;
        }
        clear(&layouts[g]);
    }
    return status;
}
