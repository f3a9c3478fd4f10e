/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for crossings, on a machine that is made up: this file stands in for
   tune_gain.c. */
#include "linalg/kernel/kernel.h"
#include "linalg/strassen/team.h"
#include "linalg/tune/crossings.h"
#include "tests/unit/test.h"

#include <math.h>

/* The machine: where it crosses, the longest squares that can be tried. */
static struct mt_strassen_tuning truth;
static double longest;
static int shapes, memory;
/* Pairs are off by so much at most, one way and the other. */
static double noise;
/* How many times as fast the kernel is, where products are large and elsewhere. */
static double kernel_large, kernel_small;

enum { PAIRS = 9 };

static double kernel_factor(const struct tune_shape *shape)
{
    return shape->m > 1200 && shape->n > 1200 && shape->k > 1200 ? kernel_large
                                                                 : kernel_small;
}

/* For what is tuned: how many times as fast as uncut products levels are, and all as
   the BLAS; how often that was asked. */
static double cut_factor, all_factor;
static int checks;

static int check_gain(struct tune_gain *gain, const struct tune_shape *shape,
                      const struct tune_ways *ways)
{
    const bool levels = ways->now.tuning->kernel == ways->other.tuning->kernel;
    assert_in_range(shape->m, 2000, 4001);
    assert_int_equal(mt_strassen_levels(ways->now.tuning, 4001, 4001, 4001, 0), 0);
    *gain = (struct tune_gain){.factor = levels ? cut_factor : all_factor, .pairs = 1};
    checks++;
    return MT_OK;
}

int tune_gain(struct tune_gain *gain, const struct tune_shape *shape,
              const struct tune_ways *ways, const struct tune_effort *effort,
              struct mt_error *err)
{
    const struct mt_strassen_cutoff *cutoff =
        shape->beta == 0 ? &truth.overwrite : &truth.accumulate;
    const double cost =
        cutoff->rows / shape->m + cutoff->columns / shape->n + cutoff->depth / shape->k;
    (void)effort;
    if (!ways->now.levels)
        return check_gain(gain, shape, ways);
    const bool kernel = *ways->other.levels == 0;
    assert_int_equal(*ways->now.levels, 0);
    assert_true(kernel ? ways->other.tuning->kernel && !ways->now.tuning->kernel
                       : *ways->other.levels == 1);
    /* What is compared are two ways of the kernel, and not two of the BLAS. */
    if (!kernel && ways->now.tuning->kernel)
        assert_true(
            mt_strassen_by_kernel(ways->other.tuning, shape->m, shape->n, shape->k, 1));
    if (++shapes > memory)
        return mt_fail(err, MT_ENOMEM, "no memory");
    const double size = cbrt((double)shape->m * shape->n * shape->k);
    gain->seconds = pow(size / longest, 3); /* 1 at most */
    gain->factor = size > longest ? 0
                   : kernel       ? kernel_factor(shape)
                                  : 1 / (1 - (1 - cost) / 8);
    gain->pairs = size > longest ? 0 : PAIRS;
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
    truth = (struct mt_strassen_tuning){.overwrite = {300, 500, 700},
                                        .accumulate = {300, 500, 1000}};
    longest = 6000;
    shapes = 0;
    memory = 1000;
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

/* Each of the three is taken half way between what it is and a third of all. */
static void assert_half_way(double found, double true_value, double square)
{
    assert_close(found, (true_value + square / 3) / 2, 0.1);
}

static void test_known_crossings_are_found(void **state)
{
    (void)state;
    static const struct mt_strassen_cutoff machines[] = {
        {300, 500, 700}, {700, 700, 700}, {1000, 200, 300}, {100, 90, 80}};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        new_machine(NULL);
        struct mt_strassen_tuning tuning;
        truth.overwrite = truth.accumulate = machines[i];
        truth.accumulate.depth += 300;
        assert_int_equal(tune_crossings(&tuning, &plan, NULL), MT_OK);
        assert_found(sum(&tuning.overwrite), sum(&truth.overwrite), 1.25);
        assert_half_way(tuning.overwrite.rows, truth.overwrite.rows,
                        sum(&truth.overwrite));
        assert_half_way(tuning.overwrite.columns, truth.overwrite.columns,
                        sum(&truth.overwrite));
        assert_half_way(tuning.overwrite.depth, truth.overwrite.depth,
                        sum(&truth.overwrite));
        assert_found(sum(&tuning.accumulate), sum(&truth.accumulate), 1.3);
        assert_true(shapes < 12);
    }
}

