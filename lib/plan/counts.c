/* SPDX-License-Identifier: BSD-3-Clause */
/* How many nodes of each group give exactly P processes at the least weight
   (branch and bound by the linear relaxation). */
#include "counts.h"

/* The search goes through the groups in the order of their weight per process. */
struct counts_search {
    const struct mt_counts *counts;
    struct mt_counts_group groups[MT_MAX_GROUPS];
    int first[MT_MAX_GROUPS + 1]; /* choice j of group i has the number first[i] + j */
    int ngroups;
    /* The rest of the groups from i on, as the bounds see it. */
    struct mt_share weights[MT_MAX_GROUPS];
    struct mt_share sides[MT_COUNTS_SIDES][MT_MAX_GROUPS][MT_MAX_GROUPS];
    int64_t divisor[MT_MAX_GROUPS]; /* of every number of processes from i on */
    struct mt_use use[MT_MAX_GROUPS];
    int64_t limit;
    bool done;
    struct mt_counts_answer *answer;
};

/* Whether a node of weight a with m processes is better, per process, than the other.
 */
static int compare_rates(int64_t a_weight, int64_t a_most, int64_t b_weight,
                         int64_t b_most)
{
    const int64_t a = a_weight * b_most, b = b_weight * a_most;
    return a < b ? -1 : a > b;
}

void mt_shares_sort(struct mt_share *shares, int count)
{
    for (int i = 1; i < count; i++) {
        const struct mt_share moved = shares[i];
        int j = i;
        for (; j > 0 && compare_rates(moved.weight, moved.most, shares[j - 1].weight,
                                      shares[j - 1].most) < 0;
             j--)
            shares[j] = shares[j - 1];
        shares[j] = moved;
    }
}

/* The weight of `total` processes on a share, rounded up. It is not computed as weight
 * total / most, which overflows for costly nodes in great number. */
static int64_t share_weight(const struct mt_share *share, int64_t total)
{
    const int64_t nodes = total / share->most, rest = total % share->most;
    return share->weight * nodes +
           (share->weight * rest + share->most - 1) / share->most;
}

