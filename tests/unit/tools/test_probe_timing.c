/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/test.h"

#include "tools/probe/timing.h"

static void sizes_are_powers_of_two_and_what_is_between(void **state)
{
    (void)state;
    static const int expected[] = {1, 2, 3, 4, 6, 8, 12, 16, 24};
    int sizes[TIMING_MOST_SIZES];
    assert_int_equal(timing_sizes(sizes, 31), 9);
    assert_memory_equal(sizes, expected, sizeof expected);
    assert_int_equal(timing_sizes(sizes, 24), 9);
    assert_int_equal(timing_sizes(sizes, 23), 8);
    assert_int_equal(timing_sizes(sizes, 1), 1);
}

static void the_largest_messages_have_room(void **state)
{
    (void)state;
    int sizes[TIMING_MOST_SIZES];
    const int count = timing_sizes(sizes, 1 << 30);
    assert_in_range(count, 1, TIMING_MOST_SIZES);
    assert_int_equal(sizes[count - 1], 1 << 30);
}

static void all_sweeps_have_room(void **state)
{
    (void)state;
    static struct samples samples;
    assert_false(timing_enough(0, 0));
    assert_true(timing_enough(1, 60));
    assert_false(timing_enough(1, 1e-6));
    for (int sweep = 0; sweep < TIMING_SWEEPS; sweep++)
        for (int repeats = 0; !timing_enough(repeats, 1e-6 * repeats); repeats++)
            samples_add(&samples, 1e-6);
    assert_int_equal(samples.repeats, TIMING_MOST_REPEATS);
}

static void the_least_and_the_middle_are_found(void **state)
{
    (void)state;
    double even[] = {4, 8, 2, 6}, one[] = {3};
    struct samples samples = {.repeats = 0};
    samples_add(&samples, 5);
    samples_add(&samples, 1);
    samples_add(&samples, 9);
    const struct timing timing = samples_timing(&samples, 7);
    assert_int_equal(timing.bytes, 7);
    assert_close(timing.least, 1, 0);
    assert_close(timing.median, 5, 0);
    assert_close(median_of(even, 4), 5, 0);
    assert_close(median_of(one, 1), 3, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_powers_of_two_and_what_is_between),
        cmocka_unit_test(the_largest_messages_have_room),
        cmocka_unit_test(all_sweeps_have_room),
        cmocka_unit_test(the_least_and_the_middle_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
