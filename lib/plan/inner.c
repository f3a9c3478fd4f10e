/* SPDX-License-Identifier: BSD-3-Clause */
/* The best choice with exactly P processes where the time does not depend on the
 * counts. */
#include "inner.h"

#include "lib/input/internal.h"
#include "rank.h"

#include <stdlib.h>

/* Steps of the solver, about half a second of work. Plans for real clusters need
   hundreds to millions. */
static const int64_t most_visits = 40000000;

int mt_inner_init(struct mt_inner *inner, const struct mt_space *space,
                  struct mt_error *err)
{
    const size_t options = (size_t)space->noptions + 1;
    const size_t levels = (size_t)space->cluster->ngroups + 1;
    struct mt_counts_choice *choices = calloc(options, sizeof *choices);
    int *room = calloc(options * levels, sizeof *room);
    if (!choices || !room) {
        free(choices);
        free(room);
        return mt_fail(err, MT_ENOMEM, "no memory for a plan's %d options",
                       space->noptions);
    }
    *inner = (struct mt_inner){
        .space = space, .choices = choices, .room = room, .visits = most_visits};
    return MT_OK;
}

void mt_inner_clear(struct mt_inner *inner)
{
    free(inner->choices);
    free(inner->room);
    *inner = (struct mt_inner){0};
}

/* What the nodes may take, at the most, of each resource. */
struct limits {
    int64_t most[MT_RESOURCES];
};

static struct limits limits_at(const struct mt_walk *walk)
{
    struct limits limits;
    for (int r = 0; r < MT_RESOURCES; r++)
        limits.most[r] = mt_question_allows(walk->space->question, (enum mt_resource)r,
                                            walk->threshold);
    return limits;
}

static void add_group(const struct mt_space *space, int group,
                      const struct mt_counts_choice *choices, struct mt_counts *counts)
{
    counts->groups[counts->ngroups++] =
        (struct mt_counts_group){.group = group,
                                 .nodes = space->cluster->groups[group].nodes,
                                 .choices = choices};
}

static struct mt_counts_choice make_choice(const struct mt_space *space,
                                           const struct mt_option *option,
                                           enum mt_resource weight,
                                           const enum mt_resource *sides, int nsides)
{
    struct mt_counts_choice choice = {.processes = option->layout.processes,
                                      .weight = space->takes[weight][option->group]};
    for (int s = 0; s < nsides; s++)
        choice.side[s] = space->takes[sides[s]][option->group];
    return choice;
}

/* Pose the problem over the options that are in, for the groups from `first` on: the
   least of one resource, within the limits of all. */
static void pose(struct mt_inner *inner, const struct mt_walk *walk, int first,
                 enum mt_resource weight, const struct limits *limits,
                 struct mt_counts *counts)
{
    const struct mt_space *space = inner->space;
    enum mt_resource sides[MT_RESOURCES] = {MT_NODES};
    *counts = (struct mt_counts){.limit = limits->most[weight],
                                 .enough = INT64_MAX,
                                 .room = inner->room,
                                 .visits = &inner->visits};
    for (int r = 0; r < MT_RESOURCES; r++) {
        if (r == (int)weight || limits->most[r] == INT64_MAX)
            continue;
        counts->side_limit[counts->nsides] = limits->most[r];
        sides[counts->nsides++] = (enum mt_resource)r;
    }
    const struct mt_option *previous = NULL;
    int used = 0;
    for (int i = 0; i < space->noptions; i++) {
        const struct mt_option *option = &space->options[i];
        const int g = option->group;
        if (g < first || walk->seconds[i] > walk->threshold)
            continue;
        if (!previous || g != previous->group)
            add_group(space, g, &inner->choices[used], counts);
        else if (option->layout.processes == previous->layout.processes)
            continue; /* with other threads, or bound in another way */
        inner->choices[used++] =
            make_choice(space, option, weight, sides, counts->nsides);
        counts->groups[counts->ngroups - 1].nchoices++;
        previous = option;
    }
}

/* The group's first layout with that many processes among those taken in. */
static struct mt_layout layout_of(const struct mt_walk *walk, int group, int processes)
{
    const struct mt_space *space = walk->space;
    for (int i = 0; i < space->noptions; i++) {
        const struct mt_option *option = &space->options[i];
        if (option->group == group && option->layout.processes == processes &&
            walk->seconds[i] <= walk->threshold)
            return option->layout;
    }
    return (struct mt_layout){.processes = processes};
}

static void fill_choice(struct mt_choice *choice, const struct mt_walk *walk,
                        const struct mt_counts_answer *answer)
{
    *choice = (struct mt_choice){.configuration = answer->configuration,
                                 .prediction = {.seconds = walk->threshold}};
    for (int g = 0; g < walk->space->cluster->ngroups; g++) {
        struct mt_use *use = &choice->configuration.use[g];
        if (use->nodes > 0)
            *use = mt_use_nodes(use->nodes, layout_of(walk, g, use->layout.processes));
    }
    mt_choice_complete(choice, walk->space->cluster);
}

/* The least of a resource, within the limits. */
static void solve(struct mt_inner *inner, const struct mt_walk *walk, int ranks,
                  enum mt_resource resource, const struct limits *limits,
                  struct mt_counts_answer *answer)
{
    struct mt_counts counts;
    pose(inner, walk, 0, resource, limits, &counts);
    counts.total = ranks;
    counts.enough = mt_walk_takes(walk, resource, ranks);
    mt_counts_solve(&counts, answer);
}

/* The rate whose predicted value is limited; MT_NODES: neither. */
static enum mt_resource limited_rate(const struct mt_question *question)
{
    if (question->cost > 0)
        return MT_PRICE;
    return question->joules > 0 ? MT_POWER : MT_NODES;
}

