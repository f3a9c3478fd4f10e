/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds options to a search in the order of their parallel time. */
#include "walk.h"

#include "counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int mt_walk_init(struct mt_walk *walk, struct mt_space *space, struct mt_error *err)
{
    const size_t count = (size_t)space->noptions;
    double *seconds = calloc(count + 1, sizeof *seconds);
    int *order = calloc(count + 1, sizeof *order);
    if (!seconds || !order) {
        free(seconds);
        free(order);
        return mt_fail(err, MT_ENOMEM, "no memory for a plan's %d options",
                       space->noptions);
    }
    for (int i = 0; i < space->noptions; i++)
        order[i] = i;
    *walk = (struct mt_walk){.space = space, .seconds = seconds, .order = order};
    return MT_OK;
}

void mt_walk_clear(struct mt_walk *walk)
{
    free(walk->seconds);
    free(walk->order);
    *walk = (struct mt_walk){0};
}

void mt_walk_start(struct mt_walk *walk)
{
    /* The order changes little from one P to the next: insertion is the fastest sort.
     */
    for (int i = 1; i < walk->space->noptions; i++) {
        const int moved = walk->order[i];
        int j = i;
        for (; j > 0 && walk->seconds[walk->order[j - 1]] > walk->seconds[moved]; j--)
            walk->order[j] = walk->order[j - 1];
        walk->order[j] = moved;
    }
    walk->next = 0;
    walk->capacity = 0;
    memset(walk->most, 0, sizeof walk->most);
}

bool mt_walk_next(struct mt_walk *walk)
{
    const struct mt_space *space = walk->space;
    if (walk->next == space->noptions ||
        walk->seconds[walk->order[walk->next]] == INFINITY)
        return false;
    walk->threshold = walk->seconds[walk->order[walk->next]];
    for (; walk->next < space->noptions; walk->next++) {
        const int i = walk->order[walk->next];
        const struct mt_option *option = &space->options[i];
        if (walk->seconds[i] > walk->threshold)
            break;
        const int g = option->group, most = walk->most[g];
        if (option->layout.processes <= most)
            continue;
        walk->capacity += (int64_t)(option->layout.processes - most) *
                          space->cluster->groups[g].nodes;
        walk->most[g] = option->layout.processes;
    }
    return true;
}

/* The least sum of weights, where a node weighs a + b * what it takes. */
static int64_t least(const struct mt_walk *walk, int64_t a, int64_t b,
                     enum mt_resource resource, int ranks)
{
    struct mt_share shares[MT_MAX_GROUPS];
    int count = 0;
    for (int g = 0; g < walk->space->cluster->ngroups; g++) {
        if (walk->most[g] > 0)
            shares[count++] =
                (struct mt_share){.nodes = walk->space->cluster->groups[g].nodes,
                                  .most = walk->most[g],
                                  .weight = a + b * walk->space->takes[resource][g]};
    }
    mt_shares_sort(shares, count);
    return mt_shares_least(shares, count, ranks);
}

/*
 * The bound from both a price (or power) and the node limit: a * nodes + b * price is
 * at least its own minimum, for any a, b > 0. The best a and b are where two groups
 * weigh the same for each process.
 */
static int64_t least_on_few_nodes(const struct mt_walk *walk, enum mt_resource resource,
                                  int ranks, int max_nodes)
{
    const int64_t *price = walk->space->takes[resource];
    int64_t most = 0;
    for (int g = 0; g < walk->space->cluster->ngroups; g++) {
        for (int h = 0; h < walk->space->cluster->ngroups; h++) {
            const int64_t b = walk->most[g] - walk->most[h];
            const int64_t a = price[g] * walk->most[h] - price[h] * walk->most[g];
            if (walk->most[h] == 0 || a <= 0 || b <= 0)
                continue;
            const int64_t extra = least(walk, a, b, resource, ranks) - a * max_nodes;
            if (extra > most * b)
                most = (extra + b - 1) / b;
        }
    }
    return most;
}

int64_t mt_walk_takes(const struct mt_walk *walk, enum mt_resource resource, int ranks)
{
    const int max_nodes = walk->space->question->max_nodes;
    const int64_t takes = least(walk, 0, 1, resource, ranks);
    if (takes == MT_COUNTS_UNREACHABLE || resource == MT_NODES || max_nodes == 0)
        return takes;
    const int64_t more = least_on_few_nodes(walk, resource, ranks, max_nodes);
    return more > takes ? more : takes;
}

bool mt_walk_promising(const struct mt_walk *walk, int ranks)
{
    const struct mt_question *question = walk->space->question;
    const double seconds = walk->threshold;
    if (walk->capacity < ranks ||
        (question->deadline > 0 && seconds > question->deadline))
        return false;
    for (int r = 0; r < MT_RESOURCES; r++) {
        const enum mt_resource resource = (enum mt_resource)r;
        if (mt_question_limits(question, resource) &&
            mt_walk_takes(walk, resource, ranks) >
                mt_question_allows(question, resource, seconds))
            return false;
    }
    return true;
}
