/* SPDX-License-Identifier: BSD-3-Clause */
#include "parts.h"

#include <string.h>

/* Who sends to many makes all of them wait: pretend that sending costs more. */
static struct price dearer(struct price price, int factor)
{
    price.gap = plus(price.gap, repeated(factor, price.shared));
    if (price.gap > price.hop)
        price.gap = price.hop;
    return price;
}

/* Who is expected after the message, as the tree stands. */
static void mark_late(struct search *search)
{
    tree_link(&search->trial, search->order, search->trial.size);
    tree_follow(search->passage, &search->problem, &search->trial);
    for (int i = 1; i < search->trial.size; i++) {
        const int rank = search->order[i];
        search->trial.late[rank] =
            search->problem.ready[rank] > search->passage[rank].arrival;
    }
}

/* The leaves that are not late; and who is busy. */
static int find_leaves(struct search *search)
{
    const struct tree *tree = &search->trial;
    int count = 0;
    memset(search->busy, 0, (size_t)tree->size * sizeof *search->busy);
    for (int i = 1; i < tree->size; i++) {
        const int rank = search->order[i];
        if (tree->late[rank])
            continue;
        search->busy[tree->parent[rank]] = true;
        if (tree->first[rank] < 0)
            search->place[count++] = rank;
    }
    return count;
}

/* Late leaves hold up their siblings, as messages share the way: let leaves that are
   there send to them in turn, where that costs no more and is soon enough. */
static void rehang_late(struct search *search, const struct prices *prices)
{
    const struct problem *problem = &search->problem;
    struct tree *tree = &search->trial;
    const int leaves = find_leaves(search);
    for (int i = 1, served = 0; i < tree->size && leaves > 0; i++) {
        const int rank = search->order[i], leaf = search->place[served % leaves];
        const int parent = tree->parent[rank];
        if (tree->first[rank] >= 0 || !tree->late[rank] || !search->busy[parent])
            continue;
        const struct price *now = price_between(prices, problem->network, parent, rank);
        const struct price *price = price_between(prices, problem->network, leaf, rank);
        const int64_t arrival = plus(plus(search->passage[leaf].start, price->hop),
                                     repeated(served / leaves, price->gap));
        if (price->gap <= now->gap && arrival < problem->ready[rank]) {
            tree->parent[rank] = leaf;
            served++;
        }
    }
}

static void try_order(struct search *search, const struct prices *prices, bool shared,
                      int root_sends)
{
    const struct problem *problem = &search->problem;
    struct tree *tree = &search->trial;
    tree->segment = 0;
    senders_clear(search->senders);
    senders_limit(search->senders, problem->root, root_sends);
    senders_add(search->senders, problem->root, 0);
    for (int i = 1; i < tree->size; i++)
        senders_serve(search->senders, tree, problem, prices, search->order[i]);
    mark_late(search);
    if (shared) {
        rehang_late(search, prices);
        mark_late(search);
    }
    search_compare(search);
}

static void try_prices(struct search *search, int root_sends)
{
    const struct problem *problem = &search->problem;
    const struct prices prices = prices_of_whole(problem->network, problem->bytes);
    const bool shared = prices.far.shared > prices.far.gap / 8;
    try_order(search, &prices, shared, root_sends);
    for (int factor = 1; shared && factor <= 7; factor = 2 * factor + 1) {
        const struct prices pretended = {dearer(prices.far, factor),
                                         dearer(prices.near, factor)};
        try_order(search, &pretended, true, root_sends);
    }
}

/* A root for which the others wait had better leave the sending to them. */
static void try_roots(struct search *search)
{
    const int most = search->trial.size;
    try_prices(search, most);
    if (search->problem.waiting > 0)
        for (int root_sends = 1; root_sends <= 4 && root_sends < most; root_sends *= 2)
            try_prices(search, root_sends);
}

void search_greedy(struct search *search)
{
    search_order_all(search);
    try_roots(search);
    if (search->nodes == search->trial.size)
        return;
    search_order_first_of_nodes(search);
    try_roots(search);
    search_order_nodes(search, search->trial.size);
    try_roots(search);
}
