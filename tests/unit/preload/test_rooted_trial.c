/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/bcast/tree/tree.h"
#include "preload/rooted/trial.h"
#include "tests/unit/preload/tree_cases.h"
#include "tests/unit/test.h"

enum { RANKS = 4, CLASS = 5 };

/* A call's time in ns: on all ranks except rank 0, and on rank 0. */
struct times {
    int64_t others[WAYS], first[WAYS];
};

static const struct times fast_trees = {{50000, 1000}, {50000, 50000}};
static const struct times slow_trees = {{50000, 80000}, {50000, 80000}};

struct world {
    struct trial trial[RANKS];
    int64_t calls, last, meetings, by_tree; /* last: when they met */
    bool on;                                /* what the program wants */
};

static void begin(struct world *world)
{
    *world = (struct world){.on = true};
}

static void meet(struct world *world, int64_t waited, int64_t since_last)
{
    struct trial_report reports[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
        reports[rank] = trial_report(&world->trial[rank]);
        reports[rank].waited = waited;
        reports[rank].since_last = since_last;
        reports[rank].on = world->on;
    }
    for (int rank = 0; rank < RANKS; rank++)
        trial_next(&world->trial[rank], reports, RANKS);
    world->meetings++;
}

/* A call of all ranks, which wait for that time if they meet: returns the way it went,
   the same on all of them. */
static enum way call(struct world *world, int message_class, const struct times *times,
                     int64_t waited)
{
    world->calls++;
    if (trial_meets(&world->trial[0])) {
        meet(world, waited, (world->calls - world->last) * 100000);
        world->last = world->calls;
    }
    const enum way way = trial_take(&world->trial[0], message_class);
    for (int rank = 0; rank < RANKS; rank++) {
        struct trial *trial = &world->trial[rank];
        if (rank > 0)
            assert_int_equal(trial_take(trial, message_class), way);
        if (trial_needs_time(trial, message_class, way))
            trial_learn(trial, way, rank ? times->others[way] : times->first[way]);
    }
    world->by_tree += way == BY_US;
    return way;
}

static enum way after_calls(struct world *world, int calls, const struct times *times)
{
    enum way way = BY_MPI;
    for (int i = 0; i < calls; i++)
        way = call(world, CLASS, times, 1000);
    return way;
}

static void test_the_first_calls_are_the_MPIs(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    after_calls(&world, 8, &fast_trees);
    assert_int_equal(world.by_tree, 0);
}

static void test_a_faster_tree_is_used(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    after_calls(&world, 1000, &fast_trees);
    assert_true(world.by_tree > 800);
    assert_true(world.meetings < 10);
}

/* One try, in which it was faster, may be chance. */
static void test_a_tree_that_was_tried_once_is_not_used(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    after_calls(&world, 8 + 17, &fast_trees);
    assert_int_equal(world.by_tree, 8);
    after_calls(&world, 8, &fast_trees);
    assert_int_equal(world.by_tree, 16);
    assert_int_equal(after_calls(&world, 1, &fast_trees), BY_MPI);
}

static void test_a_slower_tree_is_tried_a_few_times_only(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    after_calls(&world, 100000, &slow_trees);
    assert_true(world.by_tree > 0 && world.by_tree <= 100);
}

/* Most ranks gain, but the last one leaves later than with the MPI. */
static void test_nobody_is_held_up_for_the_others(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    const struct times slow_root = {{50000, 1000}, {50000, 60000}};
    after_calls(&world, 1000, &slow_root);
    assert_true(world.by_tree <= 80);
}

static void test_what_is_faster_by_no_more_than_noise_is_not_used(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    for (int i = 0; i < 1000; i++) {
        const int64_t noise = world.meetings % 2 ? 10000 : 0;
        const struct times times = {{50000 + noise, 45000 + noise},
                                    {50000 + noise, 45000 + noise}};
        call(&world, CLASS, &times, 1000);
    }
    assert_true(world.by_tree <= 80);
}

