/* SPDX-License-Identifier: BSD-3-Clause */
/* The best trees for broadcasts, compared with exhaustive search; properties of all
   trees. */
#include "tree_cases.h"

static struct tree best(const struct network *network, int root, size_t bytes,
                        const int64_t *ready)
{
    struct tree tree = make_best(network, root, bytes, ready);
    assert_is_tree(&tree, root);
    assert_int_equal(tree.cost, cost_of(&tree, network, root, bytes, ready));
    return tree;
}

/* A broadcast, tried in every way: which rank sends next, and to which. */
struct trial {
    const struct network *network;
    const int64_t *ready;
    bool has[8];
    int64_t free_from[8];
    int64_t least;
};

static void try_all(struct trial *trial, int left, int64_t sum)
{
    const int size = trial->network->size, *node = trial->network->node;
    if (left == 0 && sum < trial->least)
        trial->least = sum;
    for (int from = 0; from < size; from++) {
        for (int to = 0; to < size; to++) {
            if (!trial->has[from] || trial->has[to])
                continue;
            const bool near = node && node[from] == node[to];
            const struct costs *costs =
                near ? &trial->network->near : &trial->network->far;
            const int64_t start = trial->free_from[from];
            const int64_t arrival = start + costs->hop.base;
            const int64_t wait = arrival - trial->ready[to];
            trial->has[to] = true;
            trial->free_from[to] = wait > 0 ? arrival : trial->ready[to];
            trial->free_from[from] = start + costs->gap.base;
            try_all(trial, left - 1, sum + costs->gap.base + (wait > 0 ? wait : 0));
            trial->free_from[from] = start;
            trial->has[to] = false;
        }
    }
}

static int64_t least_cost(const struct network *network, const int64_t *ready)
{
    struct trial trial = {network, ready, {true}, {0}, INT64_MAX};
    try_all(&trial, network->size - 1, 0);
    return trial.least;
}

/* Costs and times of entering, in all proportions to each other. */
static struct network random_network(int *node, int64_t *ready)
{
    const int hop = 10 + random_below(1000), gap = random_below(hop + 1);
    const int near_hop = 1 + random_below(hop / 2),
              near_gap = random_below(near_hop + 1);
    const int size = 1 + random_below(6), latest = 1 + random_below(4 * hop);
    for (int rank = 0; rank < size; rank++) {
        const int other = random_below(rank + 1);
        node[rank] = node[other] == other ? other : rank;
        ready[rank] = rank == 0 ? 0 : random_below(latest);
    }
    return (struct network){
        size, node, {{hop, 0}, {gap, 0}}, {{near_hop, 0}, {near_gap, 0}}, false};
}

static void whole_messages_go_the_best_way(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++) {
        int node[6] = {0};
        int64_t ready[6];
        struct network network = random_network(node, ready);
        network.node = NULL;
        struct tree tree = best(&network, 0, 8, ready);
        assert_int_equal(tree.cost, least_cost(&network, ready));
        tree_free(&tree);
    }
}

/* Here the ways that are compared need not have the best one among them. */
static void whole_messages_between_nodes_go_nearly_the_best_way(void **state)
{
    (void)state;
    double ratios = 0;
    for (int i = 0; i < 200; i++) {
        int node[6] = {0};
        int64_t ready[6];
        const struct network network = random_network(node, ready);
        struct tree tree = best(&network, 0, 8, ready);
        const int64_t least = least_cost(&network, ready);
        assert_true(tree.cost >= least && tree.cost <= 1.5 * least);
        ratios += least ? (double)tree.cost / least : 1;
        tree_free(&tree);
    }
    assert_true(ratios / 200 < 1.02);
}

/* Ranks that a message can have reached by `time`, if all wait for it (Karp, Sahay,
   Santos and Schauser 1993). */
static int64_t most_reached(int64_t time, int hop, int gap)
{
    return time < hop ? 1
                      : most_reached(time - gap, hop, gap) +
                            most_reached(time - hop, hop, gap);
}

static int64_t last_arrival(const struct tree *tree, int rank, int64_t has, int hop,
                            int gap)
{
    int64_t last = has, sent = has;
    for (int child = tree->first[rank]; child >= 0; child = tree->next[child]) {
        const int64_t below = last_arrival(tree, child, sent + hop, hop, gap);
        last = below > last ? below : last;
        sent += gap;
    }
    return last;
}

