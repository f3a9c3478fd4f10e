/* SPDX-License-Identifier: BSD-3-Clause */
/* The report on all calls: which rank was late in a call, and which calls are
   sampled. */
#include "preload/waits/arrivals.h"

#include "tests/unit/test.h"

enum { MS = 1000000 };

/* Ranks with these times, judged, and in the order of their ranks again. */
static void judge(struct arrival *arrivals, enum role role, const int64_t *times, int n)
{
    struct arrival mixed[8];
    assert_in_range(n, 1, 8);
    for (int i = 0; i < n; i++)
        mixed[i] =
            (struct arrival){.rank = i, .role = role, .time = times[i], .before = -1};
    if (role == ROLE_LEAF)
        mixed[0].role = ROLE_ROOT;
    arrivals_judge(mixed, n);
    for (int i = 0; i < n; i++)
        arrivals[mixed[i].rank] = mixed[i];
}

static void assert_arrival(const struct arrival *arrival, int64_t waited, int64_t late,
                           int64_t cost)
{
    assert_int_equal(arrival->waited, waited);
    assert_int_equal(arrival->late, late);
    assert_int_equal(arrival->cost, cost);
}

static void test_one_rank_is_late(void **state)
{
    (void)state;
    const int64_t times[] = {21 * MS, 21 * MS, 1 * MS, 21 * MS};
    struct arrival arrivals[4];
    judge(arrivals, ROLE_ALL, times, 4);
    assert_arrival(&arrivals[0], 20 * MS, 0, 0);
    assert_arrival(&arrivals[2], 0, 20 * MS, 60 * MS);
}

/* Rank 1 comes 2 ms late and rank 2 comes 20: the others wait 2 ms for both, then all
   wait for rank 2. */
static void test_two_ranks_are_late(void **state)
{
    (void)state;
    const int64_t times[] = {20 * MS, 18 * MS, 0, 20 * MS, 20 * MS};
    struct arrival arrivals[5];
    judge(arrivals, ROLE_ALL, times, 5);
    assert_arrival(&arrivals[1], 18 * MS, 2 * MS, 3 * MS);
    assert_arrival(&arrivals[2], 0, 20 * MS, 3 * MS + 4 * 18 * MS);
}

