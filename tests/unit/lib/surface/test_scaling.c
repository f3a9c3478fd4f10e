/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/surface/internal.h"
#include "tests/unit/surface_cases.h"

#include "tests/unit/test.h"

static const struct mt_components microseconds = {.costs = {1e-6}};

static void speedups_have_names(void **state)
{
    (void)state;
    assert_string_equal(mt_speedup_name(MT_SPEEDUP_FIXED_SIZE), "fixed size");
    assert_string_equal(mt_speedup_name(MT_SPEEDUP_FIXED_TIME), "fixed time");
    assert_string_equal(mt_speedup_name(MT_SPEEDUP_MEMORY_BOUNDED), "memory bounded");
}

/* Without messages every speed-up is the number of nodes. */
static void what_does_not_communicate_scales(void **state)
{
    (void)state;
    static const struct shape_texts shape = {.work = "3*N", .memory = "8*N/P"};
    struct surface_case c;
    surface_case_make(&c, &shape, &microseconds, 1e6, 0);
    for (int p = 1; p <= 1000; p += 37) {
        double size = 0;
        assert_close(mt_speedup(c.surface, MT_SPEEDUP_FIXED_SIZE, 1000, p, &size), p,
                     1e-12);
        assert_true(size == 1000);
        assert_close(mt_speedup(c.surface, MT_SPEEDUP_FIXED_TIME, 1000, p, &size), p,
                     1e-12);
        assert_true(size == 1000. * p);
        assert_close(mt_speedup(c.surface, MT_SPEEDUP_MEMORY_BOUNDED, 1000, p, &size),
                     p, 1e-12);
        assert_true(size == 1000. * p);
    }
    surface_case_clear(&c);
}

/* Amdahl's law, and Gustafson's: a tenth of the base's steps is serial. */
static void serial_steps_bound_the_speedup(void **state)
{
    (void)state;
    static const struct shape_texts amdahl = {.work = "N", .steps = "N*(0.1 + 0.9/P)"};
    static const struct shape_texts gustafson = {.work = "N",
                                                 .steps = "1000 + (N - 1000)/P"};
    struct surface_case c;
    double size = 0;
    surface_case_make(&c, &amdahl, &microseconds, 1e6, 0);
    for (int p = 1; p <= 1000; p += 37)
        assert_close(mt_speedup(c.surface, MT_SPEEDUP_FIXED_SIZE, 1000, p, &size),
                     1 / (0.1 + 0.9 / p), 1e-12);
    surface_case_clear(&c);

    surface_case_make(&c, &gustafson, &microseconds, 1e6, 0);
    for (int p = 1; p <= 1000; p += 37) {
        assert_close(mt_speedup(c.surface, MT_SPEEDUP_FIXED_TIME, 10000, p, &size),
                     0.1 + 0.9 * p, 1e-12);
        assert_true(size == 1000 + 9000. * p);
    }
    surface_case_clear(&c);
}

/* Figure 1 of the paper: they are in this order, but on 64 and 128 nodes, where the
   size that stays fixed has come to fit into the caches. */
static void ap1000_gains_from_growing_sizes(void **state)
{
    (void)state;
    struct surface_case c;
    surface_case_ap1000(&c);
    for (double p = 2; p <= 512; p *= 2) {
        if (p == 64 || p == 128)
            continue;
        double size = 0;
        const double fixed =
            mt_speedup(c.surface, MT_SPEEDUP_FIXED_SIZE, 1024, p, &size);
        const double timed =
            mt_speedup(c.surface, MT_SPEEDUP_FIXED_TIME, 1024, p, &size);
        assert_true(fixed <= timed);
        const double one = mt_surface_at(c.surface, 1024, 1).seconds;
        assert_true(mt_surface_at(c.surface, size, p).seconds <= one);
        assert_true(mt_surface_at(c.surface, size + 1, p).seconds > one);
        const double bounded =
            mt_speedup(c.surface, MT_SPEEDUP_MEMORY_BOUNDED, 1024, p, &size);
        assert_true(timed <= bounded);
        assert_true(size == floor(1024 * sqrt(p)));
    }
    surface_case_clear(&c);
}

static void a_speedup_may_need_a_smaller_size(void **state)
{
    (void)state;
    /* two processes take 10 times as long */
    static const struct shape_texts shape = {.work = "N", .steps = "N*(1 + 9*(P > 1))"};
    struct surface_case c;
    double size = 0;
    surface_case_make(&c, &shape, &microseconds, 1e6, 0);
    assert_close(mt_speedup(c.surface, MT_SPEEDUP_FIXED_TIME, 1000, 2, &size), 0.1,
                 1e-12);
    assert_true(size == 100);
    surface_case_clear(&c);
}

