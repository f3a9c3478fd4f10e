/* SPDX-License-Identifier: BSD-3-Clause */
/* How nodes are used: processes, their threads, and where these run. */
#include "layout.h"

#include "internal.h"

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

bool mt_group_leaves_cores(const struct mt_group *group, struct mt_layout layout)
{
    int most = 0;
    for (int i = 0; i < group->nlayouts; i++) {
        const struct mt_layout other = group->layouts[i];
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
    struct mt_layout *all; /* owned */
    int count;
};

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

/* Combine the group's numbers of processes with what the program says, in order. */
static int combine(struct layouts *layouts, const struct mt_group *group,
                   const struct choices *choices, struct mt_error *err)
{
    const size_t room = (size_t)group->nlayouts * (size_t)choices->nthreads *
                        (size_t)choices->ngpus * (size_t)choices->nbinds;
    layouts->all = calloc(room, sizeof *layouts->all);
    if (!layouts->all)
        return mt_fail(err, MT_ENOMEM, "no memory for the layouts of group '%s'",
                       group->name);
    for (int i = 0; i < group->nlayouts; i++)
        for (int t = 0; t < choices->nthreads; t++)
            for (int b = 0; b < choices->nbinds; b++)
                for (int g = 0; g < choices->ngpus; g++) {
                    const int m = group->layouts[i].processes,
                              threads = choices->threads[t], gpus = choices->gpus[g];
                    if (has_cores(group, m, threads) && has_gpus(group, m, gpus))
                        layouts->all[layouts->count++] =
                            (struct mt_layout){.processes = m,
                                               .threads = threads > 1 ? threads : 0,
                                               .bind = choices->binds[b],
                                               .gpus = gpus};
                }
    return MT_OK;
}

static int refuse_group(const struct mt_cluster *cluster, const struct mt_group *group,
                        const struct choices *choices, struct mt_error *err)
{
    const char *path = cluster->path ? cluster->path : cluster->name;
    const int fewest = group->layouts[0].processes;
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
        free(status == MT_OK ? group->layouts : layouts[g].all);
        if (status == MT_OK) {
            group->layouts = layouts[g].all;
            group->nlayouts = layouts[g].count;
        }
    }
    return status;
}
