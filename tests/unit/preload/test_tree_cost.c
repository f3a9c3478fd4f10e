/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of a tree, compared with a simulation of every segment; binomial trees;
   swaps. */
#include "tree_cases.h"

/* The sum of the times at which ranks leave, segment by segment; all are ready. A
   rank's messages start one after the other, but all are on their way until the last
   is. */
static int64_t simulate_segments(const struct tree *tree, const struct network *network,
                                 int count)
{
    static int64_t has[128][16];
    const int64_t hop = line_at(&network->far.hop, tree->segment),
                  gap = line_at(&network->far.gap, tree->segment),
                  start = network->far.gap.base;
    int64_t sum = 0;
    memset(has[0], 0, sizeof has[0]);
    for (int rank = 0; rank >= 0; rank = walk(tree, rank)) {
        const int children = count_children(tree, rank);
        int64_t sent = 0;
        for (int i = 0; i < count; i++) {
            sent = sent > has[rank][i] ? sent : has[rank][i];
            int64_t arrival = sent + hop + (children - 1) * (gap - start);
            sent += children * gap;
            for (int child = tree->first[rank]; child >= 0; child = tree->next[child]) {
                has[child][i] = arrival;
                arrival += start;
            }
        }
        sum += sent;
    }
    return sum;
}

/* Links for a tree of k children, ranks in order. */
static void make_k_ary(struct tree *tree, int k, size_t segment)
{
    tree->segment = segment;
    for (int rank = 0; rank < tree->size; rank++) {
        const int first = k * rank + 1;
        const bool last = rank % k == 0 || rank == tree->size - 1;
        tree->parent[rank] = rank ? (rank - 1) / k : -1;
        tree->first[rank] = first < tree->size ? first : -1;
        tree->next[rank] = last ? -1 : rank + 1;
    }
}

static void cost_of_pipelines_is_that_of_a_simulation(void **state)
{
    (void)state;
    static const int64_t ready[128];
    const size_t segment = 32 * KIB;
    for (int k = 1; k <= 4; k++) {
        for (int size = 1; size <= 128; size += 1 + size / 2) {
            const struct network network = make_network(size, 1);
            struct tree tree = make_binomial(size, 0, NULL);
            make_k_ary(&tree, k, segment);
            assert_is_tree(&tree, 0);
            assert_int_equal(cost_of(&tree, &network, 0, 16 * segment, ready),
                             simulate_segments(&tree, &network, 16));
            tree_free(&tree);
        }
    }
}

/* 0 sends to 1, then to 2: a hop of 10, a gap of 4. */
static void cost_follows_its_rules(void **state)
{
    (void)state;
    int parent[] = {-1, 0, 0}, first[] = {1, -1, -1}, next[] = {-1, 2, -1};
    bool late[] = {false, false, false};
    const struct tree tree = {3, parent, first, next, late, 0, 0};
    const struct network network = {.size = 3, .far = {{10, 0}, {4, 0}}};
    assert_int_equal(cost_of(&tree, &network, 0, 8, (int64_t[]){0, 0, 0}), 8 + 10 + 14);
    assert_int_equal(cost_of(&tree, &network, 0, 8, (int64_t[]){0, -5, 3}),
                     8 + 15 + 11);
    /* rank 1 comes 90 after its message: it does not wait, but 0 waits for it */
    const int64_t one_late[] = {0, 100, 0};
    assert_int_equal(cost_of(&tree, &network, 0, 8, one_late), 100 + 0 + 14);
    late[1] = true;
    assert_int_equal(cost_of(&tree, &network, 0, 8, one_late), 8 + 0 + 14);
    /* long messages leave one when the other has come */
    late[1] = false;
    assert_int_equal(cost_of(&tree, &network, 0, 128 * KIB, (int64_t[]){0, 0, 0}),
                     20 + 10 + 20);
    /* only the order of arrival matters */
    late[1] = true;
    assert_int_equal(cost_of(&tree, &network, 0, 8, (int64_t[]){7, 107, 7}), 22);
}

