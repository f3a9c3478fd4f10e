/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/math/median.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_odd_and_even_numbers_of_values),
        cmocka_unit_test(of_no_values_is_unknown),
        cmocka_unit_test(infinity_is_a_value),
        cmocka_unit_test(leaves_the_values_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
