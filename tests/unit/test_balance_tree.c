/* SPDX-License-Identifier: BSD-3-Clause */
/* The trees of broadcasts: whole, against exhaustive search; in segments; their cost.
 */
#include "tree.h"

#include "test.h"

/* Numbers that look random, the same in every run. */
static int random_below(int n)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)(state >> 33) % n;
}

/* Everybody is reached once, and all links agree. */
static void assert_is_tree(const struct tree *tree, int root)
{
    int reached = 0, rank = root;
    assert_int_equal(tree->parent[root], -1);
    assert_int_equal(tree->next[root], -1);
    while (rank >= 0) {
        assert_true(++reached <= tree->size);
        for (int c = tree->first[rank]; c >= 0; c = tree->next[c])
            assert_int_equal(tree->parent[c], rank);
        if (tree->first[rank] >= 0) {
            rank = tree->first[rank];
        } else {
            while (rank >= 0 && tree->next[rank] < 0)
                rank = tree->parent[rank];
            rank = rank < 0 ? -1 : tree->next[rank];
        }
    }
    assert_int_equal(reached, tree->size);
}

/* A broadcast, tried in every way: who sends next, and to whom. */
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
            const struct costs *costs = node && node[from] == node[to]
                                            ? &trial->network->near
                                            : &trial->network->far;
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

static void greedy_is_optimal(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++) {
        const int hop = 1 + random_below(1000), gap = random_below(hop + 1);
        const struct network network = {.size = 1 + random_below(6),
                                        .far = {{hop, 0}, {gap, 0}}};
        const int latest = 1 + random_below(4 * hop);
        int64_t ready[6] = {0};
        for (int rank = 1; rank < network.size; rank++)
            ready[rank] = random_below(latest);
        struct tree tree;
        assert_int_equal(tree_best(&tree, &network, 0, 8, ready), 0);
        assert_is_tree(&tree, 0);
        assert_int_equal(tree.cost, least_cost(&network, ready));
        assert_int_equal(tree.cost, tree_cost(&tree, &network, 0, 8, ready));
        tree_free(&tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(greedy_is_optimal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