/* 0, 1, 2 in a row, and 3 next to 2; four segments: a hop of 10, a gap of 4, each. */
static void cost_of_segments_follows_its_rules(void **state)
{
    (void)state;
    int parent[] = {-1, 0, 1, 1}, first[] = {1, 2, -1, -1}, next[] = {-1, -1, 3, -1};
    bool late[] = {false, false, false, false};
    const struct tree tree = {4, parent, first, next, late, MIB, 0};
    const struct network network = {.size = 4, .far = {{6, 4}, {0, 4}}};
    /* 0 sends every 4; 1 every 8, from 10 on; 2 and 3 have their first at 24 */
    assert_int_equal(cost_of(&tree, &network, 0, 4 * MIB, (int64_t[]){0, 0, 0, 0}),
                     16 + (10 + 32) + 2 * (24 + 24));
    /* 3 comes 6 after its first segment, and 1 stays until it has the last */
    assert_int_equal(cost_of(&tree, &network, 0, 4 * MIB, (int64_t[]){0, 0, 0, 30}),
                     16 + (30 + 24) + (24 + 24) + 24);
    /* at 26, 1 has sent all to 2, every 4; a copy for 3 costs it 16, and comes at 48 */
    late[3] = true;
    assert_int_equal(cost_of(&tree, &network, 0, 4 * MIB, (int64_t[]){0, 0, 0, 48}),
                     16 + (26 + 16) + (20 + 12) + 0);
    assert_int_equal(cost_of(&tree, &network, 0, 4 * MIB, (int64_t[]){0, 0, 0, 38}),
                     16 + (26 + 16) + (20 + 12) + 10);
}

static void binomial_is_that_of_mpich(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 3, 8, 17, 100};
    int place[100];
    for (int i = 0; i < 60; i++) {
        const int size = sizes[i % 6], root = random_below(size);
        for (int rank = 0; rank < size; rank++)
            place[rank] = (7 * rank + i) % size;
        struct tree tree = make_binomial(size, root, place);
        assert_is_tree(&tree, root);
        for (int rank = 0; rank < size; rank++) {
            const int virtual = (place[rank] - place[root] + size) % size;
            int sibling = size; /* the first child has the most ranks below it */
            for (int child = tree.first[rank]; child >= 0; child = tree.next[child]) {
                const int below = (place[child] - place[root] + size) % size;
                assert_int_equal(below & (below - 1), virtual);
                assert_true(below < sibling);
                sibling = below;
            }
        }
        tree_free(&tree);
    }
}

static void binomial_takes_ranks_as_they_are(void **state)
{
    (void)state;
    struct tree tree = make_binomial(6, 4, NULL);
    const int parent[] = {4, 0, 4, 2, -1, 4}; /* 4 is 0, 5 is 1, 0 is 2 ... */
    assert_memory_equal(tree.parent, parent, sizeof parent);
    assert_int_equal(tree.first[4], 2); /* 4 in the tree, then 2, then 1 */
    assert_int_equal(tree.next[2], 0);
    assert_int_equal(tree.next[0], 5);
    assert_int_equal(tree.next[5], -1);
    for (int rank = 0; rank < 6; rank++)
        assert_false(tree.late[rank]);
    tree_free(&tree);
}

static int renamed(int rank, int a, int b)
{
    return rank == a ? b : rank == b ? a : rank;
}

static void swap_gives_a_tree_another_root(void **state)
{
    (void)state;
    for (int a = 0; a < 9; a++) {
        for (int b = 0; b < 9; b++) {
            struct tree before = make_binomial(9, 0, NULL);
            struct tree tree = make_binomial(9, 0, NULL);
            tree_swap(&tree, a, b);
            assert_is_tree(&tree, renamed(0, a, b));
            for (int rank = 0; rank < 9; rank++) {
                const int other = renamed(rank, a, b);
                assert_int_equal(tree.parent[other],
                                 renamed(before.parent[rank], a, b));
                assert_int_equal(tree.first[other], renamed(before.first[rank], a, b));
                assert_int_equal(tree.next[other], renamed(before.next[rank], a, b));
            }
            tree_swap(&tree, a, b);
            assert_memory_equal(tree.next, before.next, 9 * sizeof *tree.next);
            tree_free(&tree);
            tree_free(&before);
        }
    }
}

static void line_grows_with_the_bytes(void **state)
{
    (void)state;
    const struct line line = {100, 1000};
    assert_int_equal(line_at(&line, 0), 100);
    assert_int_equal(line_at(&line, 512 * KIB), 600);
    assert_int_equal(line_at(&line, 3 * MIB + 1), 3100);
    assert_int_equal(line_at(&line, (size_t)1 << 40), 100 + 1000 * (1 << 20));
    const struct line falling = {100, -1000};
    assert_int_equal(line_at(&falling, 3 * MIB), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cost_of_pipelines_is_that_of_a_simulation),
        cmocka_unit_test(cost_follows_its_rules),
        cmocka_unit_test(cost_of_segments_follows_its_rules),
        cmocka_unit_test(binomial_is_that_of_mpich),
        cmocka_unit_test(binomial_takes_ranks_as_they_are),
        cmocka_unit_test(swap_gives_a_tree_another_root),
        cmocka_unit_test(line_grows_with_the_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
