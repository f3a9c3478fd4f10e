/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/model/internal.h"
#include "tests/unit/test.h"

/* Whose logarithm has a deviation of one: Student's own 95 % for ten degrees. */
static const struct mt_prediction plain = {.seconds = 1, .high = 0};

static struct mt_prediction with_deviation(double deviation)
{
    struct mt_prediction prediction = plain;
    prediction.seconds = 20;
    prediction.high = 20 * exp(1.812461 * deviation);
    prediction.low = 20 / exp(1.812461 * deviation);
    return prediction;
}

/* From a table of the distribution. */
static void has_students_quantiles(void **state)
{
    (void)state;
    static const struct {
        double chance, deviations;
    } cases[] = {{0.5, 0},         {0.75, 0.699812}, {0.9, 1.372184},
                 {0.95, 1.812461}, {0.99, 2.763769}, {0.999, 4.143700}};
    const struct mt_prediction prediction = with_deviation(0.1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double seconds = 20 * exp(0.1 * cases[i].deviations);
        assert_close(mt_prediction_seconds_at(&prediction, cases[i].chance), seconds,
                     1e-6);
        assert_close(mt_prediction_chance(&prediction, seconds), cases[i].chance, 1e-5);
    }
    assert_close(mt_prediction_chance(&prediction, 20 * exp(-0.1372184)), 0.1, 1e-5);
    assert_close(mt_prediction_seconds_at(&prediction, 0), 20, 0);
}

static void without_an_interval_nothing_is_known(void **state)
{
    (void)state;
    const struct mt_prediction prediction = {.seconds = 20, .low = 0, .high = INFINITY};
    assert_close(mt_prediction_seconds_at(&prediction, 0.9), 20, 0);
    assert_true(isnan(mt_prediction_chance(&prediction, 30)));
}

static void an_interval_of_no_width_is_certain(void **state)
{
    (void)state;
    const struct mt_prediction prediction = with_deviation(0);
    assert_close(mt_prediction_seconds_at(&prediction, 0.99), 20, 0);
    assert_true(mt_prediction_chance(&prediction, 20) == 1);
    assert_true(mt_prediction_chance(&prediction, 19.9) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_students_quantiles),
        cmocka_unit_test(without_an_interval_nothing_is_known),
        cmocka_unit_test(an_interval_of_no_width_is_certain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
