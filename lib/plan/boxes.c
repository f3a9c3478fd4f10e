/* SPDX-License-Identifier: BSD-3-Clause */
/* Boxes of configurations, and how limits shrink them. */
#include "bounds.h"

#include "lib/input/internal.h"

#include <limits.h>
#include <math.h>

struct mt_box mt_box_all(const struct mt_bounds *bounds, int group)
{
    const struct mt_cluster *cluster = bounds->predictor->problem.cluster;
    struct mt_box box = {.low = 2,
                         .high = INT_MAX - 1,
                         .slowest = bounds->nways - 1,
                         .dear = INFINITY,
                         .several = group == MT_MAINLAND};
    for (int g = 0; g < cluster->ngroups; g++) {
        const int first = bounds->first[g], last = bounds->first[g + 1] - 1;
        if (last >= first && (group == MT_MAINLAND || group == g))
            box.groups[g] =
                (struct mt_stretch){0, cluster->groups[g].nodes, first, last};
    }
    return box;
}

struct mt_box mt_box_part(const struct mt_box *box, const struct mt_cut *cut,
                          bool upper)
{
    struct mt_box part = *box;
    struct mt_stretch *nodes = &part.groups[cut->group];
    int *const lowest[] = {&part.low, &part.fastest, &nodes->low, &nodes->first};
    int *const highest[] = {&part.high, &part.slowest, &nodes->high, &nodes->last};
    if (cut->kind == MT_CUT_PRICE)
        *(upper ? &part.cheap : &part.dear) = cut->price;
    else if (upper)
        *lowest[cut->kind] = cut->at + 1;
    else
        *highest[cut->kind] = cut->at;
    return part;
}

bool mt_box_single(const struct mt_box *box, const struct mt_bounds *bounds,
                   struct mt_configuration *configuration)
{
    *configuration = (struct mt_configuration){{{0}}};
    for (int g = 0; g < MT_MAX_GROUPS; g++) {
        const struct mt_stretch *nodes = &box->groups[g];
        if (nodes->low < nodes->high || (nodes->low > 0 && nodes->first < nodes->last))
            return false;
        if (nodes->low > 0)
            configuration->use[g] =
                mt_use_nodes(nodes->low, bounds->ways[nodes->first].layout);
    }
    return true;
}

/*
 * Limits.
 */

struct mt_range mt_box_range(const struct mt_box *box, const struct mt_bounds *bounds,
                             const struct mt_expr *expr, int processes)
{
    const double size = bounds->question->size;
    const struct mt_range variables[MT_NVARIABLES] = {
        [MT_N] = {size, size},
        [MT_P] = {box->low, box->high},
        [MT_M] = {processes, processes},
    };
    return mt_expr_range(expr, variables);
}

bool mt_box_may_use(const struct mt_box *box, const struct mt_bounds *bounds, int way)
{
    const struct mt_problem *problem = &bounds->predictor->problem;
    const struct mt_expr *needed = problem->program->memory;
    const struct mt_way *used = &bounds->ways[way];
    const int m = used->layout.processes;
    const double memory = problem->cluster->groups[used->group].memory;
    return used->place <= box->slowest &&
           (!needed || memory == 0 ||
            !(m * mt_box_range(box, bounds, needed, m).low > memory));
}

/* The resources of all groups together. */
struct sums {
    int64_t least, most; /* ranks */
    double takes[MT_RESOURCES];
};

static int processes_of(const struct mt_bounds *bounds, int way)
{
    return bounds->ways[way].layout.processes;
}

static double node_takes(const struct mt_bounds *bounds, int g, int resource)
{
    return (double)mt_node_takes(&bounds->predictor->problem.cluster->groups[g],
                                 (enum mt_resource)resource);
}

static int64_t least_ranks(const struct mt_bounds *bounds,
                           const struct mt_stretch *nodes)
{
    return nodes->low > 0 ? (int64_t)nodes->low * processes_of(bounds, nodes->first)
                          : 0;
}

static int64_t most_ranks(const struct mt_bounds *bounds,
                          const struct mt_stretch *nodes)
{
    return nodes->high > 0 ? (int64_t)nodes->high * processes_of(bounds, nodes->last)
                           : 0;
}

static struct sums sum_up(const struct mt_bounds *bounds, const struct mt_box *box)
{
    struct sums sums = {0};
    for (int g = 0; g < MT_MAX_GROUPS; g++) {
        const struct mt_stretch *nodes = &box->groups[g];
        sums.least += least_ranks(bounds, nodes);
        sums.most += most_ranks(bounds, nodes);
        for (int r = 0; r < MT_RESOURCES && nodes->low > 0; r++)
            sums.takes[r] += nodes->low * node_takes(bounds, g, r);
    }
    return sums;
}

/* The ranks and resources that the other groups leave for a group. False: less than it
   needs. */
