/* SPDX-License-Identifier: BSD-3-Clause */
/* How nodes are used: processes, their threads, and where these run. */
#include "layout.h"

#include "motley/cluster.h"
#include "motley/program.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    if (a.bind != b.bind)
        return a.bind < b.bind ? -1 : 1;
    return (a.gpus > b.gpus) - (a.gpus < b.gpus);
}

bool mt_layout_alike(struct mt_layout a, struct mt_layout b)
{
    return a.threads == b.threads && a.bind == b.bind && a.gpus == b.gpus;
}

const char *mt_layout_format(char text[MT_LAYOUT_LENGTH], struct mt_layout layout)
{
    int used = snprintf(text, MT_LAYOUT_LENGTH, "%d", layout.processes);
    if (layout.threads > 0)
        used += snprintf(text + used, (size_t)(MT_LAYOUT_LENGTH - used), "t%d",
                         layout.threads);
    if (layout.gpus > 0)
        used += snprintf(text + used, (size_t)(MT_LAYOUT_LENGTH - used), "g%d",
                         layout.gpus);
    if (layout.bind != MT_BIND_DEFAULT)
        snprintf(text + used, (size_t)(MT_LAYOUT_LENGTH - used), "@%s",
                 mt_bind_name(layout.bind));
    return text;
}

bool mt_count_read(const char **text, int *count)
{
    if (!isdigit((unsigned char)**text))
        return false;
    char *end = NULL;
    errno = 0;
    long value = strtol(*text, &end, 10);
    *count = errno || value > INT_MAX ? INT_MAX : (int)value;
    *text = end;
    return true;
}

static bool read_bind(const char **text, enum mt_bind *bind)
{
    for (int i = MT_BIND_DEFAULT + 1; i < MT_BINDS; i++) {
        const char *name = mt_bind_name((enum mt_bind)i);
        if (strncmp(name, *text, strlen(name)) != 0)
            continue;
        *bind = (enum mt_bind)i;
        *text += strlen(name);
        return true;
    }
    return false;
}

/* Step over the character, if it is the next one. */
static bool takes(const char **text, char character)
{
    if (**text != character)
        return false;
    ++*text;
    return true;
}

bool mt_layout_read(struct mt_layout *layout, const char **text)
{
    struct mt_layout found = {0};
    const char *at = *text;
    bool good = mt_count_read(&at, &found.processes);
    if (good && takes(&at, 't')) {
        good = mt_count_read(&at, &found.threads);
        /* one is not kept, none is told from it */
        found.threads = found.threads == 0   ? -1
                        : found.threads == 1 ? 0
                                             : found.threads;
    }
    if (good && takes(&at, 'g'))
        good = mt_count_read(&at, &found.gpus);
    if (good && takes(&at, '@'))
        good = read_bind(&at, &found.bind);
    if (!good)
        return false;
    *layout = found;
    *text = at;
    return true;
}

struct mt_layout mt_group_layout(const struct mt_group *group, int i)
{
    return (struct mt_layout){.processes = group->processes[i],
                              .threads = group->threads ? group->threads[i] : 0,
                              .bind = group->binds ? group->binds[i] : MT_BIND_DEFAULT,
                              .gpus = group->process_gpus ? group->process_gpus[i] : 0};
}

bool mt_group_leaves_cores(const struct mt_group *group, struct mt_layout layout)
{
    int most = 0;
    for (int i = 0; i < group->nprocesses; i++) {
        const struct mt_layout other = mt_group_layout(group, i);
        const int cores = mt_layout_cores(other);
        most = other.gpus == layout.gpus && cores > most ? cores : most;
    }
    return layout.threads > 0 && mt_layout_cores(layout) < most;
}

double mt_group_cores(const struct mt_group *group)
{
    return group->cores > 0 ? group->cores : group->simulate.cores;
}

/* The layouts of a group. Zeroed is empty. */
struct layouts {
    int *processes, *threads, *gpus; /* owned, as the next */
    enum mt_bind *binds;
    int count;
};

static void clear(struct layouts *layouts)
{
    free(layouts->processes);
    free(layouts->threads);
    free(layouts->gpus);
    free(layouts->binds);
    *layouts = (struct layouts){0};
}

/* What the program's file says, or what it means where that says nothing. */
struct choices {
    const int *threads, *gpus; /* borrowed, as the next */
    const enum mt_bind *binds;
    int nthreads, ngpus, nbinds;
};

static struct choices choices_of(const struct mt_program *program)
{
    static const int one = 1, none = 0;
    static const enum mt_bind usual = MT_BIND_DEFAULT;
    struct choices choices = {.threads = &one,
                              .nthreads = 1,
                              .gpus = &none,
                              .ngpus = 1,
                              .binds = &usual,
                              .nbinds = 1};
    if (program->nthreads > 0) {
        choices.threads = program->threads;
        choices.nthreads = program->nthreads;
    }
    if (program->ngpus > 0) {
        choices.gpus = program->gpus;
        choices.ngpus = program->ngpus;
    }
    if (program->nbinds > 0) {
        choices.binds = program->binds;
        choices.nbinds = program->nbinds;
    }
    return choices;
}

