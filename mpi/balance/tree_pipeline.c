/* SPDX-License-Identifier: BSD-3-Clause */
#include "tree_parts.h"

#define SMALLEST_SEGMENT ((size_t)8 << 10)
#define LARGEST_SEGMENT ((size_t)1 << 20)
#define SMALLEST_CUT ((size_t)64 << 10) /* smaller messages stay whole */
#define MOST_CHILDREN 4

/* Who comes later than the one before by more than `patience`, is, with all after it,
   not worth waiting for: the number of ranks before it. */
static int count_prompt(const struct search *search, int64_t patience)
{
    const int64_t *ready = search->problem.ready;
    int64_t last = 0;
    for (int i = 1; i < search->trial.size; i++) {
        const int64_t next = ready[search->by_readiness[i]];
        if (next > plus(last, patience))
            return i;
        last = later(last, next);
    }
    return search->trial.size;
}

/* The first `count` ranks, those of a node together; nodes as their first rank is
   ready, and so their ranks. */
static void order_nodes(struct search *search, int count)
{
    const struct network *network = search->problem.network;
    int *place = search->place; /* of the node's next rank; before it: minus ranks */
    for (int node = 0; node < network->size; node++)
        place[node] = 0;
    for (int i = 0; i < count; i++)
        place[node_of(network, search->by_readiness[i])]--;
    int next = 0;
    for (int i = 0; i < count; i++) {
        const int rank = search->by_readiness[i], node = node_of(network, rank);
        if (place[node] < 0) {
            const int ranks = -place[node];
            place[node] = next;
            next += ranks;
        }
        search->order[place[node]++] = rank;
    }
}

/* A chain through all; or a tree of `children` over the first ranks of the nodes, from
   each of which a chain leads through its node. */
static void set_parents(struct search *search, int count, int children)
{
    const struct network *network = search->problem.network;
    const int *order = search->order;
    int *parent = search->trial.parent;
    int *first = search->place, nodes = 1; /* first rank of each node */
    first[0] = order[0];
    for (int i = 1; i < count; i++) {
        const bool same = node_of(network, order[i]) == node_of(network, order[i - 1]);
        if (same || children == 1) {
            parent[order[i]] = order[i - 1];
        } else {
            parent[order[i]] = first[(nodes - 1) / children];
            first[nodes++] = order[i];
        }
    }
}

/* The first `prompt` ranks pass segments on; the others get copies when those have
   done so. */
static void try_pipeline(struct search *search, int prompt, int children)
{
    struct tree *tree = &search->trial;
    order_nodes(search, prompt);
    set_parents(search, prompt, children);
    for (int i = 0; i < prompt; i++)
        tree->late[search->order[i]] = false;
    if (prompt < tree->size) {
        const struct problem *problem = &search->problem;
        const struct prices prices = prices_at(problem->network, problem->bytes);
        tree_link(tree, search->order, prompt);
        tree_follow(search->passage, problem, tree);
        senders_clear(search->senders);
        for (int i = 0; i < prompt; i++)
            senders_add(search->senders, search->order[i],
                        search->passage[search->order[i]].leave);
        for (int i = prompt; i < tree->size; i++) {
            const int rank = search->order[i] = search->by_readiness[i];
            senders_serve(search->senders, tree, problem, &prices, rank);
            tree->late[rank] = true;
        }
    }
    tree_link(tree, search->order, tree->size);
    search_compare(search);
}

/* From the first segment's start until the last has reached all, if all are ready. */
static int64_t delivery_time(const struct search *search, int children)
{
    const struct problem *problem = &search->problem;
    const size_t segment = search->trial.segment;
    const struct price price = prices_at(problem->network, segment).far;
    const int64_t segments = (int64_t)((problem->bytes - 1) / segment + 1);
    int levels = 0;
    for (int64_t reached = 1, level = 1; reached < problem->network->size; levels++)
        reached += level *= children;
    return plus(times(levels, plus(price.hop, times(children - 1, price.gap))),
                times(segments - 1, times(children, price.gap)));
}

void search_pipelines(struct search *search)
{
    const size_t bytes = search->problem.bytes;
    if (bytes < SMALLEST_CUT)
        return;
    for (int children = 1; children <= MOST_CHILDREN; children++) {
        for (size_t segment = SMALLEST_SEGMENT;
             segment <= LARGEST_SEGMENT && segment < bytes; segment *= 2) {
            search->trial.segment = segment;
            const int64_t time = delivery_time(search, children);
            const int prompt = count_prompt(search, time);
            try_pipeline(search, prompt, children);
            const int at_once = count_prompt(search, time / 8);
            if (at_once != prompt)
                try_pipeline(search, at_once, children);
        }
    }
}
