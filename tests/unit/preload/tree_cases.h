/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_cases.h - networks, and properties of every tree, for the tests of trees.
 */
#ifndef MT_TREE_CASES_H
#define MT_TREE_CASES_H

#include "preload/bcast/tree/search.h"
#include "tests/unit/test.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

/* Numbers that look random, the same in every run. */
static inline int random_below(int n)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)(state >> 33) % n;
}

/* `size` ranks, `per_node` on each node, at 10 Gb/s: 839 us for 1 MiB. */
static inline struct network make_network(int size, int per_node)
{
    static int node[1000];
    const struct costs far = {{2000, 839000}, {500, 839000}},
                       near = {{300, 150000}, {200, 150000}};
    for (int rank = 0; rank < size; rank++)
        node[rank] = rank / per_node * per_node;
    return (struct network){size, node, far, near, false};
}

/* The next rank in a walk that meets parents before their children; -1: the end. */
static inline int walk(const struct tree *tree, int rank)
{
    if (tree->first[rank] >= 0)
        return tree->first[rank];
    while (rank >= 0 && tree->next[rank] < 0)
        rank = tree->parent[rank];
    return rank < 0 ? -1 : tree->next[rank];
}

/* Everybody is reached once, and all links agree. */
static inline void assert_is_tree(const struct tree *tree, int root)
{
    int reached = 0;
    assert_int_equal(tree->parent[root], -1);
    assert_int_equal(tree->next[root], -1);
    for (int rank = root; rank >= 0; rank = walk(tree, rank)) {
        assert_true(++reached <= tree->size);
        for (int child = tree->first[rank]; child >= 0; child = tree->next[child])
            assert_int_equal(tree->parent[child], rank);
    }
    assert_int_equal(reached, tree->size);
}

static inline int count_children(const struct tree *tree, int rank)
{
    int count = 0;
    for (int child = tree->first[rank]; child >= 0; child = tree->next[child])
        count++;
    return count;
}

static inline struct tree make_best(const struct network *network, int root,
                                    size_t bytes, const int64_t *ready)
{
    struct search search;
    struct tree tree;
    assert_int_equal(search_init(&search, network), 0);
    assert_int_equal(tree_init(&tree, network->size), 0);
    tree_best(&tree, &search, root, bytes, ready);
    search_free(&search);
    return tree;
}

static inline int64_t cost_of(const struct tree *tree, const struct network *network,
                              int root, size_t bytes, const int64_t *ready)
{
    struct search search;
    assert_int_equal(search_init(&search, network), 0);
    const int64_t cost = tree_cost(tree, &search, root, bytes, ready);
    search_free(&search);
    return cost;
}

static inline struct tree make_binomial(int size, int root, const int *place)
{
    int order[1000];
    struct tree tree;
    assert_int_equal(tree_init(&tree, size), 0);
    tree_binomial(&tree, root, place, order);
    return tree;
}

#endif