static void test_nothing_pays_before_it_does(void **state)
{
    (void)state;
    struct mt_strassen_tuning tuning;
    assert_int_equal(tune_crossings(&tuning, &plan, NULL), MT_OK);
    const struct mt_strassen_cutoff *found = &tuning.overwrite;
    for (int m = 500; m < 6000; m += 500)
        for (int n = 500; n < 6000; n += 500)
            for (int k = 500; k < 6000; k += 500)
                if (found->rows / m + found->columns / n + found->depth / k <= 1)
                    assert_true(truth.overwrite.rows / m + truth.overwrite.columns / n +
                                    truth.overwrite.depth / k <
                                1.08); /* by a hundredth of the time */
}

/* Where products take too long, no crossing is guessed from those before. */
static void test_nothing_is_taken_for_known_beyond_what_was_tried(void **state)
{
    (void)state;
    struct mt_strassen_tuning tuning;
    truth.overwrite = (struct mt_strassen_cutoff){700, 700, 800};
    truth.accumulate = (struct mt_strassen_cutoff){1200, 2000, 2800};
    longest = 4000;
    assert_int_equal(tune_crossings(&tuning, &plan, NULL), MT_OK);
    assert_found(sum(&tuning.overwrite), 2200, 1.1);
    assert_true(isinf(sum(&tuning.accumulate)));
}

/* That products there take most of what they may does not keep a search from it. */
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
        truth.overwrite =
            (struct mt_strassen_cutoff){square / 3, square / 3, square / 3};
        truth.accumulate = truth.overwrite;
        assert_int_equal(tune_crossings(&tuning, &short_plan, NULL), MT_OK);
        assert_found(sum(&tuning.overwrite), square, 1.1);
        assert_found(sum(&tuning.accumulate), square, 1.1);
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
    new_machine(NULL);
    truth.accumulate.rows = INFINITY;
    assert_int_equal(tune_crossings(&tuning, &plan, NULL), MT_OK);
    assert_true(isfinite(sum(&tuning.overwrite)) && isinf(sum(&tuning.accumulate)));
}

static void test_only_squares(void **state)
{
    (void)state;
    struct mt_strassen_tuning tuning;
    struct tune_plan squares = plan;
    squares.only_squares = true;
    assert_int_equal(tune_crossings(&tuning, &squares, NULL), MT_OK);
    assert_true(tuning.overwrite.rows == tuning.overwrite.depth);
    assert_found(sum(&tuning.overwrite), 1500, 1.1);
    assert_found(sum(&tuning.accumulate), 1800, 1.1);
}

static void test_with_the_kernel_only_its_products_are_compared(void **state)
{
    (void)state;
    if (!mt_kernel_available())
        skip();
    struct tune_plan with_kernel = plan;
    with_kernel.kernel = true;
    truth.overwrite = truth.accumulate = (struct mt_strassen_cutoff){30, 30, 30};
    for (int threads = 1; threads <= 2; threads++) {
        struct mt_strassen_tuning tuning;
        with_kernel.effort.threads = threads;
        assert_int_equal(tune_crossings(&tuning, &with_kernel, NULL), MT_OK);
        assert_true(sum(&tuning.overwrite) >= 1120);
        assert_true(sum(&tuning.overwrite) < 2800);
    }
}

static struct mt_strassen_tuning confirmed(bool kernel, double cut, double all)
{
    struct mt_strassen_tuning tuning = {
        .overwrite = {500, 500, 500}, .accumulate = {600, 600, 600}, .kernel = kernel};
    cut_factor = cut;
    all_factor = all;
    checks = 0;
    assert_int_equal(tune_confirm(&tuning, &plan, NULL), MT_OK);
    return tuning;
}

