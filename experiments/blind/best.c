/* SPDX-License-Identifier: BSD-3-Clause */
#include "best.h"

#include "experiments/common/random.h"

#include <math.h>
#include <stdlib.h>

/* Runs that are made at a size at most: at first, and when what is near the best is
   looked at. */
enum { RANDOM_SAMPLE = 8, MOST_NEIGHBOURS = 40, BEST_EXPANDED = 3 };

struct search {
    struct truth *truth;
    double size;
    int left;                                          /* runs */
    struct mt_configuration expanded[MOST_NEIGHBOURS]; /* all whose neighbours are
                                                          known */
    int nexpanded;
};

static int try_one(struct search *search, const struct mt_configuration *configuration,
                   struct mt_error *err)
{
    double seconds;
    const int before = search->truth->count;
    if (!truth_allows(search->truth, configuration, search->size))
        return MT_OK;
    const int status =
        truth_seconds(search->truth, configuration, search->size, &seconds, err);
    search->left -= search->truth->count - before;
    return status;
}

static int try_groups_alone(struct search *search, struct mt_error *err)
{
    const struct mt_cluster *cluster = &search->truth->cluster;
    int status = MT_OK;
    for (int g = 0; g < cluster->ngroups; g++)
        for (int m = 0; m < cluster->groups[g].nlayouts; m++)
            for (int part = 1; part <= 4 && status == MT_OK; part *= 2) {
                struct mt_configuration alone = {0};
                const int nodes = cluster->groups[g].nodes;
                alone.use[g] = (struct mt_use){
                    .nodes = part == 4 ? 1 : (nodes + part - 1) / part,
                    .layout.processes = cluster->groups[g].layouts[m].processes};
                status = try_one(search, &alone, err);
            }
    return status;
}

/* All nodes, with the fewest and the most processes. */
static int try_all_groups(struct search *search, struct mt_error *err)
{
    const struct mt_cluster *cluster = &search->truth->cluster;
    struct mt_configuration few = {0}, most = {0};
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        few.use[g] = (struct mt_use){.nodes = group->nodes,
                                     .layout.processes = group->layouts[0].processes};
        most.use[g] = (struct mt_use){
            .nodes = group->nodes,
            .layout.processes = group->layouts[group->nlayouts - 1].processes};
    }
    const int status = try_one(search, &few, err);
    return status == MT_OK ? try_one(search, &most, err) : status;
}

/* Half of the groups are in it, and half of these with all of their nodes. */
static int try_sample(struct search *search, struct mt_error *err)
{
    const struct mt_cluster *cluster = &search->truth->cluster;
    struct random random =
        random_make(search->truth->seed, search->truth->program.name);
    int status = MT_OK;
    for (int i = 0; i < RANDOM_SAMPLE && cluster->ngroups > 1 && status == MT_OK; i++) {
        struct mt_configuration mixed = {0};
        for (int g = 0; g < cluster->ngroups; g++) {
            const struct mt_group *group = &cluster->groups[g];
            const bool used = random_chance(&random, 0.6),
                       all = random_chance(&random, 0.5);
            const int nodes = random_integer(&random, 1, group->nodes),
                      m = random_integer(&random, 0, group->nlayouts - 1);
            if (used)
                mixed.use[g] =
                    (struct mt_use){.nodes = all ? group->nodes : nodes,
                                    .layout.processes = group->layouts[m].processes};
        }
        status = try_one(search, &mixed, err);
    }
    return status;
}

static int try_use(struct search *search, const struct mt_configuration *from, int g,
                   struct mt_use use, struct mt_error *err)
{
    const struct mt_group *group = &search->truth->cluster.groups[g];
    struct mt_configuration changed = *from;
    if (use.nodes < 0 || use.nodes > group->nodes || search->left <= 0)
        return MT_OK;
    changed.use[g] = mt_use_nodes(use.nodes, use.layout);
    return try_one(search, &changed, err);
}

/* The next number of processes per node, or the one before; 0: none. */
static int step_processes(const struct mt_group *group, int processes, int direction)
{
    for (int m = 0; m < group->nlayouts; m++)
        if (group->layouts[m].processes == processes && m + direction >= 0 &&
            m + direction < group->nlayouts)
            return group->layouts[m + direction].processes;
    return 0;
}

/* A node more or less, all or none of them, processes one step up or down. */
static int try_changes(struct search *search, const struct mt_configuration *from,
                       int g, struct mt_error *err)
{
    const struct mt_group *group = &search->truth->cluster.groups[g];
    const struct mt_use use = from->use[g];
    const int most = group->layouts[group->nlayouts - 1].processes,
              kept = use.nodes ? use.layout.processes : most;
    const int up = step_processes(group, use.layout.processes, 1),
              down = step_processes(group, use.layout.processes, -1);
    int status = MT_OK;
    const struct {
        int nodes, processes;
    } changes[] = {{use.nodes + 1, kept},
                   {use.nodes - 1, kept},
                   {group->nodes, kept},
                   {0, 0},
                   {use.nodes, up},
                   {use.nodes, down},
                   {group->nodes, group->layouts[0].processes}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes && status == MT_OK; i++)
        if (changes[i].processes > 0 || changes[i].nodes == 0)
            status = try_use(search, from, g,
                             (struct mt_use){.nodes = changes[i].nodes,
                                             .layout.processes = changes[i].processes},
                             err);
    return status;
}

/* The fastest at the size; those whose neighbours are known are not among them. NULL:
   nothing is left. `rank`: how many are faster, expanded or not. */
static const struct mt_sample *find_fastest(const struct search *search, bool fresh,
                                            int *rank)
{
    const struct mt_sample *best = NULL;
    const struct truth *truth = search->truth;
    for (int i = 0; i < truth->count; i++) {
        const struct mt_sample *point = &truth->points[i];
        bool known = point->size != search->size || isnan(point->seconds);
        for (int e = 0; e < search->nexpanded && fresh && !known; e++)
            known = mt_configuration_equal(&search->expanded[e], &point->configuration);
        if (!known && (!best || point->seconds < best->seconds))
            best = point;
    }
    *rank = 0;
    for (int i = 0; best && i < truth->count; i++)
        *rank += truth->points[i].size == search->size &&
                 truth->points[i].seconds < best->seconds;
    return best;
}

static int descend(struct search *search, struct mt_error *err)
{
    int rank, status = MT_OK;
    while (status == MT_OK && search->left > 0 && search->nexpanded < MOST_NEIGHBOURS) {
        const struct mt_sample *found = find_fastest(search, true, &rank);
        if (!found || rank >= BEST_EXPANDED)
            break;
        const struct mt_configuration from = found->configuration;
        search->expanded[search->nexpanded++] = from;
        for (int g = 0; g < search->truth->cluster.ngroups && status == MT_OK; g++)
            status = try_changes(search, &from, g, err);
    }
    return status;
}

int best_find(struct truth *truth, double size, struct mt_sample *best,
              struct mt_error *err)
{
    struct search search = {.truth = truth, .size = size};
    int rank, status = try_groups_alone(&search, err);
    if (status == MT_OK)
        status = try_all_groups(&search, err);
    if (status == MT_OK)
        status = try_sample(&search, err);
    search.left = MOST_NEIGHBOURS;
    if (status == MT_OK)
        status = descend(&search, err);
    if (status != MT_OK)
        return status;
    const struct mt_sample *found = find_fastest(&search, false, &rank);
    if (!found)
        return mt_fail(err, MT_ENOTFOUND, "no run succeeds at N = %.15g", size);
    *best = *found;
    return MT_OK;
}
