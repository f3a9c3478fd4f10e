/* SPDX-License-Identifier: BSD-3-Clause */
/* The best choice with exactly P processes where some seconds are serial, so that the
   time depends on how many processes each group has: a depth-first search over the
   groups. The later groups are bounded by each alone: the least serial seconds, nodes,
   price and power if a node may be divided and a group may do its best at each of them
   at once. */
#include "inner.h"

#include "counts.h"
#include "internal.h"
#include "lib/input/internal.h"
#include "lib/model/mix.h"
#include "rank.h"

#include <math.h>

/* Steps of mt_counts_solve() that take as long as one here. */
enum { COST_OF_VISIT = 8 };

/* A group, with its options that the walk has taken in. */
struct group_part {
    int group;
    int first, end; /* its options in the space */
    int64_t nodes;
    double serial; /* least seconds of an option */
};

/* What the groups before a level have taken. */
struct taken {
    int64_t left; /* processes that the later groups have to take */
    int64_t takes[MT_RESOURCES];
    double seconds;            /* that all wait for, at least */
    double turns;              /* serial seconds times P */
    int64_t together, largest; /* sum of the squares of the networks' ranks, and the
                                  most that one of them has */
};

/* The groups from a level on, as the bounds see them; none at the last. */
struct bounds {
    struct mt_share takes[MT_RESOURCES][MT_MAX_GROUPS + 1][MT_MAX_GROUPS];
};

struct serial_search {
    const struct mt_walk *walk;
    const struct mt_question *question;
    int ranks;
    struct group_part parts[MT_MAX_GROUPS];
    int nparts;
    struct bounds *bounds;
    struct mt_use use[MT_MAX_GROUPS]; /* of the groups of the cluster */
    int option[MT_MAX_GROUPS];        /* that they use */
    bool used[MT_MAX_GROUPS];         /* groups up to the level that is tried */
    int64_t network[MT_MAX_GROUPS];   /* ranks on each */
    bool settling;                /* in the cluster's order: the first equal will do */
    const struct mt_choice *best; /* so far; NULL: none */
    struct mt_choice *found;
    int64_t *visits;
    bool done, given_up;
};

static bool is_in(const struct serial_search *search, int option)
{
    return search->walk->seconds[option] <= search->walk->threshold;
}

/* The serial seconds of a group's best option. */
static double fastest_turn(const struct mt_walk *walk, int group)
{
    int i = 0;
    while (walk->turns[i].group != group)
        i++;
    return walk->turns[i].seconds;
}

static void add_parts(struct serial_search *search)
{
    const struct mt_walk *walk = search->walk;
    const struct mt_space *space = walk->space;
    for (int i = 0, end; i < space->noptions; i = end) {
        const int g = space->options[i].group;
        for (end = i; end < space->noptions && space->options[end].group == g;)
            end++;
        if (walk->most[g] > 0)
            search->parts[search->nparts++] =
                (struct group_part){.group = g,
                                    .first = i,
                                    .end = end,
                                    .nodes = space->cluster->groups[g].nodes,
                                    .serial = fastest_turn(walk, g)};
    }
}

/* The groups that do serial work fastest first: they take most in good choices. */
static void sort_parts(struct serial_search *search)
{
    for (int i = 1; i < search->nparts; i++) {
        const struct group_part moved = search->parts[i];
        int j = i;
        for (; j > 0 && moved.serial < search->parts[j - 1].serial; j--)
            search->parts[j] = search->parts[j - 1];
        search->parts[j] = moved;
    }
}

/* Whether the limits or the objective are about it: bounds of nothing else are looked
   at. */
static bool counts(const struct serial_search *search, enum mt_resource resource)
{
    return resource == MT_NODES || resource == search->walk->space->least ||
           mt_question_limits(search->question, resource);
}