static void last_arrival_is_that_of_the_best_logp_tree(void **state)
{
    (void)state;
    static const int64_t ready[100];
    for (int hop = 1; hop <= 6; hop++) {
        for (int gap = 1; gap <= hop; gap++) {
            for (int size = 2; size <= 100; size += 7) {
                const struct network network = {.size = size,
                                                .far = {{hop, 0}, {gap, 0}}};
                struct tree tree = best(&network, 0, 8, ready);
                const int64_t last = last_arrival(&tree, 0, 0, hop, gap);
                assert_true(most_reached(last, hop, gap) >= size);
                assert_true(most_reached(last - 1, hop, gap) < size);
                tree_free(&tree);
            }
        }
    }
}

static void tree_is_flat_when_sending_is_cheap(void **state)
{
    (void)state;
    static const int64_t ready[128];
    const struct network network = {.size = 128, .far = {{1000, 0}, {1, 0}}};
    struct tree tree = best(&network, 3, 8, ready);
    assert_int_equal(count_children(&tree, 3), 127);
    tree_free(&tree);
}

static void tree_is_binomial_when_sending_takes_all_the_time(void **state)
{
    (void)state;
    static const int64_t ready[128];
    const struct network network = {.size = 128, .far = {{1000, 0}, {1000, 0}}};
    struct tree tree = best(&network, 0, 8, ready);
    struct tree binomial = make_binomial(128, 0, NULL);
    assert_int_equal(tree.cost, cost_of(&binomial, &network, 0, 8, ready));
    assert_int_equal(count_children(&tree, 0), 7);
    tree_free(&binomial);
    tree_free(&tree);
}

/* The least cost for the others, if `rank` did not take part. */
static int64_t cost_without(const struct network *network, int rank, size_t bytes)
{
    static const int64_t ready[17];
    int node[17];
    struct network others = *network;
    others.size--;
    others.node = node;
    for (int i = 0; i < others.size; i++) {
        const int own = network->node[i + (i >= rank)];
        node[i] = own - (own > rank); /* if it was the lowest, so is the next now */
    }
    struct tree tree = best(&others, 0, bytes, ready);
    const int64_t cost = tree.cost;
    tree_free(&tree);
    return cost;
}

/* For the others the rank seems not to exist, except for sending to it: its bytes may
   share the way with theirs where that costs next to nothing. */
static void nobody_waits_for_one_late_rank(void **state)
{
    (void)state;
    static const size_t sizes[] = {8, 32 * KIB, 256 * KIB, 16 * MIB};
    const int64_t minute = 60000000000;
    for (int i = 0; i < 8; i++) {
        const struct network network = make_network(17, i < 4 ? 1 : 4);
        const size_t bytes = sizes[i % 4];
        for (int late = 1; late < 17; late++) {
            int64_t ready[17] = {0};
            ready[late] = minute;
            struct tree tree = best(&network, 0, bytes, ready);
            assert_int_equal(tree.first[late], -1);
            for (int rank = 0; rank < 17; rank++)
                assert_int_equal(tree.late[rank], rank == late);
            const int64_t others = cost_without(&network, late, bytes);
            assert_true(tree.cost <= 1.001 * others + line_at(&network.far.gap, bytes));
            tree_free(&tree);
        }
    }
}

static void late_root_makes_all_others_early(void **state)
{
    (void)state;
    const struct network network = make_network(17, 1);
    static const int64_t together[17];
    int64_t ready[17] = {0}, early[17];
    ready[5] = 1000000;
    for (int rank = 0; rank < 17; rank++)
        early[rank] = rank == 5 ? 0 : -1000000;
    struct tree usual = best(&network, 5, 8, together);
    struct tree tree = best(&network, 5, 8, ready);
    assert_true(tree.cost >= usual.cost + 16 * 1000000); /* the root counts for all */
    assert_int_equal(cost_of(&tree, &network, 5, 8, early), tree.cost);
    for (int rank = 0; rank < 17; rank++)
        assert_true(!tree.late[rank]);
    tree_free(&tree);
    tree_free(&usual);
}

static void late_ranks_send_only_to_later_ones(void **state)
{
    (void)state;
    static const size_t sizes[] = {8, 64 * KIB, 4 * MIB};
    const struct network network = make_network(128, 1);
    for (int i = 0; i < 30; i++) {
        const size_t bytes = sizes[i % 3];
        const int hop = (int)line_at(&network.far.hop, bytes);
        int64_t ready[128] = {0};
        for (int rank = 1; rank < 128; rank++)
            ready[rank] = random_below(20 * hop);
        struct tree tree = best(&network, 0, bytes, ready);
        for (int rank = 1; rank < 128; rank++) {
            const int parent = tree.parent[rank];
            assert_true(!tree.late[parent] || ready[parent] <= ready[rank]);
        }
        tree_free(&tree);
    }
}

