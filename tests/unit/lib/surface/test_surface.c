/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/machine/internal.h"
#include "lib/surface/internal.h"
#include "tests/unit/surface_cases.h"

#include "tests/unit/test.h"

/* On one node the steps are all there is: 2 operations in 0.71 or 1.2 us. */
static void ap1000_is_fast_in_its_cache(void **state)
{
    (void)state;
    struct surface_case c;
    surface_case_ap1000(&c);
    assert_close(mt_surface_at(c.surface, 100, 1).efficiency, 2 / 0.71 / 2.78, 1e-12);
    assert_close(mt_surface_at(c.surface, 800, 1).efficiency, 2 / 1.20 / 2.78, 1e-12);
    surface_case_clear(&c);
}

/* n = 2048 on 128 nodes, as in test_components.c. */
static void a_point_is_what_equation_3_says(void **state)
{
    (void)state;
    struct surface_case c;
    surface_case_ap1000(&c);
    const struct mt_surface_point point = mt_surface_at(c.surface, 2048, 128);
    assert_true(point.valid && point.fits);
    assert_true(point.work == 2 * 2048. * 2048 * 2048);
    assert_close(point.compute, 80.5306368, 1e-9);
    assert_close(point.communicate, 16.646144, 1e-9);
    assert_close(point.seconds, 97.1767808, 1e-9);
    assert_close(point.speed, 17179869184 / (128 * 97.1767808), 1e-9);
    assert_close(point.efficiency, point.speed / 2.78e6, 1e-12);
    assert_true(point.memory == 786432);
    assert_ptr_equal(mt_surface_machine(c.surface), &c.machine);
    assert_ptr_equal(mt_surface_algorithm(c.surface), &c.algorithm);
    surface_case_clear(&c);
}

/* The surface agrees with the modules that it is made of. */
static void points_are_made_of_shape_and_components(void **state)
{
    (void)state;
    struct surface_case c;
    surface_case_cenju3(&c);
    for (double size = 1; size < 10000; size = ceil(size * 1.37)) {
        for (double nodes = 1; nodes <= 256; nodes = ceil(nodes * 1.5)) {
            const struct mt_surface_point point = mt_surface_at(c.surface, size, nodes);
            assert_int_equal(point.valid,
                             mt_shape_valid(&c.algorithm.shape, size, nodes));
            if (!point.valid)
                continue;
            struct mt_demand demand;
            assert_int_equal(
                mt_shape_demand(&demand, &c.algorithm.shape, size, nodes, NULL), MT_OK);
            const struct mt_elapsed elapsed =
                mt_components_time(&c.algorithm.components, &demand);
            assert_close(point.compute, elapsed.compute, 1e-12);
            assert_close(point.communicate, elapsed.communicate, 1e-12);
            assert_close(point.seconds, elapsed.total, 1e-12);
        }
    }
    surface_case_clear(&c);
}

static void assert_same_number(double a, double b)
{
    assert_true(a == b || (isnan(a) && isnan(b)));
}

static void assert_same_point(const struct mt_surface_point *a,
                              const struct mt_surface_point *b)
{
    assert_same_number(a->work, b->work);
    assert_same_number(a->seconds, b->seconds);
    assert_same_number(a->compute, b->compute);
    assert_same_number(a->communicate, b->communicate);
    assert_same_number(a->speed, b->speed);
    assert_same_number(a->efficiency, b->efficiency);
    assert_same_number(a->memory, b->memory);
    assert_int_equal(a->valid, b->valid);
    assert_int_equal(a->fits, b->fits);
}

enum { SIZES = 37, NODES = 77 }; /* not a whole number of tiles */

