/* SPDX-License-Identifier: BSD-3-Clause */
#include "inner.h"

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
    int *processes = calloc(options, sizeof *processes);
    int *room = calloc(options * levels, sizeof *room);
    if (!processes || !room) {
        free(processes);
        free(room);
        return mt_fail(err, MT_ENOMEM, "no memory for a plan's %d options",
                       space->noptions);
    }
    *inner = (struct mt_inner){
        .space = space, .processes = processes, .room = room, .visits = most_visits};
    return MT_OK;
}

void mt_inner_clear(struct mt_inner *inner)
{
    free(inner->processes);
    free(inner->room);
    *inner = (struct mt_inner){0};
}

/* Pose the problem over the options that are in, for the groups from `first` on; each
   node weighs 1, and its price is the side weight. */
static void pose(struct mt_inner *inner, const struct mt_walk *walk, int first,
                 struct mt_counts *counts)
{
    const struct mt_space *space = inner->space;
    *counts = (struct mt_counts){.limit = INT64_MAX,
                                 .side_limit = INT64_MAX,
                                 .enough = INT64_MAX,
                                 .room = inner->room,
                                 .visits = &inner->visits};
    int used = 0, previous = -1, most = 0;
    for (int i = 0; i < space->noptions; i++) {
        const struct mt_option *option = &space->options[i];
        const int g = option->group;
        if (g < first || walk->seconds[i] > walk->threshold)
            continue;
        if (g != previous) {
            counts->groups[counts->ngroups++] =
                (struct mt_counts_group){.group = g,
                                         .nodes = space->cluster->groups[g].nodes,
                                         .weight = 1,
                                         .side = space->price[g],
                                         .processes = &inner->processes[used]};
            previous = g;
            most = 0;
        }
        if (option->layout.processes == most)
            continue; /* with other threads, or bound in another way */
        most = option->layout.processes;
        inner->processes[used++] = most;
        counts->groups[counts->ngroups - 1].nprocesses++;
    }
}

/* Let the price be the weight, and the nodes the side weight. */
static void weigh_by_price(struct mt_counts *counts)
{
    for (int i = 0; i < counts->ngroups; i++) {
        counts->groups[i].weight = counts->groups[i].side;
        counts->groups[i].side = 1;
    }
}

static int64_t node_limit(const struct mt_question *question)
{
    return question->max_nodes > 0 ? question->max_nodes : INT64_MAX;
}

/* The layout that a group may have with so many processes: the last that is in. */
static struct mt_layout last_layout(const struct mt_walk *walk, int group,
                                    int processes)
{
    const struct mt_space *space = walk->space;
    for (int i = 0; i < space->noptions; i++)
        if (space->options[i].group == group &&
            space->options[i].layout.processes == processes &&
            walk->seconds[i] <= walk->threshold)
            return space->options[i].layout;
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
            *use =
                mt_use_nodes(use->nodes, last_layout(walk, g, use->layout.processes));
    }
    mt_choice_complete(choice, walk->space->cluster);
}

/* The fewest nodes, at most `nodes`, at a price of at most `price`. */
static void solve_nodes(struct mt_inner *inner, const struct mt_walk *walk, int ranks,
                        int64_t nodes, int64_t price, struct mt_counts_answer *answer)
{
    struct mt_counts counts;
    pose(inner, walk, 0, &counts);
    counts.total = ranks;
    counts.limit = nodes;
    counts.side_limit = price;
    counts.enough = mt_walk_nodes(walk, ranks);
    mt_counts_solve(&counts, answer);
}

bool mt_inner_fewest_nodes(struct mt_inner *inner, const struct mt_walk *walk,
                           int ranks, struct mt_choice *choice, bool *proven)
{
    struct mt_counts_answer answer;
    solve_nodes(inner, walk, ranks, node_limit(inner->space->question),
                mt_price_limit(inner->space->question->budget, walk->threshold),
                &answer);
    *proven = answer.proven;
    if (answer.found)
        fill_choice(choice, walk, &answer);
    return answer.found;
}

