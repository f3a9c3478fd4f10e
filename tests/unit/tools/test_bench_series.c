/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/test.h"

#include "tools/bcast-bench/series.h"

static void spread_interpolates(void **state)
{
    (void)state;
    double values[] = {5, 1, 4, 2, 3}, two[] = {8, 4}, one[] = {6};
    struct spread spread = spread_of(values, 5);
    assert_close(spread.median, 3, 1e-15);
    assert_close(spread.p10, 1.4, 1e-15);
    assert_close(spread.p90, 4.6, 1e-15);
    spread = spread_of(two, 2);
    assert_close(spread.median, 6, 1e-15);
    spread = spread_of(one, 1);
    assert_true(spread.median == 6 && spread.p10 == 6 && spread.p90 == 6);
}

static void settling_lets_single_values_pass(void **state)
{
    (void)state;
    const double good[] = {1, 1, 1, 1}, learns[] = {9, 9, 9, 1, 1.09, 1},
                 outlier[] = {9, 9, 1, 1, 9, 1, 1}, back[] = {1, 1, 9, 9, 1},
                 never[] = {1, 1, 1, 9}, better[] = {9, 0.1, 0.2};
    assert_int_equal(settled_after(good, 4, 1), 0);
    assert_int_equal(settled_after(learns, 6, 1), 3);
    assert_int_equal(settled_after(outlier, 7, 1), 2);
    assert_int_equal(settled_after(back, 5, 1), 4);
    assert_int_equal(settled_after(never, 4, 1), 4);
    assert_int_equal(settled_after(better, 3, 1), 1);
}

/* Two repetitions of six calls; the table counts as learned after two of them. */
static void all_calls_and_learned_ones_are_told_apart(void **state)
{
    (void)state;
    static const double in_call[] = {20, 10, 2, 2, 2, 2, 30, 10, 4, 4, 4, 4};
    struct series series;
    assert_int_equal(series_init(&series, 6, 2), 0);
    for (int i = 0; i < 12; i++) {
        series.in_call[i] = in_call[i];
        series.longest[i] = 10 * in_call[i];
        series.overall[i] = 11 * in_call[i];
    }
    struct spread metric[METRICS];
    for (int i = 0; i < METRICS; i++)
        metric[i] = series_spread(&series, (enum metric)i);
    assert_close(metric[METRIC_IN_CALL].median, 4, 1e-15);
    assert_close(metric[METRIC_IN_CALL_LEARNED].median, 3, 1e-15);
    assert_close(metric[METRIC_IN_CALL_LEARNED].p90, 4, 1e-15);
    assert_close(metric[METRIC_IN_CALL_MEAN].median, (38 + 56) / 12.0, 1e-15);
    assert_close(metric[METRIC_LONGEST_LEARNED].median, 30, 1e-15);
    assert_close(metric[METRIC_OVERALL].median, 44, 1e-15);
    assert_close(metric[METRIC_OVERALL_LEARNED].median, 33, 1e-15);
    assert_close(metric[METRIC_ROUNDS].median, 2, 1e-15);
    assert_true(series.in_call[0] == 20); /* the series is left in its order */
    series_clear(&series);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spread_interpolates),
        cmocka_unit_test(settling_lets_single_values_pass),
        cmocka_unit_test(all_calls_and_learned_ones_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