static void test_what_does_not_pay_is_left_out(void **state)
{
    (void)state;
    struct mt_strassen_tuning tuning = confirmed(true, 1.1, 1.1);
    assert_true(tuning.kernel && sum(&tuning.overwrite) == 1500);
    assert_int_equal(checks, 6);
    tuning = confirmed(false, 1.1, 0.5);
    assert_true(!tuning.kernel && sum(&tuning.accumulate) == 1800);
    tuning = confirmed(true, 0.25, 4);
    assert_true(tuning.kernel && isinf(sum(&tuning.overwrite)) &&
                isinf(sum(&tuning.accumulate)));
    tuning = confirmed(true, 1.1, 0.9);
    assert_true(!tuning.kernel && isinf(sum(&tuning.overwrite)));
}

static int told;

static void count(const struct tune_shape *shape, const char *way, double gain)
{
    (void)shape;
    assert_string_equal(way, "another level");
    told += gain > 0;
}

static void test_every_shape_is_told(void **state)
{
    (void)state;
    struct mt_strassen_tuning tuning;
    struct tune_plan telling = plan;
    telling.tell = count;
    told = 0;
    assert_int_equal(tune_crossings(&tuning, &telling, NULL), MT_OK);
    assert_int_equal(told, shapes);
}

static void test_memory_short_anywhere(void **state)
{
    (void)state;
    struct mt_strassen_tuning tuning;
    assert_int_equal(tune_crossings(&tuning, &plan, NULL), MT_OK);
    const int all = shapes;
    for (memory = 0; memory < all; memory++) {
        struct mt_error err;
        shapes = 0;
        assert_int_equal(tune_crossings(&tuning, &plan, &err), MT_ENOMEM);
        assert_contains(err.text, "no memory");
    }
}

static bool kernel_is_chosen(double small, double large)
{
    bool faster;
    new_machine(NULL);
    kernel_small = small;
    kernel_large = large;
    assert_int_equal(tune_kernel(&faster, &plan, NULL), MT_OK);
    return faster;
}

static void test_the_kernel_is_chosen_by_its_mean(void **state)
{
    (void)state;
    if (!mt_kernel_available()) {
        test_skipped("the processor has no AVX-512");
        return;
    }
    assert_true(kernel_is_chosen(1.05, 1.01));
    assert_true(kernel_is_chosen(0.99, 1.10));
    assert_false(kernel_is_chosen(1.01, 0.92)); /* for most shapes it is faster */
    assert_false(kernel_is_chosen(0.98, 0.99));
}

/* What takes too long to try does not speak against it; but most do have to be tried.
 */
static void test_kernel_where_products_take_long(void **state)
{
    (void)state;
    if (!mt_kernel_available()) {
        test_skipped("the processor has no AVX-512");
        return;
    }
    bool faster;
    assert_true(kernel_is_chosen(1.02, 1.02));
    const int all = shapes;
    assert_true(kernel_is_chosen(1.1, 1.1));
    assert_true(shapes < all); /* it is clear */
    kernel_small = kernel_large = 1.02;
    longest = 1100;
    shapes = 0;
    assert_int_equal(tune_kernel(&faster, &plan, NULL), MT_OK);
    assert_true(faster);
    assert_int_equal(shapes, all);
    longest = 700;
    shapes = 0;
    assert_int_equal(tune_kernel(&faster, &plan, NULL), MT_OK);
    assert_false(faster);
    assert_true(shapes < all);
    memory = 0;
    assert_int_equal(tune_kernel(&faster, &plan, NULL), MT_ENOMEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_known_crossings_are_found, new_machine),
        cmocka_unit_test_setup(test_nothing_pays_before_it_does, new_machine),
        cmocka_unit_test_setup(test_nothing_is_taken_for_known_beyond_what_was_tried,
                               new_machine),
        cmocka_unit_test_setup(test_a_crossing_near_the_longest_is_found, new_machine),
        cmocka_unit_test_setup(test_noise, new_machine),
        cmocka_unit_test_setup(test_never, new_machine),
        cmocka_unit_test_setup(test_only_squares, new_machine),
        cmocka_unit_test_setup(test_with_the_kernel_only_its_products_are_compared,
                               new_machine),
        cmocka_unit_test_setup(test_what_does_not_pay_is_left_out, new_machine),
        cmocka_unit_test_setup(test_every_shape_is_told, new_machine),
        cmocka_unit_test_setup(test_memory_short_anywhere, new_machine),
        cmocka_unit_test_setup(test_the_kernel_is_chosen_by_its_mean, new_machine),
        cmocka_unit_test_setup(test_kernel_where_products_take_long, new_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