static void large_messages_pass_through_pipelines(void **state)
{
    (void)state;
    static const int64_t ready[128];
    for (int per_node = 1; per_node <= 16; per_node *= 4) {
        const struct network network = make_network(128, per_node);
        struct tree tree = best(&network, 0, 16 * MIB, ready);
        struct tree binomial = make_binomial(128, 0, NULL);
        const int64_t native = cost_of(&binomial, &network, 0, 16 * MIB, ready);
        const int64_t once = 128 * line_at(&network.far.gap, 16 * MIB);
        assert_true(tree.segment > 0);
        assert_true(tree.cost < 1.2 * once && tree.cost < native / 3);
        tree_free(&binomial);
        tree_free(&tree);
    }
}

static void segments_are_for_large_messages(void **state)
{
    (void)state;
    static const int64_t ready[128];
    const struct network many = make_network(128, 1), two = make_network(2, 1);
    struct tree tree = best(&many, 0, 8 * KIB - 1, ready);
    assert_int_equal(tree.segment, 0);
    tree_free(&tree);
    tree =
        best(&many, 0, 16 * KIB, ready); /* whose bytes take six times a gap's base */
    assert_in_range(tree.segment, KIB, 4 * KIB);
    tree_free(&tree);
    tree = best(&two, 0, 64 * MIB, ready); /* a segment would cost a gap's base */
    assert_int_equal(tree.segment, 0);
    tree_free(&tree);
}

static void all_sizes_and_roots_make_trees(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 3, 17, 128, 1000};
    static const size_t bytes[] = {0, 1, 64 * KIB, 5 * MIB, (size_t)1 << 40};
    static int64_t ready[1000];
    for (int i = 0; i < 90; i++) {
        const struct network network = make_network(sizes[i % 6], 1 + random_below(5));
        const int latest = 1 << random_below(31);
        for (int rank = 0; rank < network.size; rank++)
            ready[rank] = random_below(latest) - latest / 2;
        const int root = random_below(network.size);
        struct tree tree = best(&network, root, bytes[i / 6 % 5], ready);
        struct tree again = best(&network, root, bytes[i / 6 % 5], ready);
        assert_int_equal(tree.segment, again.segment);
        assert_memory_equal(tree.parent, again.parent, sizeof(int) * tree.size);
        assert_memory_equal(tree.next, again.next, sizeof(int) * tree.size);
        assert_memory_equal(tree.late, again.late, sizeof(bool) * tree.size);
        tree_free(&again);
        tree_free(&tree);
    }
}

static void absurd_times_do_no_harm(void **state)
{
    (void)state;
    const struct line never = {INT64_MAX, INT64_MAX}, before = {INT64_MIN, -1};
    const int64_t ready[] = {0, INT64_MAX, INT64_MIN, INT64_MAX, 5, INT64_MIN};
    const struct network slow = {.size = 6, .far = {never, never}},
                         quick = {.size = 6, .far = {before, never}};
    for (size_t bytes = 1; bytes <= (size_t)1 << 40; bytes <<= 13) {
        for (int root = 0; root < 6; root++) {
            struct tree tree = best(&slow, root, bytes, ready);
            tree_free(&tree);
            tree = best(&quick, root, bytes, ready);
            tree_free(&tree);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_messages_go_the_best_way),
        cmocka_unit_test(whole_messages_between_nodes_go_nearly_the_best_way),
        cmocka_unit_test(last_arrival_is_that_of_the_best_logp_tree),
        cmocka_unit_test(tree_is_flat_when_sending_is_cheap),
        cmocka_unit_test(tree_is_binomial_when_sending_takes_all_the_time),
        cmocka_unit_test(nobody_waits_for_one_late_rank),
        cmocka_unit_test(late_root_makes_all_others_early),
        cmocka_unit_test(late_ranks_send_only_to_later_ones),
        cmocka_unit_test(large_messages_pass_through_pipelines),
        cmocka_unit_test(segments_are_for_large_messages),
        cmocka_unit_test(all_sizes_and_roots_make_trees),
        cmocka_unit_test(absurd_times_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
