/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/patient/patience.h"

#include "tests/unit/test.h"

enum { US = 1000, MS = 1000 * US, LOOK = 200 };

/* A thread that polls: each look takes LOOK ns, if it is not kept from running. */
static struct patience patience;
static int64_t now;
static struct thread_use use;
static bool quota;

static struct thread_use get_use(void)
{
    return use;
}

static bool has_quota(void)
{
    return quota;
}

static struct patience_system system_of(bool always)
{
    return (struct patience_system){get_use, has_quota, always};
}

static void restart(bool with_quota)
{
    patience = (struct patience){.began = 0};
    now = 1000 * (int64_t)MS;
    use = (struct thread_use){.processor = 0};
    quota = with_quota;
}

static void run_for(int64_t time)
{
    now += time;
    use.processor += time;
}

static int64_t look(bool always)
{
    const struct patience_system system = system_of(always);
    run_for(LOOK);
    return patience_length(&patience, now, &system);
}

static void yield_for(int64_t time)
{
    const struct patience_system system = system_of(false);
    now += time;
    patience_yielded(&patience, now, &system);
}

/* Polls for that time, and yields to no one; returns the longest sleep that was asked
   for. */
static int64_t poll_for(int64_t time, bool always)
{
    int64_t longest = PATIENCE_LOOK;
    for (const int64_t end = now + time; now < end;) {
        const int64_t length = look(always);
        longest = length > longest ? length : longest;
        if (length == PATIENCE_YIELD)
            yield_for(LOOK);
    }
    return longest;
}

/* Others take the core for `away` each time that the thread yields, or, if it does not,
   after 3 ms; the longest sleep that was asked for. */
static int64_t poll_among_others(int64_t away, int64_t time)
{
    int64_t longest = PATIENCE_LOOK;
    for (const int64_t end = now + time; now < end;) {
        const int64_t length = look(false);
        longest = length > longest ? length : longest;
        if (length == PATIENCE_YIELD) {
            yield_for(away);
        } else if (length == PATIENCE_LOOK) {
            poll_for(3 * MS, false);
            now += away;
        } else {
            now += length;
            patience_slept(&patience, now);
        }
    }
    return longest;
}

/* A message that is there already is not slept over. */
static void test_what_comes_soon_is_not_delayed(void **state)
{
    (void)state;
    restart(false);
    assert_int_equal(poll_for(5 * US - 1, true), PATIENCE_LOOK);
    assert_int_equal(look(true), 30 * US);
}

static void test_a_sleep_is_an_eighth_of_the_wait_and_not_long(void **state)
{
    (void)state;
    restart(false);
    poll_for(400 * US, true);
    assert_in_range(look(true), 49 * US, 51 * US);
    poll_for(1600 * US, true);
    assert_in_range(look(true), 249 * US, 251 * US);
    poll_for(6400 * (int64_t)US, true);
    assert_int_equal(look(true), 1 * MS);
}

/* A sleep is part of the wait, and does not count as time that a busy thread lacked a
   core. */
static void test_after_a_sleep_the_wait_goes_on(void **state)
{
    (void)state;
    restart(false);
    poll_for(100 * US, true);
    now += 300 * US;
    patience_slept(&patience, now);
    assert_in_range(look(true), 49 * US, 51 * US);
}

/* Later it would give up a core that it has to itself for nothing. */
static void test_a_thread_yields_until_it_knows_its_core(void **state)
{
    (void)state;
    restart(false);
    assert_int_equal(look(false), PATIENCE_YIELD);
    poll_for(20 * MS, false);
    assert_int_equal(look(false), PATIENCE_LOOK);
}

static void test_what_is_found_ends_the_wait(void **state)
{
    (void)state;
    restart(false);
    poll_for(100 * US, true);
    patience_end(&patience);
    assert_int_equal(look(true), PATIENCE_LOOK);
}

/* As MPI_Test between two pieces of work. */
static void test_a_thread_that_works_between_its_looks_never_sleeps(void **state)
{
    (void)state;
    restart(true);
    for (int i = 0; i < 10000; i++) {
        run_for(2 * US);
        assert_true(look(true) <= 0);
    }
}

static void test_on_a_core_of_its_own_a_thread_only_looks(void **state)
{
    (void)state;
    restart(true);
    poll_for(20 * MS, false);
    assert_int_equal(poll_for(1000 * (int64_t)MS, false), PATIENCE_LOOK);
}