/* Whether any point of the grid is valid. */
static bool compare_grid_with_points(const struct mt_surface *surface)
{
    static struct mt_surface_point points[SIZES * NODES];
    double sizes[SIZES], nodes[NODES];
    for (int i = 0; i < SIZES; i++)
        sizes[i] = floor(pow(1.3, i)) - 1;
    for (int j = 0; j < NODES; j++)
        nodes[j] = 1 + j * (j + 1) / 2;
    mt_surface_grid(surface, sizes, SIZES, nodes, NODES, points);
    bool any = false;
    for (int i = 0; i < SIZES; i++) {
        for (int j = 0; j < NODES; j++) {
            const struct mt_surface_point point =
                mt_surface_at(surface, sizes[i], nodes[j]);
            assert_same_point(&points[i * NODES + j], &point);
            any |= point.valid;
        }
    }
    return any;
}

/* Every operator of the language, and values that are absent here and there. */
static void a_grid_has_the_numbers_of_its_points(void **state)
{
    (void)state;
    static const struct shape_texts shapes[] = {
        {.work = "N"},
        {.work = "5*N*log2(N)", .messages = "P - 1 - P % 3", .bytes = "16*N/P^2"},
        {.work = "max(N, 3)^1.5 - 1",
         .valid = "P % 3 == 0 || N > 20 && !(P <= 2) || N != 7",
         .memory = "floor(N^0.5) * min(P, 8)",
         .steps = "dims(P, 2, 1) + log(P) + (N < 9)",
         .messages = "sqrt(P) - 1",
         .bytes = "M * N >= 0"},
        {.work = "2*N^3", .valid = "1 / (P - 7) > 0", .imbalance = "2 - P / 1000"},
        {.work = "N", .working_set = "log(N - 5)"},
        {.work = "N", .memory = "-1"},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct surface_case c;
        surface_case_make(&c, &shapes[i], &cenju3_components, 1e6, 100);
        assert_int_equal(compare_grid_with_points(c.surface),
                         !shapes[i].memory || shapes[i].valid != NULL);
        surface_case_clear(&c);
    }
    struct surface_case c;
    surface_case_ap1000(&c);
    assert_true(compare_grid_with_points(c.surface));
    surface_case_clear(&c);
}

static void absent_expressions_mean_what_the_header_says(void **state)
{
    (void)state;
    static const struct mt_components costs = {.costs = {1e-6}, .latency = 1};
    static const struct shape_texts only_work = {.work = "N + 6"};
    struct surface_case c;
    surface_case_make(&c, &only_work, &costs, 1e6, 1000);
    const struct mt_surface_point point = mt_surface_at(c.surface, 94, 4);
    assert_true(point.valid && point.fits);
    assert_close(point.compute, 25e-6, 1e-12); /* a quarter of work */
    assert_true(point.communicate == 0);
    assert_true(point.memory == 0);
    assert_close(point.efficiency, 1, 1e-12);
    surface_case_clear(&c);
}

static void a_point_that_cannot_run_has_no_numbers(void **state)
{
    (void)state;
    static const struct shape_texts shapes[] = {
        {.work = "N", .valid = "N >= P"},
        {.work = "N", .valid = "log(-N)"},
        {.work = "N", .messages = "N - P"},
        {.work = "N", .steps = "log(N - P)"},
        {.work = "N", .memory = "N - P"},
        {.work = "N", .near_steps = "N"},
        {.work = "0*N"},
        {.work = "1e300*N^10"},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct surface_case c;
        surface_case_make(&c, &shapes[i], &ap1000_components, 1e6, 0);
        const struct mt_surface_point point = mt_surface_at(c.surface, 8, 9);
        assert_false(point.valid);
        assert_true(isnan(point.work) && isnan(point.seconds) && isnan(point.compute));
        assert_true(isnan(point.communicate) && isnan(point.speed));
        assert_true(isnan(point.efficiency) && isnan(point.memory));
        surface_case_clear(&c);
    }
}

static void what_does_not_fit_has_numbers_too(void **state)
{
    (void)state;
    struct surface_case c;
    surface_case_ap1000(&c);
    assert_true(mt_surface_at(c.surface, 836, 1).fits);
    const struct mt_surface_point beyond = mt_surface_at(c.surface, 837, 1);
    assert_true(beyond.valid && !beyond.fits);
    assert_close(beyond.efficiency, 2 / 1.20 / 2.78, 1e-12);
    surface_case_clear(&c);
}