/* Whether processes may have so many threads there, and GPUs. */
static bool has_cores(const struct mt_group *group, int processes, int threads)
{
    return threads == 1 || (double)processes * threads <= mt_group_cores(group);
}

static bool has_gpus(const struct mt_group *group, int processes, int gpus)
{
    return (double)processes * gpus <= group->gpus;
}

static void add(struct layouts *layouts, int processes, int threads, enum mt_bind bind,
                int gpus)
{
    const int i = layouts->count++;
    layouts->processes[i] = processes;
    layouts->threads[i] = threads > 1 ? threads : 0;
    layouts->binds[i] = bind;
    layouts->gpus[i] = gpus;
}

/* Combine the group's numbers of processes with what the program says, in order. */
static int combine(struct layouts *layouts, const struct mt_group *group,
                   const struct choices *choices, struct mt_error *err)
{
    const size_t room = (size_t)group->nprocesses * (size_t)choices->nthreads *
                        (size_t)choices->ngpus * (size_t)choices->nbinds;
    layouts->processes = calloc(room, sizeof *layouts->processes);
    layouts->threads = calloc(room, sizeof *layouts->threads);
    layouts->gpus = calloc(room, sizeof *layouts->gpus);
    layouts->binds = calloc(room, sizeof *layouts->binds);
    if (!layouts->processes || !layouts->threads || !layouts->gpus || !layouts->binds)
        return mt_fail(err, MT_ENOMEM, "no memory for the layouts of group '%s'",
                       group->name);
    for (int i = 0; i < group->nprocesses; i++)
        for (int t = 0; t < choices->nthreads; t++)
            for (int b = 0; b < choices->nbinds; b++)
                for (int g = 0; g < choices->ngpus; g++) {
                    const int m = group->processes[i], threads = choices->threads[t],
                              gpus = choices->gpus[g];
                    if (has_cores(group, m, threads) && has_gpus(group, m, gpus))
                        add(layouts, m, threads, choices->binds[b], gpus);
                }
    return MT_OK;
}

static int refuse_group(const struct mt_cluster *cluster, const struct mt_group *group,
                        const struct choices *choices, struct mt_error *err)
{
    const char *path = cluster->path ? cluster->path : cluster->name;
    const int fewest = group->processes[0];
    const char *plural = fewest == 1 ? "" : "es";
    if (!has_gpus(group, fewest, choices->gpus[0]))
        return mt_fail(err, MT_EINVAL,
                       "%s: group '%s' has %d GPUs, too few for %d process%s of %d "
                       "each, the fewest of the program",
                       path, group->name, group->gpus, fewest, plural,
                       choices->gpus[0]);
    return mt_fail(err, MT_EINVAL,
                   "%s: group '%s' has %g cores, too few for %d process%s of %d "
                   "threads, the fewest of the program",
                   path, group->name, mt_group_cores(group), fewest, plural,
                   choices->threads[0]);
}

static int lay_out_group(struct layouts *layouts, const struct mt_cluster *cluster,
                         const struct mt_group *group, const struct choices *choices,
                         struct mt_error *err)
{
    if (choices->threads[choices->nthreads - 1] > 1 && mt_group_cores(group) == 0)
        return mt_fail(err, MT_EINVAL,
                       "%s: missing key 'cores' in group '%s': a program with threads "
                       "needs it",
                       cluster->path ? cluster->path : cluster->name, group->name);
    const int status = combine(layouts, group, choices, err);
    return status == MT_OK && layouts->count == 0
               ? refuse_group(cluster, group, choices, err)
               : status;
}

int mt_cluster_lay_out(struct mt_cluster *cluster, const struct mt_program *program,
                       struct mt_error *err)
{
    struct layouts layouts[MT_MAX_GROUPS] = {{0}};
    const struct choices choices = choices_of(program);
    int status = MT_OK;
    if (program->nthreads == 0 && program->nbinds == 0 && program->ngpus == 0)
        return MT_OK;
    for (int g = 0; g < cluster->ngroups && status == MT_OK; g++)
        status =
            lay_out_group(&layouts[g], cluster, &cluster->groups[g], &choices, err);
    for (int g = 0; g < cluster->ngroups; g++) {
        struct mt_group *group = &cluster->groups[g];
        if (status == MT_OK) {
            const struct layouts before = {.processes = group->processes,
                                           .threads = group->threads,
                                           .gpus = group->process_gpus,
                                           .binds = group->binds};
            group->processes = layouts[g].processes;
            group->threads = layouts[g].threads;
            group->process_gpus = layouts[g].gpus;
            group->binds = layouts[g].binds;
            group->nprocesses = layouts[g].count;
            layouts[g] = before;
        }
        clear(&layouts[g]);
    }
    return status;
}
