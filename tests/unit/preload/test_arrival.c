/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrivals read off waits; every hop takes 1000 ns, and every gap 100 ns. */
#include "preload/bcast/auto/plan.h"
#include "preload/bcast/registry.h"
#include "tests/unit/test.h"

enum { HOP = 1000, GAP = 100, RANKS = 7, MOST_RANKS = 64, BYTES = 8 };

/*
 *     0          Hops from when the parent can send: 1000 for the first child, 1100 for
 *    / \         the second.
 *   1   2
 *  / \ / \
 *  3 4 5 6
 */
struct mpi_symbols {
    struct network network;
    struct tree tree;
    int64_t ready[MOST_RANKS], waited[MOST_RANKS];
};

static void family_init(struct mpi_symbols *family, int size)
{
    const struct costs costs = {.hop = {.base = HOP}, .gap = {.base = GAP}};
    *family = (struct mpi_symbols){
        .network = {.size = size, .far = costs, .near = costs},
    };
    assert_int_equal(tree_init(&family->tree, size), 0);
    for (int rank = 0; rank < size; rank++) {
        const int first = 2 * rank + 1;
        family->tree.parent[rank] = rank ? (rank - 1) / 2 : -1;
        family->tree.first[rank] = first < size ? first : -1;
        family->tree.next[rank] = rank % 2 && rank + 1 < size ? rank + 1 : -1;
    }
}

/* The ranks' waits if they enter at `enters`; the first is the root. */
static void broadcast(struct mpi_symbols *family, const int64_t *enters)
{
    int64_t message[MOST_RANKS] = {0};
    for (int rank = 0; rank < family->tree.size; rank++) {
        const bool waits = rank && message[rank] > enters[rank];
        family->waited[rank] = waits ? message[rank] - enters[rank] : 0;
        int64_t send = waits ? message[rank] : enters[rank];
        for (int c = family->tree.first[rank]; c >= 0; c = family->tree.next[c]) {
            message[c] = send + HOP;
            send += GAP;
        }
    }
}

static void estimate(struct mpi_symbols *family)
{
    struct planner planner;
    assert_int_equal(planner_init(&planner, &family->network), 0);
    arrival_estimate(family->ready, family->waited, &family->tree, &planner, 0, BYTES);
    planner_free(&planner);
}

static void assert_ready(const struct mpi_symbols *family, const int64_t *expected)
{
    for (int rank = 0; rank < family->tree.size; rank++)
        if (family->ready[rank] != expected[rank])
            fail_msg("rank %d: %lld, not %lld", rank, (long long)family->ready[rank],
                     (long long)expected[rank]);
}

static void nobody_is_late_when_all_wait_for_the_messages(void **state)
{
    (void)state;
    struct mpi_symbols family;
    family_init(&family, RANKS);
    const int64_t together[RANKS] = {0};
    broadcast(&family, together);
    assert_int_equal(family.waited[6], 2200);
    estimate(&family);
    assert_ready(&family, together);
    tree_free(&family.tree);
}

static void a_late_inner_rank_is_seen_by_its_children(void **state)
{
    (void)state;
    struct mpi_symbols family;
    family_init(&family, RANKS);
    /* Rank 1 comes 50000 after the root: its children wait 51000 and 51100. */
    const int64_t waited[RANKS] = {0, 0, 1100, 51000, 51100, 2100, 2200};
    const int64_t expected[RANKS] = {0, 50000, 0, 0, 0, 0, 0};
    memcpy(family.waited, waited, sizeof waited);
    estimate(&family);
    assert_ready(&family, expected);
    tree_free(&family.tree);
}

static void a_late_leaf_stays_where_it_was_thought_to_be(void **state)
{
    (void)state;
    struct mpi_symbols family;
    family_init(&family, RANKS);
    const int64_t waited[RANKS] = {0, 1000, 1100, 0, 2100, 2100, 2200};
    memcpy(family.waited, waited, sizeof waited);
    family.ready[3] = 70000;
    estimate(&family);
    assert_int_equal(family.ready[3], 70000);

    family.ready[3] = 0; /* but it came after its message */
    estimate(&family);
    assert_int_equal(family.ready[3], 2000);
    tree_free(&family.tree);
}

static void a_rank_that_waits_long_came_before_the_root(void **state)
{
    (void)state;
    struct mpi_symbols family;
    family_init(&family, RANKS);
    const int64_t enters[RANKS] = {0, -5000, -300, -9000, 0, 0, -1};
    broadcast(&family, enters);
    estimate(&family);
    assert_int_equal(family.ready[1], -5000);
    assert_int_equal(family.ready[2], -300);
    assert_int_equal(family.ready[3], -9000);
    tree_free(&family.tree);
}

static void the_last_estimate_stands_for_ranks_that_told_nothing(void **state)
{
    (void)state;
    struct mpi_symbols family;
    family_init(&family, RANKS);
    for (int rank = 1; rank < RANKS; rank++) {
        family.waited[rank] = ARRIVAL_UNKNOWN;
        family.ready[rank] = 100000 - 30000 * rank;
    }
    const int64_t expected[RANKS] = {0, 70000, 40000, 10000, -20000, -50000, -80000};
    estimate(&family);
    assert_ready(&family, expected);
    tree_free(&family.tree);
}

