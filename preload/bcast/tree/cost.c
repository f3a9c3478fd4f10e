/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of a broadcast along a tree, from hop, gap (LogGP) and arrival times. */
#include "cost.h"
#include "preload/tuning.h"

#define MIB ((int64_t)1 << 20)

int64_t line_at(const struct line *line, size_t bytes)
{
    const int64_t whole = (int64_t)(bytes / MIB), rest = (int64_t)(bytes % MIB);
    int64_t time = plus(within_bounds(line->base), repeated(whole, line->per_mib));
    time = plus(time, repeated(rest, line->per_mib) / MIB);
    return later(time, 0);
}

static struct price price_at(const struct costs *costs, size_t bytes)
{
    struct price price = {.hop = line_at(&costs->hop, bytes),
                          .gap = line_at(&costs->gap, bytes)};
    if (price.gap > price.hop) /* lines may cross */
        price.gap = price.hop;
    price.shared = later(price.gap - line_at(&costs->gap, 0), 0);
    return price;
}

struct prices prices_at(const struct network *network, size_t bytes)
{
    return (struct prices){price_at(&network->far, bytes),
                           price_at(&network->near, bytes)};
}

struct prices prices_of_whole(const struct network *network, size_t bytes)
{
    struct prices prices = prices_at(network, bytes);
    if (bytes >= SENT_STAGGERED)
        prices.far = (struct price){prices.far.hop, prices.far.hop, 0};
    return prices;
}

void problem_set(struct problem *problem, int root, size_t bytes, const int64_t *ready)
{
    const struct network *network = problem->network;
    const int64_t long_before = -2 * line_at(&network->far.hop, 0);
    const int64_t entered = within_bounds(ready[root]);
    problem->root = root;
    problem->bytes = bytes;
    problem->waiting = 0;
    for (int i = 0; i < network->size; i++) {
        problem->ready[i] = plus(within_bounds(ready[i]), -entered);
        problem->waiting += problem->ready[i] < long_before;
    }
}

/* The next rank in a walk that meets parents before their children; -1: the end. */
static int walk(const struct tree *tree, int rank)
{
    if (tree->first[rank] >= 0)
        return tree->first[rank];
    while (rank >= 0 && tree->next[rank] < 0)
        rank = tree->parent[rank];
    return rank < 0 ? -1 : tree->next[rank];
}

/* Values that stay the same throughout tree_follow(). */
struct flow {
    const struct problem *problem;
    const struct tree *tree;
    int64_t segments;
    struct prices of_segment, of_copy;
};

/* Whether it gets a copy of the message after the stream has passed. */
static bool served_apart(const struct tree *tree, int rank)
{
    return tree->segment && tree->late[rank];
}

static const struct price *price_of(const struct flow *flow, int parent, int child)
{
    return price_between(&flow->of_segment, flow->problem->network, parent, child);
}

/* The cost of sending one segment to all children that are not served apart. */
struct stage {
    int64_t all;
    int64_t far, near; /* the shared part: messages of a kind travel at once */
};

static struct stage stage_of(const struct flow *flow, int rank)
{
    const struct tree *tree = flow->tree;
    struct stage stage = {0, 0, 0};
    for (int child = tree->first[rank]; child >= 0; child = tree->next[child]) {
        if (served_apart(tree, child))
            continue;
        const struct price *price = price_of(flow, rank, child);
        int64_t *shared = price == &flow->of_segment.near ? &stage.near : &stage.far;
        *shared = plus(*shared, price->shared);
        stage.all = plus(stage.all, price->gap);
    }
    return stage;
}

/* Forward each segment to them. */
static void pass_stream(const struct flow *flow, int rank, struct passage *passage)
{
    const struct tree *tree = flow->tree;
    struct passage *own = &passage[rank];
    const struct stage stage = stage_of(flow, rank);
    const int64_t period = later(own->period, stage.all);
    const int64_t others = repeated(flow->segments - 1, period);
    own->leave = plus(own->start, plus(others, stage.all));
    int64_t sent = own->start;
    for (int child = tree->first[rank]; child >= 0; child = tree->next[child]) {
        if (served_apart(tree, child))
            continue;
        const struct price *price = price_of(flow, rank, child);
        const int64_t shared = price == &flow->of_segment.near ? stage.near : stage.far;
        const int64_t ready = flow->problem->ready[child];
        const int64_t arrival = plus(sent, plus(price->hop, shared - price->shared));
        passage[child].arrival = arrival;
        passage[child].start = later(arrival, ready);
        passage[child].period = period;
        if (ready > arrival && !tree->late[child])
            own->leave = later(own->leave, plus(ready, others));
        sent = plus(sent, price->gap - price->shared);
    }
}

/* Then send a copy of the message to each of the others. */
static void pass_copies(const struct flow *flow, int rank, struct passage *passage)
{
    const struct tree *tree = flow->tree;
    for (int child = tree->first[rank]; child >= 0; child = tree->next[child]) {
        if (!served_apart(tree, child))
            continue;
        const struct price *price =
            price_between(&flow->of_copy, flow->problem->network, rank, child);
        const int64_t arrival = plus(passage[rank].leave, price->hop);
        passage[child].arrival = arrival;
        passage[child].start = later(arrival, flow->problem->ready[child]);
        passage[child].period = 0;
        passage[rank].leave = plus(passage[rank].leave, price->gap);
    }
}

int64_t tree_follow(struct passage *passage, const struct problem *problem,
                    const struct tree *tree)
{
    const size_t bytes = problem->bytes, segment = tree->segment;
    const struct network *network = problem->network;
    const struct flow flow = {
        .problem = problem,
        .tree = tree,
        .segments = segment ? (int64_t)((bytes - 1) / segment + 1) : 1,
        .of_segment =
            segment ? prices_at(network, segment) : prices_of_whole(network, bytes),
        .of_copy = prices_at(network, bytes),
    };
    int64_t sum = 0;
    passage[problem->root] = (struct passage){0};
    for (int rank = problem->root; rank >= 0; rank = walk(tree, rank)) {
        pass_stream(&flow, rank, passage);
        pass_copies(&flow, rank, passage);
    }
    for (int rank = problem->root; rank >= 0; rank = walk(tree, rank))
        sum = plus(sum, passage[rank].leave - problem->ready[rank]);
    return plus(sum, repeated(problem->waiting, passage[problem->root].leave));
}
