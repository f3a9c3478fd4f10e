/* SPDX-License-Identifier: BSD-3-Clause */
/* The optimiser of Soga et al. (2008): smoothed waits, and which two ranks to swap. */
#include "optimise.h"
#include "preload/tuning.h"

#include <stdlib.h>

enum {
    INTERVAL_MAX = 1 << 30, /* the paper has no limit; this keeps the interval an int */
};

int64_t paper_smooth(int64_t value, int64_t waited)
{
    const int64_t parts = INT64_C(1) << WEIGHT;
    return ((parts - 1) * value + waited) / parts;
}

int64_t paper_steady(const int64_t waited[3])
{
    int64_t least = waited[0], most = waited[0];
    for (int i = 1; i < 3; i++) {
        least = waited[i] < least ? waited[i] : least;
        most = waited[i] > most ? waited[i] : most;
    }
    const bool steady = STEADY * (most - least) <= least;
    return steady ? (waited[0] + waited[1] + waited[2]) / 3 : -1;
}

bool paper_worth_sending(int64_t sent, int64_t value)
{
    const int64_t smaller = value < sent ? value : sent;
    return value != sent && 2 * llabs(value - sent) >= smaller;
}

static bool changed(int64_t before, int64_t total)
{
    return llabs(total - before) > before / 4;
}

int paper_interval(int interval, int64_t last_total, int64_t total, bool sparse)
{
    if (changed(last_total, total))
        return interval > 1 && !sparse ? interval / 2 : interval;
    return interval < INTERVAL_MAX ? 2 * interval : INTERVAL_MAX;
}

bool paper_optimiser_init(struct paper_optimiser *optimiser, int size, bool sparse)
{
    *optimiser = (struct paper_optimiser){
        .sparse = sparse, .interval = sparse ? PAPER_SPARSE_INTERVAL : 1};
    optimiser->candidates = calloc((size_t)size, sizeof *optimiser->candidates);
    optimiser->size = optimiser->candidates ? size : 0;
    return optimiser->candidates;
}

void paper_optimiser_free(struct paper_optimiser *optimiser)
{
    free(optimiser->candidates);
    *optimiser = (struct paper_optimiser){0};
}

/* The parent of a rank in the binomial tree is the rank without its lowest set bit. */
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

/* Order: most sends first, then least depth; the paper leaves the rest open. */
static int compare(const void *left, const void *right)
{
    const struct paper_candidate *a = left, *b = right;
    if (a->sends != b->sends)
        return b->sends - a->sends;
    if (a->depth != b->depth)
        return a->depth - b->depth;
    return a->rank - b->rank;
}

/* The rank that waits longest except the root; the root if it is alone. */
static int longest_waiting(const int64_t *wait, int size, int root)
{
    int most = root;
    for (int rank = 0; rank < size; rank++)
        if (rank != root && (most == root || wait[rank] > wait[most]))
            most = rank;
    return most;
}

/* The longest wait that counts as none. Receiving takes some time even if the message
   is there already: the shortest wait of all ranks. */
static int64_t no_wait(const int64_t *wait, int size, int root, int most)
{
    int64_t least = wait[most];
    for (int rank = 0; rank < size; rank++)
        if (rank != root && wait[rank] < least)
            least = wait[rank];
    const int64_t negligible = wait[most] / NEGLIGIBLE;
    return 2 * least > negligible ? 2 * least : negligible;
}

/* Start anew: find the rank that waits longest, and the ranks without a wait as
   candidates for a swap with it. */
static void search(struct paper_optimiser *optimiser, const int64_t *wait,
                   const int *place, int root)
{
    const int size = optimiser->size;
    const int most = longest_waiting(wait, size, root);
    const int64_t none = no_wait(wait, size, root, most);
    optimiser->root = root;
    optimiser->most = most;
    optimiser->count = optimiser->next = 0;
    for (int rank = 0; rank < size && wait[most] > 0; rank++) {
        if (rank == root || rank == most || wait[rank] > none)
            continue;
        const int relative = (place[rank] - place[root] + size) % size;
        optimiser->candidates[optimiser->count++] = (struct paper_candidate){
            .rank = rank,
            .sends = sends_of(relative, size),
            .depth = depth_of(relative),
        };
    }
    qsort(optimiser->candidates, (size_t)optimiser->count,
          sizeof *optimiser->candidates, compare);
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
    optimiser->interval = paper_interval(optimiser->interval, optimiser->last_total,
                                         total, optimiser->sparse);
    optimiser->last_total = total;

    struct paper_round round = {.interval = optimiser->interval};
    if (optimiser->on_trial && total > optimiser->basis) {
        optimiser->on_trial = false;
        take_pair(optimiser, &round);
        optimiser->next++;
        return round;
    }
    /* After the last candidate has failed, swaps of one pair cannot improve the table,
       so it stays until the waits change. */
    const bool all_failed = optimiser->next == optimiser->count;
    if (optimiser->on_trial || optimiser->root != root ||
        (all_failed && changed(optimiser->basis, total)))
        search(optimiser, wait, place, root);
    optimiser->on_trial = optimiser->next < optimiser->count;
    if (optimiser->on_trial) {
        optimiser->basis = total;
        take_pair(optimiser, &round);
    }
    return round;
}