static void some_speedups_do_not_exist(void **state)
{
    (void)state;
    static const struct shape_texts shapes[] = {
        {.work = "N", .valid = "P == 2", .memory = "N"}, /* no base */
        {.work = "N", .valid = "P == 1", .memory = "N"}, /* nothing else */
        {.work = "N", .memory = "8"},                    /* grows never */
        {.work = "N", .steps = "1 + 5*(P > 1) + 0*N"},   /* always too long */
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct surface_case c;
        double size = 0;
        surface_case_make(&c, &shapes[i], &microseconds, 1e6, 0);
        const enum mt_speedup kind =
            i == 3 ? MT_SPEEDUP_FIXED_TIME : MT_SPEEDUP_MEMORY_BOUNDED;
        assert_true(isnan(mt_speedup(c.surface, kind, 1000, 2, &size)));
        surface_case_clear(&c);
    }
    static const struct shape_texts unknown = {.work = "N"};
    struct surface_case c;
    double size = 0;
    surface_case_make(&c, &unknown, &microseconds, 1e6, 0);
    assert_true(
        isnan(mt_speedup(c.surface, MT_SPEEDUP_MEMORY_BOUNDED, 1000, 2, &size)));
    surface_case_clear(&c);
}

/* The valid sizes begin far above the base. */
static void fixed_time_finds_sizes_far_away(void **state)
{
    (void)state;
    static const struct shape_texts shape = {
        .work = "N", .steps = "N/P^3", .valid = "P == 1 || N > 1e6"};
    struct surface_case c;
    double size = 0;
    surface_case_make(&c, &shape, &microseconds, 1e6, 0);
    assert_close(mt_speedup(c.surface, MT_SPEEDUP_FIXED_TIME, 10, 100, &size), 1e6,
                 1e-12);
    assert_true(size == 1e7);
    surface_case_clear(&c);
}

/* T_c = N^3 us / P, T_o = N^2 us: E = N / (N + P), so N = P E / (1 - E). */
static void iso_efficiency_has_a_closed_form(void **state)
{
    (void)state;
    static const struct shape_texts shape = {
        .work = "N^3", .messages = "1", .bytes = "N^2"};
    const struct mt_components components = {.costs = {1e-6},
                                             .bandwidth = {.base = 1e6}};
    struct surface_case c;
    surface_case_make(&c, &shape, &components, 1e6, 0);
    static const struct mt_span spans[] = {{1, 4000}, {1, 0x1p40}};
    for (int s = 0; s < 2; s++) {
        for (int p = 1; p < 1000; p += 13) {
            struct mt_span found = {0};
            assert_true(mt_iso_efficiency(c.surface, 0.7853, p, spans[s], &found));
            assert_true(found.low == ceil(p * 0.7853 / 0.2147));
            assert_true(found.high == spans[s].high);
        }
    }
    struct mt_span untouched = {7, 8};
    assert_false(mt_iso_efficiency(c.surface, 0.7853, 1e6, spans[0], &untouched));
    assert_true(untouched.low == 7 && untouched.high == 8);
    surface_case_clear(&c);
}

/* Efficient in the middle only, and not everywhere there. */
static void iso_efficiency_has_two_ends(void **state)
{
    (void)state;
    static const struct shape_texts shape = {
        .work = "N", .steps = "N*(1 + (N < 12345 || N > 6e6 || N > 1e5 && N < 2e5))"};
    struct surface_case c;
    surface_case_make(&c, &shape, &microseconds, 1e6, 0);
    struct mt_span found = {0};
    const struct mt_span span = {1, 1e8};
    assert_true(mt_iso_efficiency(c.surface, 0.9, 1, span, &found));
    assert_true(found.low == 12345 && found.high == 6e6);
    assert_true(mt_iso_efficiency(c.surface, 0.5, 1, span, &found));
    assert_true(found.low == 1 && found.high == 1e8);
    surface_case_clear(&c);
}

static void iso_efficiency_ends_with_the_memory(void **state)
{
    (void)state;
    struct surface_case c;
    surface_case_ap1000(&c);
    const struct mt_span span = {1, 100000};
    struct mt_span found = {0};
    assert_true(mt_iso_efficiency(c.surface, 0.5, 16, span, &found));
    assert_true(found.high == mt_surface_memory_limit(c.surface, 16, 1, 100000));
    surface_case_clear(&c);
}

/* Every size, one by one. */
static double best_by_hand(const struct mt_surface *surface, double nodes,
                           struct mt_span sizes)
{
    double best = 0;
    for (double size = sizes.low; size <= sizes.high; size++) {
        const struct mt_surface_point point = mt_surface_at(surface, size, nodes);
        if (point.valid && point.fits)
            best = fmax(best, point.efficiency);
    }
    return best;
}