/* Programs that run now and then on every node are not a reason to be patient. */
static void test_short_disturbances_do_not_count(void **state)
{
    (void)state;
    restart(true);
    poll_for(20 * MS, false);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(poll_for(10 * MS, false), PATIENCE_LOOK);
        now += MS / 2;
    }
}

/* A sleep would delay each message, both of ranks that yield and of those that work. */
static void test_among_other_ranks_a_thread_yields_and_never_sleeps(void **state)
{
    (void)state;
    const int64_t aways[] = {3 * US, 30 * US, 3 * MS};
    for (int with_quota = 0; with_quota < 2; with_quota++)
        for (int i = 0; i < 3 - with_quota; i++) { /* a quota takes the core for ms */
            restart(with_quota);
            assert_int_equal(poll_among_others(aways[i], 2000 * (int64_t)MS),
                             PATIENCE_YIELD);
            assert_int_equal(look(false), PATIENCE_YIELD);
        }
}

static void test_a_thread_that_others_join_yields_soon(void **state)
{
    (void)state;
    restart(false);
    poll_for(20 * MS, false);
    assert_int_equal(look(false), PATIENCE_LOOK);
    poll_among_others(3 * MS, 20 * MS);
    assert_int_equal(look(false), PATIENCE_YIELD);
}

/* The others may have gone by now. */
static void test_a_thread_that_others_leave_looks_soon(void **state)
{
    (void)state;
    restart(false);
    poll_among_others(3 * MS, 100 * MS);
    poll_for(20 * MS, false);
    assert_int_equal(look(false), PATIENCE_LOOK);
}

/* A control group uses up its time, whether the thread yields or not. */
static void test_a_thread_whose_quota_is_used_up_sleeps_in_long_waits(void **state)
{
    (void)state;
    restart(true);
    poll_for(30 * MS, false);
    now += 70 * MS;
    poll_for(MS, false);
    assert_true(poll_for(MS, false) > 0);
    patience_end(&patience);
    assert_int_equal(poll_for(90 * US, false), PATIENCE_YIELD);
    assert_true(poll_for(20 * US, false) > 0);

    restart(true);
    assert_true(poll_among_others(5 * MS, 100 * MS) > 0);
}

/* The program read a file, say, between two waits. */
static void test_a_thread_that_sleeps_by_itself_lost_nothing(void **state)
{
    (void)state;
    restart(true);
    poll_for(20 * MS, false);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(poll_for(3 * MS, false), PATIENCE_LOOK);
        now += 3 * MS;
        use.waits++;
    }
}

/* Each look at a quota that stays used up costs time, so they become rare. */
static void test_the_longer_a_quota_is_used_up_the_longer_a_thread_sleeps(void **state)
{
    (void)state;
    restart(true);
    int64_t last = 0;
    for (int i = 0; i < 10; i++) {
        poll_among_others(50 * MS, 150 * MS);
        const int64_t hold = patience.sleeps_until - now;
        assert_true(hold > last || hold > 60000 * (int64_t)MS);
        assert_true(hold < 65000 * (int64_t)MS);
        last = hold;
        now = patience.sleeps_until + 1;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_comes_soon_is_not_delayed),
        cmocka_unit_test(test_a_sleep_is_an_eighth_of_the_wait_and_not_long),
        cmocka_unit_test(test_after_a_sleep_the_wait_goes_on),
        cmocka_unit_test(test_a_thread_yields_until_it_knows_its_core),
        cmocka_unit_test(test_what_is_found_ends_the_wait),
        cmocka_unit_test(test_a_thread_that_works_between_its_looks_never_sleeps),
        cmocka_unit_test(test_on_a_core_of_its_own_a_thread_only_looks),
        cmocka_unit_test(test_short_disturbances_do_not_count),
        cmocka_unit_test(test_among_other_ranks_a_thread_yields_and_never_sleeps),
        cmocka_unit_test(test_a_thread_that_others_join_yields_soon),
        cmocka_unit_test(test_a_thread_that_others_leave_looks_soon),
        cmocka_unit_test(test_a_thread_whose_quota_is_used_up_sleeps_in_long_waits),
        cmocka_unit_test(test_a_thread_that_sleeps_by_itself_lost_nothing),
        cmocka_unit_test(test_the_longer_a_quota_is_used_up_the_longer_a_thread_sleeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