static void prepare_bounds(struct serial_search *search)
{
    const int n = search->nparts;
    for (int r = 0; r < MT_RESOURCES; r++) {
        for (int level = 0; level < n && counts(search, (enum mt_resource)r); level++) {
            struct mt_share *shares = search->bounds->takes[r][level];
            for (int i = level; i < n; i++) {
                const struct group_part *part = &search->parts[i];
                shares[i - level] = (struct mt_share){
                    .nodes = part->nodes,
                    .most = search->walk->most[part->group],
                    .weight = search->walk->space->takes[r][part->group]};
            }
            mt_shares_sort(shares, n - level);
        }
    }
}

/* Bounds of all choices that go on from there; the groups before the level are `used`.
 */
static struct mt_mix mix_from(const struct serial_search *search,
                              const struct taken *taken)
{
    const struct mt_walk *walk = search->walk;
    const double rest =
        mt_turns_least(walk->turns, walk->nturns, search->used, taken->left);
    return (struct mt_mix){.parallel = taken->seconds,
                           .serial = (taken->turns + rest) / search->ranks};
}

/* What networks cost, `together` being the sum of the squares of their ranks. */
static double between(const struct serial_search *search, int64_t together)
{
    const int64_t all = (int64_t)search->ranks * search->ranks;
    return together >= all
               ? 0
               : (double)(all - together) / (double)all * search->walk->between;
}

/* At the least, when all ranks that are left are on the network that has most. */
static double between_from(const struct serial_search *search,
                           const struct taken *taken)
{
    if (search->walk->between == 0)
        return 0;
    const double least = between(
        search, taken->together + taken->left * (taken->left + 2 * taken->largest));
    return isnan(least) ? INFINITY : least;
}

/* What all choices that go on from there take at the least. */
static int64_t takes_from(const struct serial_search *search, enum mt_resource resource,
                          int level, const struct taken *taken)
{
    return taken->takes[resource] +
           mt_shares_least(search->bounds->takes[resource][level],
                           search->nparts - level, taken->left);
}

/* Whether no choice can be kept that takes so many seconds, and at least that of what
   the objective is to have least of: all of them or more are hopeless. */
static bool is_too_slow(const struct serial_search *search, double seconds,
                        int64_t takes)
{
    const struct mt_question *question = search->question;
    const struct mt_choice *best = search->best;
    if (seconds == INFINITY || (question->deadline > 0 && seconds > question->deadline))
        return true;
    return best && mt_resource_value(search->walk->space->least, seconds, takes) >
                       mt_choice_value(best, question->objective);
}

/* Whether a choice that goes on from there may be kept, of those that are not too
   slow. */
static bool may_be_kept(const struct serial_search *search, double seconds, int level,
                        const struct taken *taken)
{
    const struct mt_question *question = search->question;
    const struct mt_choice *best = search->best;
    const enum mt_resource least = search->walk->space->least;
    if (seconds == INFINITY || (question->deadline > 0 && seconds > question->deadline))
        return false;
    for (int r = 0; r < MT_RESOURCES; r++) {
        const enum mt_resource resource = (enum mt_resource)r;
        if (mt_question_limits(question, resource) &&
            takes_from(search, resource, level, taken) >
                mt_question_allows(question, resource, seconds))
            return false;
    }
    if (!best)
        return true;
    const double best_value = mt_choice_value(best, question->objective);
    const double value =
        mt_resource_value(least, seconds, takes_from(search, least, level, taken));
    if (value != best_value)
        return value < best_value;
    if (seconds != best->prediction.seconds)
        return seconds < best->prediction.seconds;
    const int64_t nodes = takes_from(search, MT_NODES, level, taken);
    if (nodes != best->nodes)
        return nodes < best->nodes;
    return search->settling || search->ranks < best->ranks;
}

static int64_t together(const struct serial_search *search)
{
    int64_t sum = 0;
    for (int i = 0; i < search->walk->space->networks.count; i++)
        sum += search->network[i] * search->network[i];
    return sum;
}

