/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/patient/patience.h"

#include "tests/unit/test.h"

enum { US = 1000, MS = 1000 * US, LOOK = 200 };

/* A thread that polls: each look takes LOOK ns, if it is not kept from running. */
static struct patience patience;
static int64_t now;
static struct thread_use use;

static struct thread_use get_use(void)
{
    return use;
}

static void restart(void)
{
    patience = (struct patience){.began = 0};
    now = 1000 * (int64_t)MS;
    use = (struct thread_use){.processor = 0};
}

static void run_for(int64_t time)
{
    now += time;
    use.processor += time;
}

static int64_t look(bool always)
{
    run_for(LOOK);
    return patience_length(&patience, now, always, get_use);
}

/* Looks for so long, whatever the answer; the longest sleep that was asked for. */
static int64_t poll_for(int64_t time, bool always)
{
    int64_t longest = 0;
    for (const int64_t end = now + time; now < end;) {
        const int64_t length = look(always);
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* A core that two want: each has it for a time slice. */
static int64_t poll_on_a_shared_core(int slices)
{
    int64_t longest = 0;
    for (int i = 0; i < slices; i++) {
        const int64_t length = poll_for(3 * MS, false);
        longest = length > longest ? length : longest;
        now += 3 * MS;
    }
    return longest;
}

/* A message that is there already is not slept over. */
static void test_what_comes_soon_is_not_delayed(void **state)
{
    (void)state;
    restart();
    assert_int_equal(poll_for(5 * US - 1, true), 0);
    assert_int_equal(look(true), 30 * US);
}

static void test_a_sleep_is_an_eighth_of_the_wait_and_not_long(void **state)
{
    (void)state;
    restart();
    poll_for(400 * US, true);
    assert_in_range(look(true), 49 * US, 51 * US);
    poll_for(1600 * US, true);
    assert_in_range(look(true), 249 * US, 251 * US);
    poll_for(6400 * (int64_t)US, true);
    assert_int_equal(look(true), 1 * MS);
}

/* A sleep is part of the wait, and none of what a busy thread is kept from. */
static void test_after_a_sleep_the_wait_goes_on(void **state)
{
    (void)state;
    restart();
    poll_for(100 * US, true);
    now += 300 * US;
    patience_slept(&patience, now);
    assert_in_range(look(true), 49 * US, 51 * US);
}

/* Later, a rank that yields would give up a core that it has to itself for nothing, and
   on a shared one it sleeps. */
static void test_a_thread_yields_until_it_knows_its_core(void **state)
{
    (void)state;
    restart();
    poll_for(MS, false);
    assert_true(patience_yields(&patience));
    poll_for(10 * MS, false);
    assert_false(patience_yields(&patience));
    restart();
    poll_on_a_shared_core(10);
    assert_false(patience_yields(&patience));
}

static void test_what_is_found_ends_the_wait(void **state)
{
    (void)state;
    restart();
    poll_for(100 * US, true);
    patience_end(&patience);
    assert_int_equal(look(true), 0);
}

/* As MPI_Test between two pieces of work. */
static void test_a_thread_that_works_between_its_looks_never_sleeps(void **state)
{
    (void)state;
    restart();
    for (int i = 0; i < 10000; i++) {
        run_for(2 * US);
        assert_int_equal(look(true), 0);
    }
}

static void test_on_a_core_of_its_own_a_thread_never_sleeps(void **state)
{
    (void)state;
    restart();
    assert_int_equal(poll_for(1000 * (int64_t)MS, false), 0);
}

/* What runs now and then on every node is no reason to be patient. */
static void test_short_disturbances_do_not_count(void **state)
{
    (void)state;
    restart();
    for (int i = 0; i < 100; i++) {
        assert_int_equal(poll_for(10 * MS, false), 0);
        now += MS / 2;
    }
}

static void test_on_a_shared_core_a_thread_sleeps_soon(void **state)
{
    (void)state;
    restart();
    poll_on_a_shared_core(2);
    assert_true(poll_for(MS, false) > 0);
}

/* As where a control group has used up its time. */
static void test_a_thread_that_is_throttled_sleeps_soon(void **state)
{
    (void)state;
    restart();
    poll_for(30 * MS, false);
    now += 70 * MS;
    poll_for(MS, false);
    assert_true(poll_for(MS, false) > 0);
}

/* The program read a file, say, between two waits. */
static void test_a_thread_that_sleeps_by_itself_lost_nothing(void **state)
{
    (void)state;
    restart();
    for (int i = 0; i < 20; i++) {
        assert_int_equal(poll_for(3 * MS, false), 0);
        now += 3 * MS;
        use.waits++;
    }
}

/* The core may be free by now. */
static void test_a_core_is_looked_at_again(void **state)
{
    (void)state;
    restart();
    poll_on_a_shared_core(3);
    now += 1001 * (int64_t)MS;
    assert_int_equal(poll_for(20 * MS, false), 0);
}

/* Each look at a core that stays shared costs time, so they become rare. */
static void test_the_longer_a_core_is_shared_the_longer_it_counts_as_shared(
    void **state)
{
    (void)state;
    restart();
    int64_t last = 0;
    for (int i = 0; i < 10; i++) {
        poll_on_a_shared_core(3);
        const int64_t hold = patience.shared_until - now;
        assert_true(hold > last || hold > 60000 * (int64_t)MS);
        assert_true(hold < 65000 * (int64_t)MS);
        last = hold;
        now = patience.shared_until + 1;
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
        cmocka_unit_test(test_on_a_core_of_its_own_a_thread_never_sleeps),
        cmocka_unit_test(test_short_disturbances_do_not_count),
        cmocka_unit_test(test_on_a_shared_core_a_thread_sleeps_soon),
        cmocka_unit_test(test_a_thread_that_is_throttled_sleeps_soon),
        cmocka_unit_test(test_a_thread_that_sleeps_by_itself_lost_nothing),
        cmocka_unit_test(test_a_core_is_looked_at_again),
        cmocka_unit_test(
            test_the_longer_a_core_is_shared_the_longer_it_counts_as_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