static void the_ridge_is_the_best_of_all_sizes(void **state)
{
    (void)state;
    struct surface_case c;
    surface_case_ap1000(&c);
    const struct mt_span near = {1, 4000}, far = {1, 20000};
    for (double p = 1; p <= 512; p = ceil(p * 3.1)) {
        struct mt_surface_point point;
        double size = 0;
        assert_true(mt_best_size(c.surface, p, near, &point, &size));
        assert_close(point.efficiency, best_by_hand(c.surface, p, near), 1e-12);
        assert_true(mt_surface_at(c.surface, size, p).efficiency == point.efficiency);
        assert_true(mt_best_size(c.surface, p, far, &point, &size));
        assert_close(point.efficiency, best_by_hand(c.surface, p, far), 2.5e-3);
    }
    surface_case_clear(&c);
}

/* Where AP1000's E is flat, in the cache of one node, the largest matrices are best. */
static void of_equal_sizes_the_largest_is_best(void **state)
{
    (void)state;
    struct surface_case c;
    surface_case_ap1000(&c);
    const struct mt_span span = {1, 100000};
    struct mt_surface_point point;
    double size = 0;
    assert_true(mt_best_size(c.surface, 1, span, &point, &size));
    assert_true(size == floor(sqrt(256 * 1024 / 24.)));
    surface_case_clear(&c);
}

/* T = N us + (N/s)^3 us + s us: 1/E is least where N = s / 2^(1/3). */
static void the_ridge_is_found_among_many_sizes(void **state)
{
    (void)state;
    static const struct shape_texts shape = {.work = "N",
                                             .steps = "N + 1e6*((N/1e9)^3 + 1)"};
    struct surface_case c;
    surface_case_make(&c, &shape, &microseconds, 1e6, 0);
    const struct mt_span span = {1, 0x1p40};
    struct mt_surface_point point;
    double size = 0;
    assert_true(mt_best_size(c.surface, 1, span, &point, &size));
    assert_close(size, 1e9 / cbrt(2), 1e-3);
    surface_case_clear(&c);
}

static void the_ridge_may_be_where_memory_ends(void **state)
{
    (void)state;
    static const struct shape_texts shape = {
        .work = "N", .steps = "N + 1000", .memory = "8*N", .valid = "N >= 1000"};
    struct surface_case c;
    surface_case_make(&c, &shape, &microseconds, 1e6, 8 * 123456789.);
    const struct mt_span span = {1, 0x1p40}, below = {1, 999}, above = {1e9, 1e10};
    struct mt_surface_point point;
    double size = 0;
    assert_true(mt_best_size(c.surface, 1, span, &point, &size));
    assert_true(size == 123456789);
    assert_false(mt_best_size(c.surface, 1, below, &point, &size));
    assert_false(mt_best_size(c.surface, 1, above, &point, &size));
    surface_case_clear(&c);
}

/* From 2^53 on the next whole number is no double. */
static void the_largest_numbers_end(void **state)
{
    (void)state;
    static const struct shape_texts shape = {
        .work = "N", .steps = "N/P", .valid = "N + P < 2^53"};
    struct surface_case c;
    surface_case_make(&c, &shape, &microseconds, 1e6, 0);
    const struct mt_span last = {0x1p53 - 8, 0x1p53}, only = {0x1p53, 0x1p53};
    struct mt_surface_point point;
    struct mt_cliffs cliffs = {0};
    double size = 0;
    assert_true(mt_best_size(c.surface, 1, last, &point, &size));
    assert_true(size == 0x1p53 - 2);
    assert_false(mt_best_size(c.surface, 1, only, &point, &size));
    assert_int_equal(mt_cliffs_of_nodes(&cliffs, c.surface, 1, only, NULL), MT_OK);
    assert_int_equal(cliffs.count, 0);
    surface_case_clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speedups_have_names),
        cmocka_unit_test(what_does_not_communicate_scales),
        cmocka_unit_test(serial_steps_bound_the_speedup),
        cmocka_unit_test(ap1000_gains_from_growing_sizes),
        cmocka_unit_test(a_speedup_may_need_a_smaller_size),
        cmocka_unit_test(some_speedups_do_not_exist),
        cmocka_unit_test(fixed_time_finds_sizes_far_away),
        cmocka_unit_test(iso_efficiency_has_a_closed_form),
        cmocka_unit_test(iso_efficiency_has_two_ends),
        cmocka_unit_test(iso_efficiency_ends_with_the_memory),
        cmocka_unit_test(the_ridge_is_the_best_of_all_sizes),
        cmocka_unit_test(of_equal_sizes_the_largest_is_best),
        cmocka_unit_test(the_ridge_is_found_among_many_sizes),
        cmocka_unit_test(the_ridge_may_be_where_memory_ends),
        cmocka_unit_test(the_largest_numbers_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