bool mt_inner_fewest_nodes(struct mt_inner *inner, const struct mt_walk *walk,
                           int ranks, struct mt_choice *choice, bool *proven)
{
    const enum mt_resource rate = limited_rate(inner->space->question);
    const struct limits limits = limits_at(walk);
    struct mt_counts_answer answer;
    /* That a tight limit allows nothing is soon seen by the least there is. */
    solve(inner, walk, ranks, rate, &limits, &answer);
    *proven = answer.proven;
    if (answer.found)
        fill_choice(choice, walk, &answer);
    return answer.found;
}

bool mt_inner_least_value(struct mt_inner *inner, const struct mt_walk *walk, int ranks,
                          double most, struct mt_choice *choice, bool *proven)
{
    const enum mt_resource resource = inner->space->least;
    const int64_t limit = mt_resource_limit(resource, most, walk->threshold);
    struct limits limits = limits_at(walk);
    struct mt_counts_answer least, smallest;
    if (limit < limits.most[resource])
        limits.most[resource] = limit;
    solve(inner, walk, ranks, resource, &limits, &least);
    *proven = least.proven;
    if (!least.found)
        return false;
    limits.most[resource] = least.weight;
    limits.most[MT_NODES] = mt_configuration_nodes(&least.configuration) - 1;
    solve(inner, walk, ranks, MT_NODES, &limits, &smallest);
    *proven &= smallest.proven;
    fill_choice(choice, walk, smallest.found ? &smallest : &least);
    return true;
}

/* What the groups that have no nodes yet have to take. */
struct rest {
    int64_t ranks;
    struct limits limits;
};

/* Whether the groups after `group` can take it. */
static bool can_take(struct mt_inner *inner, const struct mt_walk *walk, int group,
                     const struct rest *rest)
{
    struct mt_counts counts;
    struct mt_counts_answer answer;
    pose(inner, walk, group + 1, MT_NODES, &rest->limits, &counts);
    counts.total = rest->ranks;
    mt_counts_solve(&counts, &answer);
    return answer.found;
}

/* Whether the bounds of the groups after `group`, on what they take, allow it. */
static bool may_take(const struct mt_walk *walk, int group, const struct rest *rest)
{
    const struct mt_space *space = walk->space;
    for (int r = 0; r < MT_RESOURCES; r++) {
        struct mt_share shares[MT_MAX_GROUPS];
        int count = 0;
        for (int g = group + 1; g < space->cluster->ngroups; g++)
            if (walk->most[g] > 0)
                shares[count++] =
                    (struct mt_share){.nodes = space->cluster->groups[g].nodes,
                                      .most = walk->most[g],
                                      .weight = space->takes[r][g]};
        mt_shares_sort(shares, count);
        const int64_t least = mt_shares_least(shares, count, rest->ranks);
        if (least == MT_COUNTS_UNREACHABLE || least > rest->limits.most[r])
            return false;
    }
    return true;
}

/* What is left when so many nodes are used in this way; false: that is too much. */
static bool take(struct rest *rest, const struct mt_space *space,
                 const struct mt_option *option, int nodes)
{
    rest->ranks -= (int64_t)nodes * option->layout.processes;
    bool enough = rest->ranks >= 0;
    for (int r = 0; r < MT_RESOURCES; r++) {
        if (rest->limits.most[r] == INT64_MAX)
            continue;
        rest->limits.most[r] -= nodes * space->takes[r][option->group];
        enough &= rest->limits.most[r] >= 0;
    }
    return enough;
}

/* Give `nodes` nodes of the group as many processes as possible, so that the later
   groups can take the rest. */
static bool settle_processes(struct mt_inner *inner, const struct mt_walk *walk,
                             int group, int nodes, struct rest *rest,
                             struct mt_use *use)
{
    const struct mt_space *space = inner->space;
    for (int i = 0; i < space->noptions; i++) {
        const struct mt_option *option = &space->options[i];
        if (option->group != group || walk->seconds[i] > walk->threshold)
            continue;
        struct rest after = *rest;
        if (!take(&after, space, option, nodes))
            continue;
        if (may_take(walk, group, &after) && can_take(inner, walk, group, &after)) {
            *rest = after;
            if (nodes > 0)
                *use = mt_use_nodes(nodes, option->layout);
            return true;
        }
        if (nodes == 0)
            return false;
    }
    return false;
}

void mt_inner_settle_ties(struct mt_inner *inner, struct mt_walk *walk,
                          struct mt_choice *choice)
{
    struct mt_space *space = walk->space;
    const struct mt_cluster *cluster = space->cluster;
    if (space->least == MT_NODES && limited_rate(space->question) != MT_NODES)
        return; /* any of the equals may come first */
    mt_space_seconds(space, choice->ranks, walk->seconds);
    mt_walk_start(walk);
    while (mt_walk_next(walk) && walk->threshold < choice->prediction.seconds)
        ;
    struct rest rest = {.ranks = choice->ranks, .limits = limits_at(walk)};
    rest.limits.most[space->least] =
        mt_configuration_takes(&choice->configuration, cluster, space->least);
    rest.limits.most[MT_NODES] = choice->nodes;
    struct mt_configuration first = {0};
    for (int g = 0; g < cluster->ngroups; g++) {
        if (walk->most[g] == 0)
            continue;
        int nodes = cluster->groups[g].nodes;
        if (nodes > rest.limits.most[MT_NODES])
            nodes = (int)rest.limits.most[MT_NODES];
        while (nodes >= 0 &&
               !settle_processes(inner, walk, g, nodes, &rest, &first.use[g]))
            nodes--;
        if (nodes < 0)
            return; /* given up by the solver: any of the equals has to do */
    }
    choice->configuration = first;
}
