/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for crossings, on a machine that is made up: this file stands in for
   gain.c. */
#include "linalg/tune/crossings.h"
#include "tests/unit/test.h"

#include <math.h>

/* The machine: where it crosses, the longest squares that can be tried. */
static double overwriting, accumulating;
static double longest;
static int sizes, memory;
/* Products that overwrite C are this many times as fast, whatever the crossing, from a
   size on. */
static double odd_size, odd_factor;
/* Pairs are off by so much at most, one way and the other. */
static double noise;

enum { PAIRS = 9 };

int tune_gain(struct tune_gain *gain, const struct tune_square *square,
              const struct tune_ways *ways, const struct tune_effort *effort,
              struct mt_error *err)
{
    const double crossing = square->beta == 0 ? overwriting : accumulating;
    (void)effort;
    assert_int_equal(*ways->now.levels, 0);
    assert_int_equal(*ways->other.levels, 1);
    assert_int_equal(ways->other.tuning->threads, effort->threads);
    assert_int_equal(square->n % 2, 1);
    if (++sizes > memory)
        return mt_fail(err, MT_ENOMEM, "no memory");
    gain->seconds = pow(square->n / longest, 3); /* 1 at most */
    gain->factor = square->n > longest ? 0 : 1 / (1 - (1 - crossing / square->n) / 8);
    if (square->n > odd_size && square->beta == 0)
        gain->factor = odd_factor;
    gain->pairs = square->n > longest ? 0 : PAIRS;
    for (int i = 0; i < gain->pairs; i++)
        gain->ratios[i] = gain->factor * (1 + noise * (2. * i / (PAIRS - 1) - 1));
    return MT_OK;
}

static const struct tune_plan plan = {
    .effort = {.threads = 1, .longest = 1},
    .start = 1000,
    .resolution = 1.1,
    .seconds = 20,
};

static int new_machine(void **state)
{
    (void)state;
    overwriting = 1500;
    accumulating = 1800;
    longest = 6000;
    sizes = 0;
    memory = 1000;
    odd_size = INFINITY;
    noise = 0;
    return 0;
}

static double sum(const struct mt_strassen_cutoff *cutoff)
{
    return cutoff->rows + cutoff->columns + cutoff->depth;
}

/* Found not before it is, and not much later. */
static void assert_found(double found, double true_value, double factor)
{
    assert_true(found >= 0.999 * true_value);
    assert_true(found <= factor * true_value);
}

static void test_known_crossings_are_found(void **state)
{
    (void)state;
    static const double machines[] = {270, 1500, 2100, 4000};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        new_machine(NULL);
        struct mt_strassen_tuning tuning;
        overwriting = machines[i];
        assert_int_equal(tune_crossings(&tuning, &plan, NULL), MT_OK);
        assert_found(sum(&tuning.overwrite), overwriting, 1.1);
        assert_true(sizes < 6);
    }
}

/* Rows, columns and depth are worth the same; adding to C is worth more depth, by the
   seven quarters of 27 that are moved once more. */
static void test_shapes_are_told_by_squares(void **state)
{
    (void)state;
    struct mt_strassen_tuning tuning;
    assert_int_equal(tune_crossings(&tuning, &plan, NULL), MT_OK);
    const double square = sum(&tuning.overwrite);
    assert_true(tuning.overwrite.rows == tuning.overwrite.depth &&
                tuning.overwrite.rows == tuning.overwrite.columns);
    assert_true(tuning.accumulate.rows == tuning.overwrite.rows);
    assert_close(tuning.accumulate.depth - tuning.overwrite.depth, 7 * square / 27,
                 1e-12);
}

/* Where products take too long, no crossing is guessed from those before. */
static void test_nothing_is_taken_for_known_beyond_what_was_tried(void **state)
{
    (void)state;
    struct mt_strassen_tuning tuning;
    overwriting = 6000;
    longest = 4000;
    assert_int_equal(tune_crossings(&tuning, &plan, NULL), MT_OK);
    assert_true(isinf(sum(&tuning.overwrite)) && isinf(sum(&tuning.accumulate)));
}

/* A search goes on although products there take most of the time allowed. */
static void test_a_crossing_near_the_longest_is_found(void **state)
{
    (void)state;
    struct tune_plan short_plan = plan;
    short_plan.effort.pairs = PAIRS;
    short_plan.seconds = 5; /* less than one of the longest takes */
    for (double square = 1500; square <= 2600; square += 100) {
        struct mt_strassen_tuning tuning;
        new_machine(NULL);
        longest = 2500;
        noise = 0.001;
        overwriting = square;
        assert_int_equal(tune_crossings(&tuning, &short_plan, NULL), MT_OK);
        assert_found(sum(&tuning.overwrite), square, 1.1);
    }
}

