/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds options to a search in the order of their parallel time. */
#include "walk.h"

#include "counts.h"
#include "lib/model/mix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More than all roundings of a sum over the groups. */
static const double rounding = 1e-13;

int mt_walk_init(struct mt_walk *walk, struct mt_space *space, struct mt_error *err)
{
    const size_t count = (size_t)space->noptions;
    double *seconds = calloc(count + 1, sizeof *seconds);
    double *serial = calloc(count + 1, sizeof *serial);
    int *order = calloc(count + 1, sizeof *order);
    struct mt_turns *turns = calloc(count + 1, sizeof *turns);
    struct mt_turns *steps = calloc(count + 1, sizeof *steps);
    if (!seconds || !serial || !order || !turns || !steps) {
        free(seconds);
        free(serial);
        free(turns);
        free(steps);
        free(order);
        return mt_fail(err, MT_ENOMEM, "no memory for a plan's %d options",
                       space->noptions);
    }
    for (int i = 0; i < space->noptions; i++)
        order[i] = i;
    *walk = (struct mt_walk){.space = space,
                             .seconds = seconds,
                             .serial = serial,
                             .order = order,
                             .turns = turns,
                             .steps = steps};
    return MT_OK;
}

void mt_walk_clear(struct mt_walk *walk)
{
    free(walk->seconds);
    free(walk->serial);
    free(walk->order);
    free(walk->turns);
    free(walk->steps);
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

/* The work of a node with that option. */
static double work_of(const struct mt_walk *walk, int i, double weight)
{
    const struct mt_option *option = &walk->space->options[i];
    return option->layout.processes * walk->serial[i] +
           weight * (double)walk->space->takes[walk->space->least][option->group];
}

/*
 * Add the steps of the group whose options are from `first` to before `end`, those
 * beyond the threshold left out: at most one an option. What a node takes of what the
 * objective is to have least of is added to its work, with that weight.
 */
static void add_turns(const struct mt_walk *walk, int first, int end, double weight,
                      struct mt_turns *turns, int *count)
{
    const struct mt_space *space = walk->space;
    const int group = space->options[first].group;
    const int nodes = space->cluster->groups[group].nodes;
    int reached = 0; /* processes on each node */
    double work = 0; /* of so many on one node */
    for (;;) {
        int best = -1;
        double rate = INFINITY;
        for (int i = first; i < end; i++) {
            const int m = space->options[i].layout.processes;
            if (m <= reached || walk->seconds[i] > walk->threshold)
                continue;
            const double r = (work_of(walk, i, weight) - work) / (m - reached);
            if (r < rate) {
                best = i;
                rate = r;
            }
        }
        if (best < 0)
            return;
        const int m = space->options[best].layout.processes;
        turns[(*count)++] = (struct mt_turns){
            .group = group, .ranks = (int64_t)(m - reached) * nodes, .seconds = rate};
        reached = m;
        work = work_of(walk, best, weight);
    }
}

static void sort_turns(struct mt_turns *turns, int count)
{
    for (int i = 1; i < count; i++) {
        const struct mt_turns moved = turns[i];
        int j = i;
        for (; j > 0 && moved.seconds < turns[j - 1].seconds; j--)
            turns[j] = turns[j - 1];
        turns[j] = moved;
    }
}

/* The steps of all groups, in order, when a unit of what the objective is to have least
   of weighs as much as so many serial seconds of a rank. */
static int gather_turns(const struct mt_walk *walk, double weight,
                        struct mt_turns *turns)
{
    const struct mt_space *space = walk->space;
    int count = 0;
    for (int i = 0, end; i < space->noptions; i = end) {
        const int g = space->options[i].group;
        for (end = i; end < space->noptions && space->options[end].group == g;)
            end++;
        add_turns(walk, i, end, weight, turns, &count);
    }
    sort_turns(turns, count);
    return count;
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
    walk->nturns = 0;
    return true;
}

/* The least that networks cost: as many ranks as possible are together when the one
   with the most room is filled first. */
static double least_between(const struct mt_walk *walk, int ranks)
{
    const struct mt_space *space = walk->space;
    int64_t room[MT_MAX_GROUPS] = {0}, left = ranks, together = 0;
    if (walk->between == 0)
        return 0;
    for (int g = 0; g < space->cluster->ngroups; g++)
        room[space->networks.of[g]] +=
            (int64_t)walk->most[g] * space->cluster->groups[g].nodes;
    while (left > 0) {
        int widest = 0;
        for (int i = 1; i < space->networks.count; i++)
            if (room[i] > room[widest])
                widest = i;
        const int64_t held = room[widest] < left ? room[widest] : left;
        if (held == ranks)
            return 0;
        together += held * held;
        left -= held;
        room[widest] = 0;
    }
    const double all = (double)ranks * ranks;
    return isnan(walk->between) ? INFINITY
                                : walk->between * ((all - (double)together) / all);
}

double mt_walk_seconds(struct mt_walk *walk, int ranks)
{
    const struct mt_space *space = walk->space;
    if (walk->capacity < ranks)
        return INFINITY;
    if (!space->by_counts)
        return walk->threshold;
    if (walk->nturns == 0) /* most thresholds are passed over without */
        walk->nturns = gather_turns(walk, 0, walk->turns);
    const struct mt_mix mix = {
        .parallel = walk->threshold,
        .serial = mt_turns_least(walk->turns, walk->nturns, NULL, ranks) / ranks,
        .between = least_between(walk, ranks)};
    return mt_mix_seconds(&mix);
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

/* A point of time, but for the threshold's, and price (or power). */
struct corner {
    double seconds, price;
};

enum { TANGENTS = 12 };

/* Add the tangent of that weight, x + weight * price = least, to the corners of a
   convex region that lies beyond all tangents; it cuts off corner `i`. */
static void cut_off(struct corner *corners, int *count, int i, double weight,
                    double least)
{
    const struct corner corner = corners[i];
    const double depth = least - (corner.seconds + weight * corner.price);
    /* On the side towards the next corner seconds are less, on the other the price. */
    const struct corner *before = i > 0 ? &corners[i - 1] : NULL;
    const struct corner *after = i + 1 < *count ? &corners[i + 1] : NULL;
    struct corner first = {corner.seconds + depth, corner.price};
    struct corner second = {corner.seconds, corner.price + depth / weight};
    if (before) {
        const double x = before->seconds - corner.seconds;
        const double y = before->price - corner.price;
        const double part = fmin(1, depth / (x + weight * y));
        first = (struct corner){corner.seconds + part * x, corner.price + part * y};
    }
    if (after) {
        const double x = after->seconds - corner.seconds;
        const double y = after->price - corner.price;
        const double part = fmin(1, depth / (x + weight * y));
        second = (struct corner){corner.seconds + part * x, corner.price + part * y};
    }
    for (int k = *count; k > i + 1; k--)
        corners[k] = corners[k - 1];
    corners[i] = first;
    corners[i + 1] = second;
    ++*count;
}

/*
 * Time and price are least at different configurations. Both are at least linear in how
 * many nodes and ranks each group has, so that the region of what is possible is convex
 * at the least: a product is the least at one of its corners. They are found by
 * tangents, where the product is the least so far.
 */
double mt_walk_value(struct mt_walk *walk, int ranks)
{
    const enum mt_resource resource = walk->space->least;
    const int64_t price = mt_walk_takes(walk, resource, ranks);
    const double run = mt_walk_seconds(walk, ranks);
    const double bound = mt_resource_value(resource, run, price);
    if (!walk->space->by_counts || price <= 0 || run == INFINITY)
        return bound;
    struct corner corners[TANGENTS + 1] = {{run, (double)price}};
    double value = 0;
    int count = 1;
    for (int tangent = 0; tangent < TANGENTS; tangent++) {
        int least = 0;
        for (int i = 1; i < count; i++)
            if (corners[i].seconds * corners[i].price <
                corners[least].seconds * corners[least].price)
                least = i;
        const struct corner *corner = &corners[least];
        value = mt_resource_value(resource, corner->seconds, 1) * corner->price;
        const double weight = corner->seconds / corner->price;
        const int steps = gather_turns(walk, weight * ranks, walk->steps);
        /* what is not serial is as much everywhere */
        const double fixed =
            run - mt_turns_least(walk->turns, walk->nturns, NULL, ranks) / ranks;
        const double sum =
            fixed + mt_turns_least(walk->steps, steps, NULL, ranks) / ranks;
        if (sum <= (corner->seconds + weight * corner->price) * (1 + 1e-4))
            break;
        cut_off(corners, &count, least, weight, sum);
    }
    return fmax(bound, value) * (1 - 1e-10);
}

bool mt_walk_promising(struct mt_walk *walk, int ranks)
{
    const struct mt_question *question = walk->space->question;
    const double seconds = mt_walk_seconds(walk, ranks);
    if (seconds == INFINITY || (question->deadline > 0 && seconds > question->deadline))
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

double mt_turns_least(const struct mt_turns *turns, int count, const bool *used,
                      int64_t total)
{
    double work = 0;
    for (int i = 0; i < count && total > 0; i++) {
        if (used && used[turns[i].group])
            continue;
        const int64_t ranks = total < turns[i].ranks ? total : turns[i].ranks;
        work += (double)ranks * turns[i].seconds;
        total -= ranks;
    }
    return total > 0 ? INFINITY : work * (1 - rounding);
}
