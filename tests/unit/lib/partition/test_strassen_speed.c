/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/partition/internal.h"
#include "tests/unit/test.h"

static const struct mt_strassen_speed xeon = {
    .flops = 3e9, .half = 40, .bandwidth = 1.5e9};

static struct mt_strassen_sample run(const struct mt_strassen_speed *speed, double size,
                                     int levels)
{
    return (struct mt_strassen_sample){
        size, mt_strassen_seconds(speed, size, size, size, levels, false), levels};
}

static void test_a_speed_is_found_again(void **state)
{
    (void)state;
    const struct mt_strassen_sample samples[] = {
        run(&xeon, 500, 0),  run(&xeon, 1000, 0), run(&xeon, 2000, 0),
        run(&xeon, 2000, 1), run(&xeon, 4000, 2),
    };
    struct mt_strassen_speed speed;
    assert_int_equal(mt_strassen_speed_fit(&speed, samples, 5, NULL), MT_OK);
    assert_close(speed.flops, xeon.flops, 1e-9);
    assert_close(speed.half, xeon.half, 1e-9);
    assert_close(speed.bandwidth, xeon.bandwidth, 1e-9);

    /* what the runs do not tell is left out */
    assert_int_equal(mt_strassen_speed_fit(&speed, samples, 3, NULL), MT_OK);
    assert_close(speed.half, xeon.half, 1e-9);
    assert_true(isinf(speed.bandwidth));
    assert_int_equal(mt_strassen_speed_fit(&speed, samples + 2, 1, NULL), MT_OK);
    assert_true(speed.half == 0);
    assert_close(mt_strassen_seconds(&speed, 2000, 2000, 2000, 0, false),
                 samples[2].seconds, 1e-12);
}

/* Where small products are the faster ones, as caches make them, no size has half. */
static void test_no_part_is_negative(void **state)
{
    (void)state;
    const struct mt_strassen_sample samples[] = {
        {500, 0.08, 0}, {1000, 0.7, 0}, {2000, 6, 0}, {2000, 4, 1}};
    struct mt_strassen_speed speed;
    assert_int_equal(mt_strassen_speed_fit(&speed, samples, 4, NULL), MT_OK);
    assert_true(speed.flops > 0 && isfinite(speed.flops));
    assert_true(speed.half == 0);
    assert_true(speed.bandwidth > 0);
}

/* Nothing but what goes with the square of the size. */
static void test_a_speed_is_finite(void **state)
{
    (void)state;
    const struct mt_strassen_sample samples[] = {
        {100, 0.1, 0}, {200, 0.3, 0}, {400, 0.9, 0}, {800, 2.7, 0}};
    struct mt_strassen_speed speed;
    assert_int_equal(mt_strassen_speed_fit(&speed, samples, 4, NULL), MT_OK);
    assert_true(speed.flops > 0 && isfinite(speed.flops));
    assert_true(speed.half == 0);
}

static void test_poor_runs_are_refused(void **state)
{
    (void)state;
    struct mt_strassen_sample sample = run(&xeon, 1000, 1);
    struct mt_strassen_speed speed = xeon;
    struct mt_error err;
    assert_int_equal(mt_strassen_speed_fit(&speed, &sample, 1, &err), MT_ERANK);
    assert_contains(err.text, "no run is without levels");
    assert_int_equal(mt_strassen_speed_fit(&speed, NULL, 0, &err), MT_ERANK);
    const double wrong[] = {0, -1, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 4; i++) {
        sample = (struct mt_strassen_sample){1000, wrong[i], 0};
        assert_int_equal(mt_strassen_speed_fit(&speed, &sample, 1, &err), MT_EINVAL);
        assert_contains(err.text, "cannot have been measured");
        sample = (struct mt_strassen_sample){wrong[i], 1, 0};
        assert_int_equal(mt_strassen_speed_fit(&speed, &sample, 1, &err), MT_EINVAL);
    }
    assert_true(speed.flops == xeon.flops);
}

/* Levels pay from a size on; and more of them later. */
static void test_levels_grow_with_the_size(void **state)
{
    (void)state;
    int levels = 0;
    for (int size = 0; size <= 16000; size += 250) {
        const int best = mt_strassen_best_levels(&xeon, size, size, size,
                                                 MT_STRASSEN_MAX_LEVELS, true);
        assert_true(best >= levels && best <= levels + 1);
        const double least = mt_strassen_seconds(&xeon, size, size, size, best, true);
        for (int other = 0; other <= MT_STRASSEN_MAX_LEVELS; other++)
            assert_true(mt_strassen_seconds(&xeon, size, size, size, other, true) >=
                        least);
        levels = best;
    }
    assert_true(levels >= 2);
    assert_int_equal(mt_strassen_best_levels(&xeon, 16000, 16000, 16000, 1, true), 1);
    assert_true(mt_strassen_seconds(&xeon, 1000, 0, 1000, 1, true) == 0);

    /* sums that cost nothing: as deep as it may be */
    const struct mt_strassen_speed ideal = {.flops = 1, .bandwidth = (double)INFINITY};
    assert_int_equal(mt_strassen_best_levels(&ideal, 9, 9, 9, 8, false), 8);
    assert_close(mt_strassen_seconds(&ideal, 8, 8, 8, 3, true), 2.0 * 343, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_speed_is_found_again),
        cmocka_unit_test(test_no_part_is_negative),
        cmocka_unit_test(test_a_speed_is_finite),
        cmocka_unit_test(test_poor_runs_are_refused),
        cmocka_unit_test(test_levels_grow_with_the_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