int64_t mt_shares_least(const struct mt_share *shares, int count, int64_t total)
{
    int64_t weight = 0;
    for (int i = 0; i < count && total > 0; i++) {
        const int64_t capacity = shares[i].nodes * shares[i].most;
        if (total <= capacity)
            return weight + share_weight(&shares[i], total);
        weight += shares[i].weight * shares[i].nodes;
        total -= capacity;
    }
    return total > 0 ? MT_COUNTS_UNREACHABLE : weight;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

enum { THE_WEIGHT = -1 }; /* in the place of a side */

static int64_t weight_of(const struct mt_counts_choice *choice, int side)
{
    return side == THE_WEIGHT ? choice->weight : choice->side[side];
}

/* A group as the bounds of a weight see it: each process at its least weight. */
static struct mt_share share_of(const struct mt_counts_group *group, int side)
{
    struct mt_share share = {.nodes = group->nodes,
                             .most = group->choices[0].processes,
                             .weight = INT64_MAX};
    for (int j = 0; j < group->nchoices; j++) {
        const struct mt_counts_choice *choice = &group->choices[j];
        const int64_t weight = weight_of(choice, side) * share.most / choice->processes;
        if (weight < share.weight)
            share.weight = weight;
    }
    return share;
}

static void sort_groups(struct counts_search *search)
{
    const struct mt_counts *problem = search->counts;
    search->ngroups = problem->ngroups;
    for (int i = 0; i < problem->ngroups; i++) {
        const struct mt_share share = share_of(&problem->groups[i], THE_WEIGHT);
        int j = i;
        for (; j > 0 &&
               compare_rates(share.weight, share.most, search->weights[j - 1].weight,
                             search->weights[j - 1].most) < 0;
             j--) {
            search->groups[j] = search->groups[j - 1];
            search->weights[j] = search->weights[j - 1];
        }
        search->groups[j] = problem->groups[i];
        search->weights[j] = share;
    }
}

static void prepare(struct counts_search *search)
{
    sort_groups(search);
    const int n = search->ngroups;
    for (int i = 0; i < n; i++) {
        const struct mt_counts_group *group = &search->groups[i];
        search->first[i + 1] = search->first[i] + group->nchoices;
        for (int j = 0; j < group->nchoices; j++)
            search->counts->room[search->first[i] + j] = group->nodes;
    }
    int64_t divisor = 0;
    for (int i = n - 1; i >= 0; i--) {
        const struct mt_counts_group *group = &search->groups[i];
        for (int j = 0; j < group->nchoices; j++)
            divisor = common_divisor(divisor, group->choices[j].processes);
        search->divisor[i] = divisor;
    }
}

/* What the bounds of a side weight see from each level on. */
static void prepare_side(struct counts_search *search, int side)
{
    const int n = search->ngroups;
    for (int i = 0; i < n; i++) {
        struct mt_share *shares = search->sides[side][i];
        for (int j = i; j < n; j++)
            shares[j - i] = share_of(&search->groups[j], side);
        mt_shares_sort(shares, n - i);
    }
}

/* Nodes that group i may still use with its choice j, at a level of the search. */
static int *room_at(const struct counts_search *search, int level, int i, int j)
{
    return &search->counts
                ->room[level * search->first[search->ngroups] + search->first[i] + j];
}

/* Whether the groups from `level` on could take `left` processes within the limit of
   the weight. */
static bool is_light(const struct counts_search *search, int level, int64_t left,
                     int64_t weight)
{
    const int64_t more =
        mt_shares_least(&search->weights[level], search->ngroups - level, left);
    return more != MT_COUNTS_UNREACHABLE && weight + more <= search->limit;
}

/* Given that, whether nothing else forbids it: their divisor and the side weights. */
static bool is_possible(const struct counts_search *search, int level, int64_t left,
                        const int64_t *side)
{
    if (level == search->ngroups)
        return left == 0;
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): every group has a choice */
    if (left % search->divisor[level] != 0)
        return false;
    for (int s = 0; s < search->counts->nsides; s++)
        if (side[s] + mt_shares_least(search->sides[s][level], search->ngroups - level,
                                      left) >
            search->counts->side_limit[s])
            return false;
    return true;
}

static void keep(struct counts_search *search, int level, int64_t weight,
                 const int64_t *side)
{
    struct mt_counts_answer *answer = search->answer;
    if (weight > search->limit)
        return;
    for (int s = 0; s < search->counts->nsides; s++)
        if (side[s] > search->counts->side_limit[s])
            return;
    answer->found = true;
    answer->weight = weight;
    answer->configuration = (struct mt_configuration){0};
    for (int i = 0; i < level; i++)
        answer->configuration.use[search->groups[i].group] = search->use[i];
    search->limit = weight - 1;
    if (weight <= search->counts->enough)
        search->done = true;
}

/* Whether a node of a weighs no more for each of its processes than one of b, by all
   weights. */
static bool is_no_heavier(const struct counts_search *search,
                          const struct mt_counts_choice *a,
                          const struct mt_counts_choice *b)
{
    bool heavier = compare_rates(a->weight, a->processes, b->weight, b->processes) > 0;
    for (int s = 0; s < search->counts->nsides; s++)
        heavier |=
            compare_rates(a->side[s], a->processes, b->side[s], b->processes) > 0;
    return !heavier;
}

/*
 * Take m_b more nodes (or m_b over a common divisor) of the group at `level`, used with
 * m_a, for m_a fewer of a later group b: the processes stay the same. Where that makes
 * nothing worse, only solutions in which it cannot be done, as there are too few nodes
 * of b, need to be looked at. Returns the processes that the later groups then have
 * room for.
 */