static void an_inner_rank_that_told_nothing_is_known_by_its_children(void **state)
{
    (void)state;
    struct mpi_symbols family;
    family_init(&family, RANKS);
    const int64_t in_time[RANKS] = {0, -700, 0, 0, 0, 0, 0};
    family.ready[1] = -700;
    broadcast(&family, in_time);
    family.waited[1] = ARRIVAL_UNKNOWN;
    estimate(&family);
    assert_ready(&family, in_time);

    const int64_t late[RANKS] = {0, 30000, 0, 0, 0, 0, 0};
    broadcast(&family, late);
    family.waited[1] = ARRIVAL_UNKNOWN;
    estimate(&family);
    assert_ready(&family, late);
    tree_free(&family.tree);
}

static void a_subtree_that_is_late_as_a_whole_is_late_at_least_as_its_messages(
    void **state)
{
    (void)state;
    struct mpi_symbols family;
    family_init(&family, RANKS);
    const int64_t enters[RANKS] = {0, 60000, 0, 61000, 61000, 0, 0};
    broadcast(&family, enters);
    estimate(&family);
    /* Its leaves waited no longer than a hop, so it is unknown which rank was late by
       how much. */
    assert_true(family.ready[1] >= 1000);
    assert_true(family.ready[3] >= 2000);
    assert_int_equal(family.ready[2], 0);
    assert_int_equal(family.ready[5], 0);

    for (int rank = 1; rank < RANKS; rank++) /* once they are known, they stay so */
        family.ready[rank] = enters[rank];
    estimate(&family);
    assert_ready(&family, enters);
    tree_free(&family.tree);
}

/* Any inner ranks are late, with children that came early, which were known to. */
static void inner_ranks_are_found_however_late_they_come(void **state)
{
    (void)state;
    struct mpi_symbols family;
    const int size = MOST_RANKS - 1;
    family_init(&family, size);
    srand48(1);
    for (int round = 0; round < 200; round++) {
        int64_t enters[MOST_RANKS] = {0};
        bool late[MOST_RANKS] = {false};
        for (int rank = 1; rank < size; rank++) {
            const bool inner = family.tree.first[rank] >= 0;
            late[rank] = inner && !late[family.tree.parent[rank]] && drand48() < 0.5;
            const int64_t time = (int64_t)(1e5 * drand48());
            enters[rank] = late[rank] ? time : -5 * HOP - time;
            family.ready[rank] = late[rank] ? 0 : enters[rank];
        }
        broadcast(&family, enters);
        estimate(&family);
        for (int rank = 0; rank < size; rank++) /* a hop late counts as in time */
            assert_in_range(family.ready[rank] - enters[rank] + HOP, 0, 2 * HOP);
    }
    tree_free(&family.tree);
}

static int seen[200], count;

static void note(struct registered *entry)
{
    seen[count++] = entry->number;
}

static void assert_order(const int *numbers, int n)
{
    count = 0;
    registry_each(note);
    assert_int_equal(count, n);
    for (int i = 0; i < n; i++)
        assert_int_equal(seen[i], numbers[i]);
}

/* By the world rank of the communicator's rank 0, then by that rank's own count: an
   order that all ranks come to, in whatever order they add. */
static void test_entries_are_in_an_order_that_all_ranks_share(void **state)
{
    (void)state;
    struct registered entries[] = {
        {1, 20, NULL}, {0, 9, NULL}, {1, 10, NULL}, {0, 4, NULL}};
    assert_null(registry_first());
    for (int i = 0; i < 4; i++)
        registry_add(&entries[i]);
    assert_order((const int[]){4, 9, 10, 20}, 4);
    assert_ptr_equal(registry_first(), &entries[3]);
    registry_remove(&entries[2]);
    registry_remove(&entries[2]); /* is not there any more */
    assert_order((const int[]){4, 9, 20}, 3);
    for (int i = 0; i < 4; i++)
        registry_remove(&entries[i]);
    assert_null(registry_first());
}

static void test_numbers_are_given_once(void **state)
{
    (void)state;
    const int first = registry_number();
    assert_int_equal(registry_number(), first + 1);
}

static void test_there_is_room_for_128(void **state)
{
    (void)state;
    static struct registered entries[128];
    for (int i = 0; i < 128; i++) {
        assert_true(registry_has_room());
        registry_add(&entries[i]);
    }
    assert_false(registry_has_room());
    registry_remove(&entries[64]);
    assert_true(registry_has_room());
    while (registry_first())
        registry_remove(registry_first());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_is_late_when_all_wait_for_the_messages),
        cmocka_unit_test(a_late_inner_rank_is_seen_by_its_children),
        cmocka_unit_test(a_late_leaf_stays_where_it_was_thought_to_be),
        cmocka_unit_test(a_rank_that_waits_long_came_before_the_root),
        cmocka_unit_test(the_last_estimate_stands_for_ranks_that_told_nothing),
        cmocka_unit_test(an_inner_rank_that_told_nothing_is_known_by_its_children),
        cmocka_unit_test(
            a_subtree_that_is_late_as_a_whole_is_late_at_least_as_its_messages),
        cmocka_unit_test(inner_ranks_are_found_however_late_they_come),
        cmocka_unit_test(test_entries_are_in_an_order_that_all_ranks_share),
        cmocka_unit_test(test_numbers_are_given_once),
        cmocka_unit_test(test_there_is_room_for_128),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