/* Pairs that are off are made up for by their number; where time is too short for
   that, chance takes a crossing up to where the gain is sure. */
static void test_noise(void **state)
{
    (void)state;
    struct mt_strassen_tuning tuning;
    struct tune_plan short_plan = plan;
    noise = 0.1;
    assert_int_equal(tune_crossings(&tuning, &plan, NULL), MT_OK);
    const double long_search = sum(&tuning.overwrite);
    assert_found(long_search, 1500, 1.2);
    short_plan.seconds = 0;
    assert_int_equal(tune_crossings(&tuning, &short_plan, NULL), MT_OK);
    assert_true(isinf(sum(&tuning.overwrite)));
    short_plan.seconds = 5;
    assert_int_equal(tune_crossings(&tuning, &short_plan, NULL), MT_OK);
    assert_found(sum(&tuning.overwrite), long_search, 1.5);
    noise = 0.9;
    assert_int_equal(tune_crossings(&tuning, &plan, NULL), MT_OK);
    assert_true(isinf(tuning.overwrite.rows) && isinf(tuning.accumulate.rows));
}

static void test_never(void **state)
{
    (void)state;
    struct mt_strassen_tuning tuning;
    longest = 900;
    assert_int_equal(tune_crossings(&tuning, &plan, NULL), MT_OK);
    assert_true(isinf(tuning.overwrite.rows) && isinf(tuning.accumulate.depth));
}

/* A level that is slower when C is added to is left out there; sizes that take too long
   to compare are not. */
static void test_what_does_not_pay_is_left_out(void **state)
{
    (void)state;
    struct mt_strassen_tuning tuning;
    struct tune_plan checking = plan;
    checking.check = checking.effort;
    assert_int_equal(tune_crossings(&tuning, &plan, NULL), MT_OK);
    const int searched = sizes;
    sizes = 0;
    assert_int_equal(tune_crossings(&tuning, &checking, NULL), MT_OK);
    assert_int_equal(sizes, searched + 2);
    assert_true(isfinite(sum(&tuning.overwrite)) && isfinite(sum(&tuning.accumulate)));
    accumulating = 3000;
    assert_int_equal(tune_crossings(&tuning, &checking, NULL), MT_OK);
    assert_true(isfinite(sum(&tuning.overwrite)) && isinf(sum(&tuning.accumulate)));
    odd_size = 1700;
    odd_factor = 0.99;
    assert_int_equal(tune_crossings(&tuning, &checking, NULL), MT_OK);
    assert_true(isinf(sum(&tuning.overwrite)) && isinf(sum(&tuning.accumulate)));
    odd_size = INFINITY;
    longest = 1700; /* less than a quarter more than 1500 */
    assert_int_equal(tune_crossings(&tuning, &checking, NULL), MT_OK);
    assert_true(isfinite(sum(&tuning.overwrite)) && isfinite(sum(&tuning.accumulate)));
}

static int told;

static void count(const struct tune_square *square, double gain)
{
    (void)square;
    told += gain > 0;
}

static void test_every_size_is_told(void **state)
{
    (void)state;
    struct mt_strassen_tuning tuning;
    struct tune_plan telling = plan;
    telling.tell = count;
    told = 0;
    assert_int_equal(tune_crossings(&tuning, &telling, NULL), MT_OK);
    assert_int_equal(told, sizes);
}

static void test_memory_short_anywhere(void **state)
{
    (void)state;
    struct mt_strassen_tuning tuning;
    struct tune_plan checking = plan;
    checking.check = checking.effort;
    assert_int_equal(tune_crossings(&tuning, &checking, NULL), MT_OK);
    const int all = sizes;
    for (memory = 0; memory < all; memory++) {
        struct mt_error err;
        sizes = 0;
        assert_int_equal(tune_crossings(&tuning, &checking, &err), MT_ENOMEM);
        assert_contains(err.text, "no memory");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_known_crossings_are_found, new_machine),
        cmocka_unit_test_setup(test_shapes_are_told_by_squares, new_machine),
        cmocka_unit_test_setup(test_nothing_is_taken_for_known_beyond_what_was_tried,
                               new_machine),
        cmocka_unit_test_setup(test_a_crossing_near_the_longest_is_found, new_machine),
        cmocka_unit_test_setup(test_noise, new_machine),
        cmocka_unit_test_setup(test_never, new_machine),
        cmocka_unit_test_setup(test_what_does_not_pay_is_left_out, new_machine),
        cmocka_unit_test_setup(test_every_size_is_told, new_machine),
        cmocka_unit_test_setup(test_memory_short_anywhere, new_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
