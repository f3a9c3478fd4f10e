/* SPDX-License-Identifier: BSD-3-Clause */
#include "paper_optimise.h"

#include <stdlib.h>

enum {
    WEIGHT = 1,             /* i of equation (1) */
    NO_WAIT_SHARE = 1000,   /* what part of the longest wait counts as none: measured
                               waits are never quite 0 */
    INTERVAL_MAX = 1 << 30, /* the paper has no limit; this keeps the interval an int */
};

int64_t paper_smooth(int64_t value, int64_t waited)
{
    const int64_t parts = INT64_C(1) << WEIGHT;
    return ((parts - 1) * value + waited) / parts;
}

bool paper_worth_sending(int64_t sent, int64_t value)
{
    return value != sent && 2 * llabs(value - sent) >= sent;
}

static bool changed(int64_t before, int64_t total)
{
    return llabs(total - before) > before / 4;
}

int paper_interval(int interval, int64_t last_total, int64_t total)
{
    if (changed(last_total, total))
        return interval > 1 ? interval / 2 : 1;
    return interval < INTERVAL_MAX ? 2 * interval : INTERVAL_MAX;
}

bool paper_optimiser_init(struct paper_optimiser *optimiser, int size)
{
    *optimiser = (struct paper_optimiser){0};
    optimiser->candidates = calloc((size_t)size, sizeof *optimiser->candidates);
    if (!optimiser->candidates)
        return false;
    optimiser->size = size;
    optimiser->interval = 1;
    return true;
}

void paper_optimiser_free(struct paper_optimiser *optimiser)
{
    free(optimiser->candidates);
    *optimiser = (struct paper_optimiser){0};
}

/* In the binomial tree the parent is the rank without its lowest set bit. */
static int sends_of(int virtual_rank, int size)
{
    int sends = 0;
    for (int bit = 1; !(virtual_rank & bit) && virtual_rank + bit < size; bit *= 2)
        sends++;
    return sends;
}

static int depth_of(int virtual_rank)
{
    int depth = 0;
    for (; virtual_rank > 0; virtual_rank &= virtual_rank - 1)
        depth++;
    return depth;
}

/* Least wait first, then most sends, then least depth; the rank makes it total. */
static int compare(const void *left, const void *right)
{
    const struct paper_candidate *a = left, *b = right;
    if (a->wait != b->wait)
        return a->wait < b->wait ? -1 : 1;
    if (a->sends != b->sends)
        return b->sends - a->sends;
    if (a->depth != b->depth)
        return a->depth - b->depth;
    return a->rank - b->rank;
}

static int longest_wait(const int64_t *wait, int size, int root)
{
    int most = root;
    for (int rank = 0; rank < size; rank++)
        if (rank != root && (most == root || wait[rank] > wait[most]))
            most = rank;
    return most;
}

/* Start anew: who waits longest, and who without wait may change places with it. */
static void search(struct paper_optimiser *optimiser, const int64_t *wait,
                   const int *place, int root)
{
    const int size = optimiser->size;
    const int most = longest_wait(wait, size, root);
    int count = 0;
    for (int rank = 0; rank < size; rank++) {
        if (rank == root || rank == most)
            continue;
        const int relative = (place[rank] - place[root] + size) % size;
        const bool waits = wait[rank] > wait[most] / NO_WAIT_SHARE;
        optimiser->candidates[count++] = (struct paper_candidate){
            .rank = rank,
            .wait = waits ? wait[rank] : 0,
            .sends = sends_of(relative, size),
            .depth = depth_of(relative),
        };
    }
    qsort(optimiser->candidates, (size_t)count, sizeof *optimiser->candidates, compare);

    /* Where everybody waits, who waits least stands for those without wait. */
    int useful = count > 0 && wait[most] > 0;
    while (useful > 0 && useful < count && optimiser->candidates[useful].wait == 0)
        useful++;
    optimiser->count = useful;
    optimiser->next = 0;
    optimiser->most = most;
    optimiser->root = root;
}

static void take_pair(const struct paper_optimiser *optimiser,
                      struct paper_round *round)
{
    round->swap[0] = optimiser->candidates[optimiser->next].rank;
    round->swap[1] = optimiser->most;
}

struct paper_round paper_optimise(struct paper_optimiser *optimiser,
                                  const int64_t *wait, const int *place, int root)
{
    int64_t total = 0;
    for (int rank = 0; rank < optimiser->size; rank++)
        total += wait[rank];
    optimiser->interval =
        paper_interval(optimiser->interval, optimiser->last_total, total);
    optimiser->last_total = total;

    struct paper_round round = {.interval = optimiser->interval};
    if (optimiser->on_trial && total > optimiser->basis) {
        optimiser->on_trial = false;
        take_pair(optimiser, &round);
        optimiser->next++;
        return round;
    }
    /* After the last candidate has failed the table is as good as swaps of one pair
       make it, and rests until the waits change. */
    const bool all_failed = optimiser->next == optimiser->count;
    if (optimiser->on_trial || optimiser->root != root ||
        (all_failed && changed(optimiser->basis, total))) {
        search(optimiser, wait, place, root);
        optimiser->basis = total;
    }
    optimiser->on_trial = optimiser->next < optimiser->count;
    if (optimiser->on_trial)
        take_pair(optimiser, &round);
    return round;
}
