/* SPDX-License-Identifier: BSD-3-Clause */
/* Tries greedy trees for whole messages and pipelined chains of nodes for segments. */
#include "preload/tuning.h"
#include "search.h"

#include <string.h>

/* A rank with many children makes all of them wait: pretend that sending costs more. */
static struct price dearer(struct price price, int factor)
{
    price.gap = plus(price.gap, repeated(factor, price.shared));
    if (price.gap > price.hop)
        price.gap = price.hop;
    return price;
}

/* Mark ranks expected after the message in the current tree. */
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

/* List the leaves that are not late, and mark busy ranks. */
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

/* Late leaves hold up their siblings, as messages share links: let present leaves send
   to them in turn, if that costs no more and is soon enough. */
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
        senders_serve(search->senders, tree,
                      &(struct receiver){problem, prices, search->order[i]});
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

/* A late root should leave the sending to the others. */
static void try_roots(struct search *search)
{
    const int most = search->trial.size;
    try_prices(search, most);
    if (search->problem.waiting > 0)
        for (int root_sends = 1; root_sends <= 4 && root_sends < most; root_sends *= 2)
            try_prices(search, root_sends);
}

static void try_greedy(struct search *search)
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

/* The shape of a tree over nodes. Within a node, the message goes along a chain. */
struct shape {
    int children;   /* nodes to which a node sends */
    bool from_last; /* its chain's last rank sends them; else the first */
};

static const struct shape shapes[] = {
    {1, true}, {1, false}, {2, false}, {3, false}, {4, false}};

/* The number of ranks before the first that comes later than its predecessor by more
   than `tolerance`: waiting for it and later ones does not pay. */
static int count_prompt(const struct search *search, int64_t tolerance)
{
    const int64_t *ready = search->problem.ready;
    int64_t last = 0;
    for (int i = 1; i < search->trial.size; i++) {
        const int64_t next = ready[search->by_readiness[i]];
        if (next > plus(last, tolerance))
            return i;
        last = later(last, next);
    }
    return search->trial.size;
}

static void set_parents(struct search *search, int count, struct shape shape)
{
    const struct network *network = search->problem.network;
    const int *order = search->order;
    int *parent = search->trial.parent;
    int *sender = search->place, nodes = 0; /* of each node so far, to other nodes */
    sender[0] = order[0];
    for (int i = 1; i < count; i++) {
        const bool same = node_of(network, order[i]) == node_of(network, order[i - 1]);
        if (same) {
            parent[order[i]] = order[i - 1];
            if (shape.from_last)
                sender[nodes] = order[i];
        } else {
            parent[order[i]] = sender[nodes / shape.children];
            sender[++nodes] = order[i];
        }
    }
}

/* The others get copies after the first `prompt` ranks have forwarded the message: from
   childless ones, so that no stream slows down. */
static void serve_others(struct search *search, int prompt)
{
    const struct problem *problem = &search->problem;
    const struct prices prices = prices_at(problem->network, problem->bytes);
    struct tree *tree = &search->trial;
    tree_link(tree, search->order, prompt);
    tree_follow(search->passage, problem, tree);
    senders_clear(search->senders);
    for (int i = 0; i < prompt; i++) {
        const int rank = search->order[i];
        if (tree->first[rank] < 0)
            senders_add(search->senders, rank, search->passage[rank].leave);
    }
    for (int i = prompt; i < tree->size; i++) {
        const int rank = search->order[i] = search->by_readiness[i];
        senders_serve(search->senders, tree,
                      &(struct receiver){problem, &prices, rank});
        tree->late[rank] = true;
    }
}

static void try_pipeline(struct search *search, struct shape shape, size_t segment,
                         int prompt)
{
    struct tree *tree = &search->trial;
    tree->segment = segment;
    search_order_nodes(search, prompt);
    set_parents(search, prompt, shape);
    for (int i = 0; i < prompt; i++)
        tree->late[search->order[i]] = false;
    if (prompt < tree->size)
        serve_others(search, prompt);
    tree_link(tree, search->order, tree->size);
    search_compare(search);
}

/* From the first segment's start until the last reaches all, if all are ready. */
static int64_t delivery_time(const struct search *search, struct shape shape,
                             size_t segment)
{
    const struct problem *problem = &search->problem;
    const struct prices prices = prices_at(problem->network, segment);
    const int size = search->trial.size, nodes = search->nodes;
    const int64_t segments = (int64_t)((problem->bytes - 1) / segment + 1);
    const int64_t near_hops = shape.from_last ? size - nodes : (size - 1) / nodes;
    const int64_t near_stage = nodes < size ? prices.near.gap : 0;
    const int64_t far_stage = nodes > 1 ? repeated(shape.children, prices.far.gap) : 0;
    const int64_t last_child = repeated(shape.children - 1, prices.far.gap);
    int64_t far_hops = 0;
    for (int64_t reached = 1, level = 1; reached < nodes; far_hops++)
        reached += level *= shape.children;
    const int64_t first_segment =
        plus(repeated(near_hops, prices.near.hop),
             repeated(far_hops, plus(prices.far.hop, last_child)));
    const int64_t period =
        shape.from_last ? later(far_stage, near_stage) : plus(far_stage, near_stage);
    return plus(first_segment, repeated(segments - 1, period));
}

/* The segment size with which the message would reach all ranks soonest. */
static size_t fastest_segment(const struct search *search, struct shape shape)
{
    size_t fastest = SMALLEST_SEGMENT;
    int64_t least = delivery_time(search, shape, fastest);
    for (size_t segment = 2 * fastest; segment <= LARGEST_SEGMENT; segment *= 2) {
        const int64_t time = delivery_time(search, shape, segment);
        if (time < least) {
            least = time;
            fastest = segment;
        }
    }
    return fastest;
}

/* Try different tolerances for late ranks. */
static void try_shape(struct search *search, struct shape shape, size_t segment)
{
    int64_t tolerance = delivery_time(search, shape, segment);
    for (int i = 0, tried = 0; i < 4; i++, tolerance /= 3) {
        const int prompt = count_prompt(search, tolerance);
        if (prompt != tried)
            try_pipeline(search, shape, segment, prompt);
        tried = prompt;
    }
}

static void try_pipelines(struct search *search)
{
    /* Longer segments may be better for most ranks, if not for the last. */
    static const size_t factors[] = {1, 2, 8};
    if (search->problem.bytes < SMALLEST_CUT)
        return;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const size_t fastest = fastest_segment(search, shapes[i]);
        for (size_t j = 0; j < sizeof factors / sizeof *factors; j++) {
            const size_t segment = factors[j] * fastest;
            if (segment <= LARGEST_SEGMENT && segment < search->problem.bytes)
                try_shape(search, shapes[i], segment);
        }
    }
}

void tree_best(struct tree *tree, struct search *search, int root, size_t bytes,
               const int64_t *ready)
{
    search_begin(search, root, bytes, ready);
    try_greedy(search);
    if (!search->problem.network->oversubscribed)
        try_pipelines(search);
    tree_copy(tree, &search->best);
}