/* A rank is not late by the time of the call itself, or because another is early. */
static void test_nobody_is_late(void **state)
{
    (void)state;
    const int64_t times[] = {5 * MS, 4 * MS, 3 * MS, 3 * MS};
    const int64_t early[] = {9 * MS, 1 * MS, 0, 0};
    struct arrival arrivals[4];
    judge(arrivals, ROLE_ALL, times, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(arrivals[i].late, 0);
    judge(arrivals, ROLE_ALL, early, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(arrivals[i].late, 0);
}

static void test_all_waiting_is_charged(void **state)
{
    (void)state;
    const int64_t times[] = {9 * MS, 7 * MS, 4 * MS, 2 * MS, 1 * MS};
    struct arrival arrivals[5];
    int64_t waited = 0, cost = 0;
    judge(arrivals, ROLE_ALL, times, 5);
    for (int i = 0; i < 5; i++) {
        waited += arrivals[i].waited;
        cost += arrivals[i].cost;
    }
    assert_close(cost, waited, 5);
}

static void test_a_late_root(void **state)
{
    (void)state;
    const int64_t times[] = {1 * MS, 21 * MS, 21 * MS, 5 * MS};
    struct arrival arrivals[4];
    judge(arrivals, ROLE_LEAF, times, 4);
    assert_arrival(&arrivals[0], 0, 20 * MS, 44 * MS);
    assert_arrival(&arrivals[3], 4 * MS, 0, 0);
}

/* Two of four wait for another rank than the root, but it is unknown for which. */
static void test_a_root_in_time(void **state)
{
    (void)state;
    const int64_t times[] = {1 * MS, 1 * MS, 1 * MS, 21 * MS};
    struct arrival arrivals[4];
    judge(arrivals, ROLE_LEAF, times, 4);
    assert_arrival(&arrivals[0], 0, 0, 0);
    assert_arrival(&arrivals[3], 20 * MS, 0, 0);
}

/* It is not known when they came. */
static void test_some_wait_for_some(void **state)
{
    (void)state;
    const int64_t times[] = {21 * MS, 1 * MS, 21 * MS, 21 * MS};
    struct arrival arrivals[4];
    judge(arrivals, ROLE_SOME, times, 4);
    assert_arrival(&arrivals[0], 20 * MS, 0, 0);
    assert_arrival(&arrivals[1], 0, 0, 0);
}

/* Rank 2 came 4 ms after the others had, and the root, rank 0, and another waited. */
static void test_some_wait_for_a_late_rank(void **state)
{
    (void)state;
    struct arrival arrivals[4] = {
        {.rank = 0, .role = ROLE_SOME, .time = 4 * MS, .before = 1 * MS},
        {.rank = 1, .role = ROLE_SOME, .time = 0, .before = 1 * MS},
        {.rank = 2, .role = ROLE_SOME, .time = 0, .before = 5 * MS},
        {.rank = 3, .role = ROLE_SOME, .time = 9 * MS, .before = 1 * MS},
    };
    arrivals_judge(arrivals, 4);
    assert_int_equal(arrivals[3].rank, 2);
    assert_arrival(&arrivals[3], 0, 4 * MS, 4 * MS + 4 * MS);
    for (int i = 0; i < 3; i++)
        assert_int_equal(arrivals[i].cost, 0);
}

/* No rank waited for it. */
static void test_some_do_not_wait(void **state)
{
    (void)state;
    struct arrival arrivals[3] = {
        {.rank = 0, .role = ROLE_SOME, .before = 9 * MS},
        {.rank = 1, .role = ROLE_SOME, .before = 1 * MS},
        {.rank = 2, .role = ROLE_SOME, .before = 1 * MS},
    };
    arrivals_judge(arrivals, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(arrivals[i].late, 0);
}

/* With these times since its last call rank 1 comes 20 ms late; which part of the cost
   is due to its working alone? */
static int64_t alone(int64_t others, int64_t late)
{
    struct arrival arrivals[4];
    for (int i = 0; i < 4; i++)
        arrivals[i] = (struct arrival){.rank = i,
                                       .role = ROLE_ALL,
                                       .time = i == 1 ? 0 : 20 * MS,
                                       .before = i == 1 ? late : others};
    arrivals_judge(arrivals, 4);
    int64_t sum = 0;
    for (int i = 0; i < 4; i++) {
        assert_true(arrivals[i].rank == 1 || arrivals[i].alone == 0);
        sum += arrivals[i].alone;
    }
    return sum;
}

static void test_a_rank_works_alone(void **state)
{
    (void)state;
    assert_int_equal(alone(0, 20 * MS), 60 * MS);
    assert_int_equal(alone(6 * MS, 26 * MS), 60 * MS);
    assert_int_equal(alone(50 * MS, 70 * MS), 0); /* a slow one */
    assert_int_equal(alone(0, 5 * MS), 0);        /* it was late before */
}

/* One rank makes all calls, another every third: in slots where both have a sample, the
   least key of both is the same call. */
static void test_ranks_keep_the_same_calls(void **state)
{
    (void)state;
    struct sample *all = samples_new(), *some = samples_new();
    assert_non_null(all);
    assert_non_null(some);
    uint64_t key = 1;
    for (int call = 0; call < 100000; call++) {
        key = key * 6364136223846793005 + 1442695040888963407;
        const struct sample sample = {.key = key >> 1, .time = call};
        samples_put(all, &sample);
        if (call % 3 == 0)
            samples_put(some, &sample);
    }
    int same = 0;
    for (int i = 0; i < SAMPLES; i++) {
        const uint64_t least = all[i].key;
        assert_true(least <= some[i].key);
        if (all[i].time % 3 == 0) {
            assert_true(some[i].key == least);
            assert_int_equal(some[i].time, all[i].time);
            same++;
        }
    }
    assert_in_range(same, SAMPLES / 4, SAMPLES / 2);
    free(all);
    free(some);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_rank_is_late),
        cmocka_unit_test(test_two_ranks_are_late),
        cmocka_unit_test(test_nobody_is_late),
        cmocka_unit_test(test_all_waiting_is_charged),
        cmocka_unit_test(test_a_late_root),
        cmocka_unit_test(test_a_root_in_time),
        cmocka_unit_test(test_some_wait_for_some),
        cmocka_unit_test(test_some_wait_for_a_late_rank),
        cmocka_unit_test(test_some_do_not_wait),
        cmocka_unit_test(test_a_rank_works_alone),
        cmocka_unit_test(test_ranks_keep_the_same_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
