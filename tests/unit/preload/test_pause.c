/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/wait/pause.h"

#include "tests/unit/test.h"

enum { US = 1000 };

/* Most messages that are on their way come within 50 us: no sleep delays them. */
static void test_first_it_looks_without_a_pause(void **state)
{
    (void)state;
    assert_int_equal(pause_length(0), 0);
    assert_int_equal(pause_length(50 * US - 1), 0);
    assert_int_equal(pause_length(50 * US), 10 * US);
}

static void test_then_it_sleeps_for_an_eighth_of_the_wait(void **state)
{
    (void)state;
    assert_int_equal(pause_length(80 * US), 10 * US);
    assert_int_equal(pause_length(400 * US), 50 * US);
    assert_int_equal(pause_length(2000 * US), 250 * US);
}

/* A message that comes late is noticed 300 us later, at most. */
static void test_no_sleep_is_longer_than_300_us(void **state)
{
    (void)state;
    assert_int_equal(pause_length(2400 * US), 300 * US);
    assert_int_equal(pause_length(2500 * US), 300 * US);
    assert_int_equal(pause_length((int64_t)3600 * 1000 * 1000 * US), 300 * US);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_it_looks_without_a_pause),
        cmocka_unit_test(test_then_it_sleeps_for_an_eighth_of_the_wait),
        cmocka_unit_test(test_no_sleep_is_longer_than_300_us),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
