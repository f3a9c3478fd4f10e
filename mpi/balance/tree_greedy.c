/* SPDX-License-Identifier: BSD-3-Clause */
#include "tree_parts.h"

static void try_order(struct search *search)
{
    const struct problem *problem = &search->problem;
    const struct prices prices = prices_at(problem->network, problem->bytes);
    struct tree *tree = &search->trial;
    tree->segment = 0;
    senders_clear(search->senders);
    senders_add(search->senders, problem->root, 0);
    for (int i = 1; i < tree->size; i++)
        senders_serve(search->senders, tree, problem, &prices, search->order[i]);
    tree_link(tree, search->order, tree->size);
    search_compare(search);
}

void search_greedy(struct search *search)
{
    search_order_all(search);
    try_order(search);
    if (search->nodes == search->trial.size)
        return;
    search_order_first_of_nodes(search);
    try_order(search);
    search_order_nodes(search, search->trial.size);
    try_order(search);
}