static void keep(struct serial_search *search)
{
    const struct mt_walk *walk = search->walk;
    const struct mt_cluster *cluster = walk->space->cluster;
    struct mt_choice choice = {.configuration = {{{0}}}};
    struct mt_mix mix = {0};
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_use use = search->use[g];
        const int option = search->option[g];
        if (use.nodes == 0)
            continue;
        choice.configuration.use[g] = use;
        mt_mix_add(&mix, walk->seconds[option], walk->serial[option],
                   (double)(use.nodes * use.layout.processes) / search->ranks);
    }
    mix.between = between_from(search, &(struct taken){.together = together(search)});
    choice.prediction.seconds = mt_mix_seconds(&mix);
    if (choice.prediction.seconds == INFINITY)
        return;
    mt_choice_complete(&choice, cluster);
    if (!mt_choice_allowed(&choice, cluster, search->question))
        return;
    const int order = search->best ? mt_choice_compare(search->question->objective,
                                                       &choice, search->best)
                                   : -1;
    if (order > 0 || (order == 0 && !search->settling))
        return;
    *search->found = choice;
    search->best = search->found;
    search->done = search->settling;
}

static void descend(struct serial_search *search, int level, const struct taken *taken);

/* Use `nodes` nodes of the group at `level` with an option, and go on if that may be
   kept. Returns false when it is too slow, taking at least `least` of what the
   objective is to have least of. */
static bool place(struct serial_search *search, int level, int option, int64_t nodes,
                  int64_t least, const struct taken *before)
{
    const struct group_part *part = &search->parts[level];
    const struct mt_walk *walk = search->walk;
    const int64_t ranks = nodes * walk->space->options[option].layout.processes;
    int64_t *network = &search->network[walk->space->networks.of[part->group]];
    const int64_t joined = *network + ranks;
    struct taken taken = {
        .left = before->left - ranks,
        .seconds = before->seconds,
        .turns = before->turns + (double)ranks * walk->serial[option],
        .together = before->together - *network * *network + joined * joined,
        .largest = joined > before->largest ? joined : before->largest};
    for (int r = 0; r < MT_RESOURCES; r++)
        taken.takes[r] =
            before->takes[r] +
            nodes * walk->space->takes[r][walk->space->options[option].group];
    if (nodes > 0)
        taken.seconds = fmax(taken.seconds, walk->seconds[option]);
    if ((*search->visits -= COST_OF_VISIT) < 0) {
        search->done = search->given_up = true;
        return false;
    }
    struct mt_mix mix = mix_from(search, &taken);
    if (is_too_slow(search, mt_mix_seconds(&mix), least))
        return false;
    /* What networks cost is less for none of a group than for some, and less again for
       many: only the seconds without it tell about the numbers beyond. */
    mix.between = between_from(search, &taken);
    if (!may_be_kept(search, mt_mix_seconds(&mix), level + 1, &taken))
        return true;
    search->use[part->group] =
        mt_use_nodes((int)nodes, walk->space->options[option].layout);
    search->option[part->group] = option;
    *network = joined;
    descend(search, level + 1, &taken);
    *network -= ranks;
    search->use[part->group] = (struct mt_use){0};
    return true;
}

static int64_t most_nodes(const struct group_part *part, int64_t left,
                          int64_t processes)
{
    return left / processes < part->nodes ? left / processes : part->nodes;
}

/*
 * Try an option of the group at `level` with every number of nodes that can improve the
 * answer. The bound of the seconds is convex in that number, so start where it is
 * least, when the processes left over just fill the later groups that are better, and
 * go both ways.
 */