bool mt_inner_least_price(struct mt_inner *inner, const struct mt_walk *walk, int ranks,
                          double most_cost, struct mt_choice *choice, bool *proven)
{
    const int64_t budget =
        mt_price_limit(inner->space->question->budget, walk->threshold);
    const int64_t most = mt_price_limit(most_cost, walk->threshold);
    struct mt_counts counts;
    struct mt_counts_answer cheapest, smallest;
    pose(inner, walk, 0, &counts);
    weigh_by_price(&counts);
    counts.total = ranks;
    counts.limit = budget < most ? budget : most;
    counts.side_limit = node_limit(inner->space->question);
    counts.enough = mt_walk_price(walk, ranks);
    mt_counts_solve(&counts, &cheapest);
    *proven = cheapest.proven;
    if (!cheapest.found)
        return false;
    solve_nodes(inner, walk, ranks, cheapest.side - 1, cheapest.weight, &smallest);
    *proven &= smallest.proven;
    fill_choice(choice, walk, smallest.found ? &smallest : &cheapest);
    return true;
}

/* What the groups that have no nodes yet have to take. */
struct rest {
    int64_t ranks, nodes, price;
};

/* Whether the groups after `group` can take it. */
static bool can_take(struct mt_inner *inner, const struct mt_walk *walk, int group,
                     struct rest rest)
{
    struct mt_counts counts;
    struct mt_counts_answer answer;
    pose(inner, walk, group + 1, &counts);
    counts.total = rest.ranks;
    counts.limit = rest.nodes;
    counts.side_limit = rest.price;
    mt_counts_solve(&counts, &answer);
    return answer.found;
}

/* Whether the bounds of the groups after `group`, on nodes and on price, allow it. */
static bool may_take(const struct mt_walk *walk, int group, struct rest rest)
{
    const struct mt_space *space = walk->space;
    struct mt_share nodes[MT_MAX_GROUPS], prices[MT_MAX_GROUPS];
    int count = 0;
    for (int g = group + 1; g < space->cluster->ngroups; g++) {
        if (walk->most[g] == 0)
            continue;
        nodes[count] = (struct mt_share){.nodes = space->cluster->groups[g].nodes,
                                         .most = walk->most[g],
                                         .weight = 1};
        prices[count] = nodes[count];
        prices[count++].weight = space->price[g];
    }
    mt_shares_sort(nodes, count);
    mt_shares_sort(prices, count);
    const int64_t least = mt_shares_least(nodes, count, rest.ranks);
    return least != MT_COUNTS_UNREACHABLE && least <= rest.nodes &&
           mt_shares_least(prices, count, rest.ranks) <= rest.price;
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
        const struct rest after = {.ranks = rest->ranks -
                                            (int64_t)nodes * option->layout.processes,
                                   .nodes = rest->nodes - nodes,
                                   .price = rest->price - nodes * space->price[group]};
        if (after.ranks < 0 || after.price < 0)
            continue;
        if (!may_take(walk, group, after))
            return false; /* fewer processes here only make it worse */
        if (can_take(inner, walk, group, after)) {
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
    struct rest rest = {.ranks = choice->ranks, .nodes = choice->nodes};
    rest.price =
        space->question->objective == MT_CHEAPEST
            ? mt_configuration_price(&choice->configuration, cluster)
            : mt_price_limit(space->question->budget, choice->prediction.seconds);

    mt_space_seconds(space, choice->ranks, walk->seconds, walk->serial);
    mt_walk_start(walk);
    while (mt_walk_next(walk) && walk->threshold < choice->prediction.seconds)
        ;
    struct mt_configuration first = {0};
    for (int g = 0; g < cluster->ngroups; g++) {
        if (walk->most[g] == 0)
            continue;
        int nodes = cluster->groups[g].nodes;
        if (nodes > rest.nodes)
            nodes = (int)rest.nodes;
        while (nodes >= 0 &&
               !settle_processes(inner, walk, g, nodes, &rest, &first.use[g]))
            nodes--;
        if (nodes < 0)
            return; /* given up by the solver: any of the equals has to do */
    }
    choice->configuration = first;
}
