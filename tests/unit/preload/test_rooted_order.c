/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/rooted/order.h"
#include "tests/unit/preload/tree_cases.h"

static struct tree make(int size, int root, const int64_t *arrival)
{
    struct ordering ordering;
    struct tree tree;
    assert_int_equal(ordering_init(&ordering, size), 0);
    assert_int_equal(tree_init(&tree, size), 0);
    reduce_tree(&tree, root, arrival, &ordering);
    ordering_free(&ordering);
    return tree;
}

static void test_every_rank_reaches_the_root(void **state)
{
    (void)state;
    int64_t arrival[300];
    for (int size = 1; size <= 300; size += 1 + size / 8) {
        for (int i = 0; i < size; i++)
            arrival[i] = random_below(2) ? 0 : 1000 * random_below(1000);
        const int root = random_below(size);
        struct tree tree = make(size, root, arrival);
        int reached = 0;
        for (int rank = root; rank >= 0; rank = walk(&tree, rank))
            reached++;
        assert_int_equal(reached, size);
        assert_int_equal(tree.parent[root], -1);
        tree_free(&tree);
    }
}

/* Whoever is late by so much that it counts stands below nobody that comes earlier. */
static void test_no_rank_but_the_root_waits_for_a_later_one(void **state)
{
    (void)state;
    int64_t arrival[128];
    for (int i = 0; i < 128; i++)
        arrival[i] = 10000 * random_below(1000);
    struct tree tree = make(128, 5, arrival);
    for (int rank = 0; rank < 128; rank++) {
        const int parent = tree.parent[rank];
        if (rank == 5 || parent == 5 || arrival[rank] < 10000000 / 8)
            continue;
        assert_true(arrival[parent] >= arrival[rank]);
    }
    tree_free(&tree);
}

static void test_a_late_rank_is_the_last_child_of_the_root(void **state)
{
    (void)state;
    int64_t arrival[64] = {0};
    arrival[32] = 1000000;
    struct tree tree = make(64, 0, arrival);
    assert_int_equal(tree.parent[32], 0);
    assert_int_equal(tree.next[32], -1);
    assert_int_equal(tree.first[32], -1);
    tree_free(&tree);
}

/* A few microseconds are no lateness: the tree goes by the ranks' numbers then. */
static void test_prompt_ranks_stand_in_order(void **state)
{
    (void)state;
    const int64_t none[20] = {0}, little[20] = {0, 3000, 0, 4000};
    struct tree tree = make(20, 3, none), same = make(20, 3, little);
    for (int rank = 0; rank < 20; rank++)
        assert_int_equal(tree.parent[rank], same.parent[rank]);
    /* Counted from the root: 1, 2 and 3 below 0; 5, 6 and 7 below 4; and so on. */
    assert_int_equal(tree.parent[4], 3);
    assert_int_equal(tree.parent[7], 3);
    assert_int_equal(tree.parent[8], 7);
    assert_int_equal(tree.parent[10], 7);
    assert_int_equal(count_children(&tree, 3), 7);
    tree_free(&tree);
    tree_free(&same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_rank_reaches_the_root),
        cmocka_unit_test(test_no_rank_but_the_root_waits_for_a_later_one),
        cmocka_unit_test(test_a_late_rank_is_the_last_child_of_the_root),
        cmocka_unit_test(test_prompt_ranks_stand_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