static void try_option(struct serial_search *search, int level, int option,
                       bool or_none, const struct taken *taken)
{
    const struct group_part *part = &search->parts[level];
    const struct mt_walk *walk = search->walk;
    const int64_t m = walk->space->options[option].layout.processes;
    const int64_t least = takes_from(search, walk->space->least, level, taken);
    const int64_t top = most_nodes(part, taken->left, m), bottom = or_none ? 0 : 1;
    int64_t better = 0;
    for (int i = 0; i < walk->nturns; i++) {
        const struct mt_turns *turns = &walk->turns[i];
        if (!search->used[turns->group] && turns->seconds < walk->serial[option])
            better += turns->ranks;
    }
    int64_t start = taken->left > better ? (taken->left - better) / m : bottom;
    if (start > top)
        start = top;
    for (int64_t nodes = start; nodes >= bottom && !search->done; nodes--) {
        if (!place(search, level, option, nodes, least, taken))
            break;
    }
    for (int64_t nodes = start < bottom ? bottom : start + 1;
         nodes <= top && !search->done; nodes++) {
        if (!place(search, level, option, nodes, least, taken))
            break;
    }
}

/* Try as many nodes of the group at `level` as possible, then fewer; of each number
   first as many processes as possible. */
static void try_in_order(struct serial_search *search, int level,
                         const struct taken *taken)
{
    const struct group_part *part = &search->parts[level];
    const struct mt_option *options = search->walk->space->options;
    for (int64_t nodes = part->nodes; nodes >= 0 && !search->done; nodes--) {
        for (int i = part->first; i < part->end && !search->done; i++) {
            if (!is_in(search, i) || nodes * options[i].layout.processes > taken->left)
                continue;
            place(search, level, i, nodes, 0, taken);
            if (nodes == 0)
                break;
        }
    }
}

static void try_options(struct serial_search *search, int level,
                        const struct taken *taken)
{
    const struct group_part *part = &search->parts[level];
    bool or_none = true; /* no nodes are the same with all options */
    for (int i = part->first; i < part->end && !search->done; i++) {
        if (!is_in(search, i))
            continue;
        try_option(search, level, i, or_none, taken);
        or_none = false;
    }
}

static void descend(struct serial_search *search, int level, const struct taken *taken)
{
    if (taken->left == 0) {
        keep(search);
        return;
    }
    if (level == search->nparts)
        return;
    const int group = search->parts[level].group;
    search->used[group] = true;
    if (search->settling)
        try_in_order(search, level, taken);
    else
        try_options(search, level, taken);
    search->used[group] = false;
}

bool mt_serial_best(const struct mt_walk *walk, int ranks,
                    const struct mt_choice *to_beat, int64_t *visits,
                    struct mt_choice *choice, bool *proven)
{
    struct bounds bounds; /* large: what is used of it is set below */
    struct serial_search search = {.walk = walk,
                                   .bounds = &bounds,
                                   .question = walk->space->question,
                                   .ranks = ranks,
                                   .best = to_beat,
                                   .found = choice,
                                   .visits = visits};
    add_parts(&search);
    sort_parts(&search);
    prepare_bounds(&search);
    /* Choices of a lower threshold were found there. */
    descend(&search, 0, &(struct taken){.left = ranks, .seconds = walk->threshold});
    *proven = !search.given_up;
    return search.best != to_beat;
}

void mt_serial_settle_ties(struct mt_walk *walk, int64_t *visits,
                           struct mt_choice *choice)
{
    const struct mt_choice settled = *choice;
    mt_space_seconds(walk->space, settled.ranks, walk->seconds, walk->serial);
    walk->between = mt_space_between(walk->space, settled.ranks);
    mt_walk_start(walk);
    while (mt_walk_next(walk) && walk->threshold < settled.prediction.seconds)
        ;
    mt_walk_seconds(walk, settled.ranks); /* gathers the turns */
    struct bounds bounds;                 /* large: what is used of it is set below */
    struct serial_search search = {.walk = walk,
                                   .bounds = &bounds,
                                   .question = walk->space->question,
                                   .ranks = settled.ranks,
                                   .settling = true,
                                   .best = &settled,
                                   .found = choice,
                                   .visits = visits};
    add_parts(&search);
    prepare_bounds(&search);
    descend(&search, 0, &(struct taken){.left = settled.ranks});
}
