/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/stats/random.h"
#include "lib/stats/stats.h"
#include "tests/unit/test.h"

#include <math.h>

static void of_odd_and_even_numbers_of_values(void **state)
{
    (void)state;
    double odd[] = {3, 1, 2}, even[] = {9, 1, 4, 2}, one[] = {7};
    assert_close(mt_median(odd, 3), 2, 0);
    assert_close(mt_median(even, 4), 3, 0);
    assert_close(mt_median(one, 1), 7, 0);
}

static void of_no_values_is_unknown(void **state)
{
    (void)state;
    double none[1] = {0};
    assert_true(isnan(mt_median(none, 0)));
}

static void infinity_is_a_value(void **state)
{
    (void)state;
    double late[] = {INFINITY, 1, INFINITY}, rarely[] = {INFINITY, 1, 2};
    assert_true(isinf(mt_median(late, 3)));
    assert_close(mt_median(rarely, 3), 2, 0);
}

static void leaves_the_values_sorted(void **state)
{
    (void)state;
    double values[] = {5, -1, 3};
    mt_median(values, 3);
    assert_close(values[0], -1, 0);
    assert_close(values[2], 5, 0);
}

/* Abramowitz and Stegun, tables 26.1 and 26.10. */
static void normal_and_student_probabilities(void **state)
{
    (void)state;
    assert_close(mt_normal_probability(0), 0.5, 0);
    assert_close(mt_normal_probability(1), 0.841344746, 1e-9);
    assert_close(mt_normal_probability(-1), 0.158655254, 1e-8);
    assert_close(mt_student_probability(6.314, 1), 0.95, 1e-5);
    assert_close(mt_student_probability(-2.920, 2), 0.05, 1e-4);
    assert_close(mt_student_probability(2.353, 3), 0.95, 1e-4);
    assert_close(mt_student_probability(1.812, 10), 0.95, 1e-4);
}

static void quantiles_invert_students_probabilities(void **state)
{
    (void)state;
    const double known[] = {6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895};
    for (int freedom = 1; freedom <= 7; freedom++) {
        assert_close(mt_student_quantile(0.95, freedom), known[freedom - 1], 3e-4);
        assert_close(mt_student_probability(mt_student_quantile(0.7, freedom), freedom),
                     0.7, 1e-8);
    }
    assert_close(mt_student_quantile(0.95, 100000), 1.6449, 1e-4);
    assert_close(mt_student_quantile(0.5, 4), 0, 0);
}

/* The first outputs of the reference implementation for the seed 1234567. */
static void random_numbers_are_splitmix64(void **state)
{
    (void)state;
    const uint64_t known[] = {UINT64_C(6457827717110365317),
                              UINT64_C(3203168211198807973),
                              UINT64_C(9817491932198370423)};
    uint64_t seed = 1234567, zero = 0;
    assert_true(mt_random_hash(seed) == known[0]);
    for (int i = 0; i < 3; i++)
        assert_true(mt_random_next(&seed) == known[i]);
    assert_true(mt_random_at(1) == mt_random_next(&zero));
    assert_close(mt_random_uniform(0), 0, 0);
    assert_true(mt_random_uniform(UINT64_MAX) < 1);
    assert_true(mt_random_open(0) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_odd_and_even_numbers_of_values),
        cmocka_unit_test(of_no_values_is_unknown),
        cmocka_unit_test(infinity_is_a_value),
        cmocka_unit_test(leaves_the_values_sorted),
        cmocka_unit_test(normal_and_student_probabilities),
        cmocka_unit_test(quantiles_invert_students_probabilities),
        cmocka_unit_test(random_numbers_are_splitmix64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