static int64_t restrict_rest(const struct counts_search *search, int level,
                             const struct mt_counts_choice *choice, int64_t nodes)
{
    const struct mt_counts_group *a = &search->groups[level];
    int64_t capacity = 0;
    for (int i = level + 1; i < search->ngroups; i++) {
        const struct mt_counts_group *b = &search->groups[i];
        int64_t largest = 0;
        for (int j = 0; j < b->nchoices; j++) {
            const int m = b->choices[j].processes;
            int room = *room_at(search, level, i, j);
            if (is_no_heavier(search, choice, &b->choices[j])) {
                const int divisor = (int)common_divisor(m, choice->processes);
                if (nodes + m / divisor <= a->nodes &&
                    room >= choice->processes / divisor)
                    room = choice->processes / divisor - 1;
            }
            *room_at(search, level + 1, i, j) = room;
            if ((int64_t)room * m > largest)
                largest = (int64_t)room * m;
        }
        capacity += largest;
    }
    return capacity;
}

/* What the groups before a level use. */
struct partial {
    int64_t left; /* processes for the groups from the level on */
    int64_t weight, side[MT_COUNTS_SIDES];
};

static void descend(struct counts_search *search, int level,
                    const struct partial *before);

/* Use `nodes` nodes with choice j at `level` and go on, unless the bound of the weight
   forbids it, or the search is at its end: then return false. */
static bool place(struct counts_search *search, int level, int j, int64_t nodes,
                  const struct partial *before)
{
    const struct mt_counts_choice *choice = &search->groups[level].choices[j];
    const struct mt_use use = {.nodes = (int)nodes,
                               .layout.processes = choice->processes};
    struct partial after = {.left = before->left - choice->processes * nodes,
                            .weight = before->weight + choice->weight * nodes};
    for (int s = 0; s < search->counts->nsides; s++)
        after.side[s] = before->side[s] + choice->side[s] * nodes;
    if (search->done || !is_light(search, level + 1, after.left, after.weight))
        return false;
    if (--*search->counts->visits < 0) {
        search->done = true;
        search->answer->proven = false;
        return false;
    }
    search->use[level] = nodes > 0 ? use : (struct mt_use){0};
    if (is_possible(search, level + 1, after.left, after.side) &&
        restrict_rest(search, level, choice, nodes) >= after.left)
        descend(search, level + 1, &after);
    return true;
}

/*
 * Try choice j of the group at `level` with every number of nodes that can improve the
 * answer. The bound is convex in that number, so start where it is least, when the
 * processes left over just fill the later groups that are better, and go both ways.
 */
static void try_choice(struct counts_search *search, int level, int j,
                       const struct partial *before)
{
    const struct mt_counts_choice *choice = &search->groups[level].choices[j];
    const int64_t m = choice->processes;
    int64_t better = 0;
    for (int i = level + 1; i < search->ngroups; i++) {
        const struct mt_share *share = &search->weights[i];
        if (compare_rates(share->weight, share->most, choice->weight, m) < 0)
            better += share->nodes * share->most;
    }
    int64_t top = before->left / m;
    if (top > *room_at(search, level, level, j))
        top = *room_at(search, level, level, j);
    /* To leave the group out is the same for all choices; it belongs to the first. */
    const int64_t bottom = j == 0 ? 0 : 1;
    int64_t start = before->left > better ? (before->left - better) / m : bottom;
    if (start > top)
        start = top;
    for (int64_t nodes = start; nodes >= bottom; nodes--) {
        if (!place(search, level, j, nodes, before))
            break;
    }
    for (int64_t nodes = start < bottom ? bottom : start + 1; nodes <= top; nodes++) {
        if (!place(search, level, j, nodes, before))
            break;
    }
}

static void descend(struct counts_search *search, int level,
                    const struct partial *before)
{
    if (before->left == 0) {
        keep(search, level, before->weight, before->side);
        return;
    }
    for (int j = 0; j < search->groups[level].nchoices && !search->done; j++)
        try_choice(search, level, j, before);
}

void mt_counts_solve(const struct mt_counts *counts, struct mt_counts_answer *answer)
{
    struct counts_search search = {
        .counts = counts, .limit = counts->limit, .answer = answer};
    *answer = (struct mt_counts_answer){.proven = true};
    prepare(&search);
    for (int s = 0; s < counts->nsides; s++)
        prepare_side(&search, s);
    const struct partial nothing = {.left = counts->total};
    if (is_light(&search, 0, counts->total, 0) &&
        is_possible(&search, 0, counts->total, nothing.side))
        descend(&search, 0, &nothing);
}