static bool tighten_group(struct mt_box *box, const struct mt_bounds *bounds, int g,
                          const double most[MT_RESOURCES])
{
    struct mt_stretch *nodes = &box->groups[g];
    const struct sums sums = sum_up(bounds, box);
    const int64_t least = box->low - (sums.most - most_ranks(bounds, nodes)),
                  room = box->high - (sums.least - least_ranks(bounds, nodes));
    const int needed = nodes->low > 1 ? nodes->low : 1;
    double high = nodes->high;
    for (int r = 0; r < MT_RESOURCES; r++) {
        const double takes = node_takes(bounds, g, r),
                     others = sums.takes[r] - nodes->low * takes;
        if (most[r] < INFINITY && takes > 0)
            high = fmin(high, floor((most[r] - others) / takes));
    }
    while (nodes->first <= nodes->last &&
           (!mt_box_may_use(box, bounds, nodes->last) ||
            (int64_t)needed * processes_of(bounds, nodes->last) > room))
        nodes->last--;
    while (nodes->first <= nodes->last &&
           (!mt_box_may_use(box, bounds, nodes->first) ||
            (int64_t)nodes->high * processes_of(bounds, nodes->first) < least))
        nodes->first++;
    if (nodes->first > nodes->last || high < needed) {
        nodes->high = 0;
        return nodes->low == 0 && least <= 0;
    }
    high = fmin(high, (double)(room / processes_of(bounds, nodes->first)));
    nodes->high = (int)fmax(high, 0);
    if (least > 0) {
        const int m = processes_of(bounds, nodes->last);
        const int64_t low = (least + m - 1) / m;
        nodes->low = low > nodes->low ? (int)fmin((double)low, INT_MAX) : nodes->low;
    }
    return nodes->low <= nodes->high;
}

static bool may_be_slowest(const struct mt_box *box, const struct mt_bounds *bounds,
                           int way)
{
    const int place = bounds->ways[way].place;
    return place >= box->fastest && place <= box->slowest;
}

/* A group must be in if it alone has a way that can be the slowest; in a mix, both
   groups must be in if only two may. */
static bool tighten_use(struct mt_box *box, const struct mt_bounds *bounds)
{
    int used = 0, slow = 0, group = 0;
    for (int g = 0; g < MT_MAX_GROUPS; g++) {
        const struct mt_stretch *nodes = &box->groups[g];
        bool any = false;
        for (int i = nodes->first; i <= nodes->last && nodes->high > 0; i++)
            any |= may_be_slowest(box, bounds, i);
        used += nodes->high > 0;
        slow += any;
        group = any ? g : group;
    }
    for (int g = 0; g < MT_MAX_GROUPS; g++) {
        struct mt_stretch *nodes = &box->groups[g];
        if (nodes->high > 0 && nodes->low == 0 &&
            (used == 1 + box->several || (slow == 1 && g == group)))
            nodes->low = 1;
    }
    struct mt_stretch *nodes = &box->groups[group];
    while (slow == 1 && !may_be_slowest(box, bounds, nodes->first))
        nodes->first++;
    while (slow == 1 && !may_be_slowest(box, bounds, nodes->last))
        nodes->last--;
    return slow > 0 && used > box->several;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* P minus the ranks of the settled groups is a multiple of the greatest common divisor
   of the others' processes on a node. */
static bool tighten_ranks(struct mt_box *box, const struct mt_bounds *bounds)
{
    const struct sums sums = sum_up(bounds, box);
    int64_t divisor = 0, settled = 0;
    if (sums.least > box->low)
        box->low = sums.least < INT_MAX ? (int)sums.least : INT_MAX;
    if (sums.most < box->high)
        box->high = (int)sums.most;
    for (int g = 0; g < MT_MAX_GROUPS; g++) {
        const struct mt_stretch *nodes = &box->groups[g];
        if (nodes->high == 0)
            continue;
        if (nodes->low == nodes->high && nodes->first == nodes->last)
            settled += (int64_t)nodes->low * processes_of(bounds, nodes->first);
        else
            for (int i = nodes->first; i <= nodes->last; i++)
                divisor = common_divisor(divisor, processes_of(bounds, i));
    }
    if (divisor > 1) {
        const int64_t low = box->low - settled, high = box->high - settled;
        box->low = (int)fmin(
            (double)(settled + (low + divisor - 1) / divisor * divisor), INT_MAX);
        box->high = (int)(settled + high / divisor * divisor);
    }
    return box->low <= box->high;
}

/* The size of the box, to see whether it shrinks. */
static int64_t extent(const struct mt_box *box)
{
    int64_t sum = (int64_t)box->high - box->low;
    for (int g = 0; g < MT_MAX_GROUPS; g++)
        sum += (int64_t)box->groups[g].high - box->groups[g].low + box->groups[g].last -
               box->groups[g].first;
    return sum;
}

bool mt_box_tighten(struct mt_box *box, const struct mt_bounds *bounds,
                    const double most[MT_RESOURCES])
{
    const struct mt_program *program = bounds->predictor->problem.program;
    int64_t before;
    do {
        before = extent(box);
        for (int g = 0; g < MT_MAX_GROUPS; g++)
            if (box->groups[g].high > 0 && !tighten_group(box, bounds, g, most))
                return false;
        if (!tighten_use(box, bounds) || !tighten_ranks(box, bounds))
            return false;
    } while (extent(box) < before);
    if (!program->valid)
        return true;
    const struct mt_range valid = mt_box_range(box, bounds, program->valid, 0);
    return valid.low != 0 || valid.high != 0;
}