static void test_what_was_not_compared_is_left_to_the_MPI(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    after_calls(&world, 200, &fast_trees);
    assert_int_equal(call(&world, CLASS, &fast_trees, 1000), BY_US);
    assert_int_equal(call(&world, CLASS + 1, &fast_trees, 1000), BY_MPI);
    assert_int_equal(call(&world, CLASS - 1, &fast_trees, 1000), BY_MPI);
}

static void test_messages_that_take_turns_are_all_compared(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    for (int i = 0; i < 3000; i++)
        call(&world, i % 2, &fast_trees, 1000);
    assert_int_equal(world.trial[0].classes[0].way, BY_US);
    assert_int_equal(world.trial[0].classes[1].way, BY_US);
}

static void test_a_tree_that_becomes_slow_is_given_up(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    after_calls(&world, 200, &fast_trees);
    const int64_t used = world.by_tree;
    after_calls(&world, 2000, &slow_trees);
    assert_int_equal(after_calls(&world, 1, &slow_trees), BY_MPI);
    assert_true(world.by_tree - used < 600);
}

/* Ranks that nothing holds back but the meetings would wait there for ever longer. */
static void test_ranks_that_drift_apart_are_left_alone(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    for (int i = 0; i < 10000; i++)
        call(&world, CLASS, &fast_trees, (world.calls - world.last) * 50000);
    assert_true(world.meetings <= 3);
    assert_true(world.by_tree <= 8);
}

static void test_meetings_take_their_share_of_the_time(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    for (int i = 0; i < 10000; i++) /* of 100 us */
        call(&world, CLASS, &fast_trees, 100000);
    assert_true(world.meetings <= 8);
}

static void test_all_are_left_to_the_MPI_when_switched_off(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    after_calls(&world, 200, &fast_trees);
    world.on = false;
    after_calls(&world, 1000, &fast_trees);
    const int64_t used = world.by_tree;
    after_calls(&world, 100, &fast_trees);
    assert_int_equal(world.by_tree, used);
    world.on = true;
    after_calls(&world, 10000, &fast_trees);
    assert_true(world.by_tree > used);
}

static void test_classes_of_messages(void **state)
{
    (void)state;
    assert_int_equal(trial_class(TRIAL_LEAST_BYTES), 0);
    assert_int_equal(trial_class(TRIAL_LEAST_BYTES + 1), 1);
    assert_int_equal(trial_class(TRIAL_MOST_BYTES), TRIAL_CLASSES - 1);
}

static struct tree make(int size, int root, const int64_t *arrival)
{
    void *memory = malloc((size_t)size * TREE_REDUCE_BYTES);
    struct tree tree;
    assert_non_null(memory);
    assert_int_equal(tree_init(&tree, size), 0);
    tree_reduce(&tree, root, arrival, memory);
    free(memory);
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

/* A rank that is late by enough to matter is never below one that comes earlier. */
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
        cmocka_unit_test(test_the_first_calls_are_the_MPIs),
        cmocka_unit_test(test_a_faster_tree_is_used),
        cmocka_unit_test(test_a_tree_that_was_tried_once_is_not_used),
        cmocka_unit_test(test_a_slower_tree_is_tried_a_few_times_only),
        cmocka_unit_test(test_nobody_is_held_up_for_the_others),
        cmocka_unit_test(test_what_is_faster_by_no_more_than_noise_is_not_used),
        cmocka_unit_test(test_what_was_not_compared_is_left_to_the_MPI),
        cmocka_unit_test(test_messages_that_take_turns_are_all_compared),
        cmocka_unit_test(test_a_tree_that_becomes_slow_is_given_up),
        cmocka_unit_test(test_ranks_that_drift_apart_are_left_alone),
        cmocka_unit_test(test_meetings_take_their_share_of_the_time),
        cmocka_unit_test(test_all_are_left_to_the_MPI_when_switched_off),
        cmocka_unit_test(test_classes_of_messages),
        cmocka_unit_test(test_every_rank_reaches_the_root),
        cmocka_unit_test(test_no_rank_but_the_root_waits_for_a_later_one),
        cmocka_unit_test(test_a_late_rank_is_the_last_child_of_the_root),
        cmocka_unit_test(test_prompt_ranks_stand_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
