/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/test.h"

#include "tools/probe/probe.h"

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

/* The times of `seconds` at all sizes, and then at those in between. Returns their
   number. */
static int time_all(struct timing *timings, double (*seconds)(int bytes))
{
    int sizes[TIMING_MOST_SIZES], bytes;
    int count = timing_sizes(sizes, 1 << 20);
    for (int i = 0; i < count; i++)
        timings[i] = (struct timing){.bytes = sizes[i], .least = seconds(sizes[i])};
    while ((bytes = timing_between(timings, count)) > 0) {
        const struct timing timing = {bytes, .least = seconds(bytes), .between = true};
        assert_true(count < TIMING_MOST_SIZES);
        timing_insert(timings, count++, &timing);
    }
    return count;
}

static double straight(int bytes)
{
    return 1e-5 + bytes * 1e-9;
}

/* A rendezvous from 5000 bytes on, and packets from 300 on that are faster. */
static double jumping(int bytes)
{
    return 1e-5 + bytes * 1e-8 + (bytes > 5000 ? 3e-5 : 0) - (bytes > 300 ? 3e-6 : 0);
}

static double bending(int bytes)
{
    return 1e-5 + (bytes > 8192 ? bytes - 8192 : 0) * 1e-7;
}

static void jumps_are_found_to_four_percent(void **state)
{
    (void)state;
    static const int at[] = {300, 5000};
    struct timing timings[TIMING_MOST_SIZES];
    const int straight_count = time_all(timings, straight);
    assert_int_equal(straight_count, 40);
    assert_in_range(time_all(timings, bending), straight_count, straight_count + 4);
    const int count = time_all(timings, jumping);
    for (int jump = 0; jump < 2; jump++) {
        int i = 0;
        while (timings[i + 1].bytes <= at[jump])
            i++;
        assert_true(timings[i + 1].bytes <= 1.04 * timings[i].bytes);
    }
    for (int i = 1; i < count; i++)
        assert_true(timings[i].bytes > timings[i - 1].bytes);
}

static void the_least_and_the_middle_are_found(void **state)
{
    (void)state;
    struct samples samples = {.repeats = 0};
    samples_add(&samples, 5);
    samples_add(&samples, 1);
    samples_add(&samples, 9);
    const struct timing timing = samples_timing(&samples, 7);
    assert_int_equal(timing.bytes, 7);
    assert_close(timing.least, 1, 0);
    assert_close(timing.median, 5, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_powers_of_two_and_what_is_between),
        cmocka_unit_test(the_largest_messages_have_room),
        cmocka_unit_test(all_sweeps_have_room),
        cmocka_unit_test(jumps_are_found_to_four_percent),
        cmocka_unit_test(the_least_and_the_middle_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