static void the_memory_limit_is_the_last_size_that_fits(void **state)
{
    (void)state;
    struct surface_case c;
    surface_case_ap1000(&c);
    /* 24 N^2 / P <= 2^24 */
    for (int p = 1; p <= 512; p++)
        assert_true(mt_surface_memory_limit(c.surface, p, 1, 1e6) ==
                    floor(sqrt(0x1p24 * p / 24)));
    assert_true(mt_surface_memory_limit(c.surface, 1, 1, 836) == 836);
    assert_true(mt_surface_memory_limit(c.surface, 1, 836, 837) == 836);
    assert_true(mt_surface_memory_limit(c.surface, 1, 10, 100) == 100);
    assert_true(isnan(mt_surface_memory_limit(c.surface, 1, 837, 1000)));
    surface_case_clear(&c);
}

static void where_memory_is_unknown_everything_fits(void **state)
{
    (void)state;
    static const struct shape_texts only_work = {.work = "N"};
    struct surface_case c;
    surface_case_make(&c, &only_work, &ap1000_components, 1e6, 1);
    assert_true(mt_surface_memory_limit(c.surface, 1, 1, 0x1p40) == 0x1p40);
    surface_case_clear(&c);

    surface_case_make(&c, &multiplication_a, &ap1000_components, 1e6, 0);
    assert_true(mt_surface_memory_limit(c.surface, 1, 1, 0x1p40) == 0x1p40);
    assert_true(mt_surface_at(c.surface, 0x1p40, 1).fits);
    surface_case_clear(&c);
}

/* Memory that jumps, as trees and powers of two make it, but does not fall. */
static void the_memory_limit_is_found_among_jumps(void **state)
{
    (void)state;
    static const struct shape_texts jumping = {.work = "N",
                                               .memory = "2^ceil(log2(N/P))"};
    struct surface_case c;
    surface_case_make(&c, &jumping, &ap1000_components, 1e6, 1000);
    assert_true(mt_surface_memory_limit(c.surface, 4, 1, 0x1p40) == 2048);
    surface_case_clear(&c);
}

/* An expression as long as one can be leaves no room for the others. */
static void a_shape_too_long_is_refused(void **state)
{
    (void)state;
    struct surface_case c;
    surface_case_ap1000(&c);
    char text[8000] = "N";
    for (int i = 0; i < 345; i++)
        snprintf(text + strlen(text), 16, " + N^%d.5", i);
    struct mt_expr *work = c.algorithm.shape.work;
    struct mt_error err;
    while (mt_expr_parse(&c.algorithm.shape.work, text, &err) != MT_OK)
        *strrchr(text, '+') = 0;
    mt_expr_free(work);
    struct mt_surface *untouched = c.surface;
    assert_int_equal(mt_surface_make(&untouched, &c.machine, &c.algorithm, &err),
                     MT_EPARSE);
    assert_ptr_equal(untouched, c.surface);
    surface_case_clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ap1000_is_fast_in_its_cache),
        cmocka_unit_test(a_point_is_what_equation_3_says),
        cmocka_unit_test(points_are_made_of_shape_and_components),
        cmocka_unit_test(a_grid_has_the_numbers_of_its_points),
        cmocka_unit_test(absent_expressions_mean_what_the_header_says),
        cmocka_unit_test(a_point_that_cannot_run_has_no_numbers),
        cmocka_unit_test(what_does_not_fit_has_numbers_too),
        cmocka_unit_test(the_memory_limit_is_the_last_size_that_fits),
        cmocka_unit_test(where_memory_is_unknown_everything_fits),
        cmocka_unit_test(the_memory_limit_is_found_among_jumps),
        cmocka_unit_test(a_shape_too_long_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
