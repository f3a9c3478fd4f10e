/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/surface/internal.h"
#include "tests/unit/surface_cases.h"
#include "tests/unit/test.h"

static const struct mt_components microseconds = {.costs = {1e-6}};
static const struct mt_components sharp_cache = {
    .ncaches = 1, .costs = {1e-6, 1.5e-6}, .caches = {{8000, 8000}}};

/* The cliffs along sizes on one node, or along nodes at size 1e6. */
static struct mt_cliffs look(const struct shape_texts *texts,
                             const struct mt_components *components, bool along_nodes,
                             double low, double high)
{
    struct surface_case c;
    struct mt_cliffs cliffs = {0};
    const struct mt_span span = {low, high};
    surface_case_make(&c, texts, components, 1e6, 1e9);
    if (along_nodes)
        assert_int_equal(mt_cliffs_of_nodes(&cliffs, c.surface, 1e6, span, NULL),
                         MT_OK);
    else
        assert_int_equal(mt_cliffs_of_sizes(&cliffs, c.surface, 1, span, NULL), MT_OK);
    for (int i = 0; i < cliffs.count; i++) {
        assert_int_equal(cliffs.cliffs[i].along_nodes, along_nodes);
        assert_true(cliffs.cliffs[i].other == (along_nodes ? 1e6 : 1));
        assert_true(cliffs.cliffs[i].after < 0.9 * cliffs.cliffs[i].before);
    }
    surface_case_clear(&c);
    return cliffs;
}

static void a_sharp_cache_is_a_cliff(void **state)
{
    (void)state;
    static const struct shape_texts shape = {.work = "N", .working_set = "8*N"};
    struct mt_cliffs cliffs = look(&shape, &sharp_cache, false, 1, 4000);
    assert_int_equal(cliffs.count, 1);
    assert_true(cliffs.cliffs[0].from == 1000 && cliffs.cliffs[0].to == 1001);
    assert_close(cliffs.cliffs[0].before, 1, 1e-12);
    assert_close(cliffs.cliffs[0].after, 1 / 1.5, 1e-12);
    mt_cliffs_clear(&cliffs);
    assert_int_equal(cliffs.count, 0);
    assert_null(cliffs.cliffs);
}

/* The end of a cliff among very many sizes is known to a quarter of a percent. */
static void a_cliff_is_found_among_many_sizes(void **state)
{
    (void)state;
    static const struct shape_texts shape = {.work = "N", .working_set = "N/1e6"};
    struct mt_cliffs cliffs = look(&shape, &sharp_cache, false, 1, 0x1p40);
    assert_int_equal(cliffs.count, 1);
    assert_true(cliffs.cliffs[0].from <= 8e9 && cliffs.cliffs[0].from > 8e9 / 1.003);
    assert_true(cliffs.cliffs[0].to > 8e9 && cliffs.cliffs[0].to < 8e9 * 1.003);
    mt_cliffs_clear(&cliffs);
}

static void a_slope_is_none(void **state)
{
    (void)state;
    /* E falls as 1 / N, nearly as steep as a cliff: by 9.1 % in a step of 10 % */
    static const struct shape_texts shape = {.work = "N", .steps = "N^2"};
    struct mt_cliffs cliffs = look(&shape, &microseconds, false, 10, 4000);
    assert_int_equal(cliffs.count, 0);
    cliffs = look(&shape, &microseconds, false, 10, 0x1p40);
    assert_int_equal(cliffs.count, 0);
}

static void what_falls_everywhere_is_one_cliff(void **state)
{
    (void)state;
    static const struct shape_texts shape = {.work = "N", .steps = "N^2.5"};
    struct mt_cliffs cliffs = look(&shape, &microseconds, false, 40, 4000);
    assert_int_equal(cliffs.count, 1);
    assert_true(cliffs.cliffs[0].from == 40 && cliffs.cliffs[0].to == 4000);
    mt_cliffs_clear(&cliffs);
}

/* A plateau, a steep slope between 100 and 200, and another plateau. */
static void a_cliff_ends_where_it_gets_flat(void **state)
{
    (void)state;
    static const struct shape_texts shape = {
        .work = "N", .steps = "N*(min(max(N, 100), 200)/100)^3"};
    struct mt_cliffs cliffs = look(&shape, &microseconds, false, 10, 4000);
    assert_int_equal(cliffs.count, 1);
    assert_true(cliffs.cliffs[0].from == 100 && cliffs.cliffs[0].to == 200);
    assert_close(cliffs.cliffs[0].after, 0.125, 1e-12);
    mt_cliffs_clear(&cliffs);
}

/* Up to 9 rows a process, the row that one has more loses 10 % and more. */
static void uneven_rows_are_cliffs(void **state)
{
    (void)state;
    static const struct shape_texts shape = {.work = "N",
                                             .imbalance = "10*ceil(N/10)/N"};
    struct mt_cliffs cliffs = look(&shape, &microseconds, false, 10, 1000);
    assert_int_equal(cliffs.count, 8);
    for (int i = 0; i < 8; i++) {
        assert_true(cliffs.cliffs[i].from == 10 * (i + 1));
        assert_true(cliffs.cliffs[i].to == 10 * (i + 1) + 1);
    }
    mt_cliffs_clear(&cliffs);
}

static void memory_is_not_a_cliff(void **state)
{
    (void)state;
    static const struct shape_texts shape = {
        .work = "N", .working_set = "8*N", .memory = "1e6*N"};
    struct mt_cliffs cliffs = look(&shape, &sharp_cache, false, 1, 4000);
    assert_int_equal(cliffs.count, 0);
}

static void one_node_more_is_a_small_step(void **state)
{
    (void)state;
    static const struct shape_texts shape = {.work = "N",
                                             .steps = "N/P*(1 + (P > 1) + (P > 64))"};
    struct mt_cliffs cliffs = look(&shape, &microseconds, true, 1, 512);
    assert_int_equal(cliffs.count, 2);
    assert_true(cliffs.cliffs[0].from == 1 && cliffs.cliffs[0].to == 2);
    assert_true(cliffs.cliffs[1].from == 64 && cliffs.cliffs[1].to == 65);
    mt_cliffs_clear(&cliffs);
}

/* From 441 to 484 nodes is a small step where only squares are valid; from 4 to 9 is
   not. */
static void squares_are_looked_at(void **state)
{
    (void)state;
    static const struct shape_texts shape = {.work = "N",
                                             .steps = "N/P*(1 + (P > 4) + (P > 450))",
                                             .valid = "floor(sqrt(P))^2 == P"};
    struct mt_cliffs cliffs = look(&shape, &microseconds, true, 1, 512);
    assert_int_equal(cliffs.count, 1);
    assert_true(cliffs.cliffs[0].from == 441 && cliffs.cliffs[0].to == 484);
    mt_cliffs_clear(&cliffs);
}

static void squares_are_found_among_many_nodes(void **state)
{
    (void)state;
    static const struct shape_texts shape = {.work = "N",
                                             .steps = "N/P*(1 + (P > 20000))",
                                             .valid = "floor(sqrt(P))^2 == P"};
    struct mt_cliffs cliffs = look(&shape, &microseconds, true, 1, 50000);
    assert_int_equal(cliffs.count, 1);
    assert_true(cliffs.cliffs[0].from == 141 * 141);
    assert_true(cliffs.cliffs[0].to == 142 * 142);
    mt_cliffs_clear(&cliffs);
}

static const struct mt_components microseconds_crossings = {.costs = {1e-6}};

/* The leading algorithm from a number of nodes on, at size 1e8. */
static struct mt_crossings compare(const struct shape_texts *a,
                                   const struct shape_texts *b, struct mt_span nodes)
{
    struct surface_case of_a, of_b;
    struct mt_crossings crossings = {0};
    surface_case_make(&of_a, a, &microseconds_crossings, 1e6, 0);
    surface_case_make(&of_b, b, &microseconds_crossings, 1e6, 0);
    assert_int_equal(
        mt_crossings_find(&crossings, of_a.surface, of_b.surface, 1e8, nodes, NULL),
        MT_OK);
    surface_case_clear(&of_a);
    surface_case_clear(&of_b);
    return crossings;
}

/* "about 160 PEs"; and at each number of nodes the leader leads. */
static void ap1000_overtakes_cenju3(void **state)
{
    (void)state;
    struct surface_case ap1000, cenju3;
    surface_case_ap1000(&ap1000);
    surface_case_cenju3(&cenju3);
    const struct mt_span span = {1, 256};
    struct mt_crossings found = {0};
    assert_int_equal(
        mt_crossings_find(&found, cenju3.surface, ap1000.surface, 2048, span, NULL),
        MT_OK);
    assert_int_equal(found.count, 2);
    assert_true(found.crossings[0].nodes == 1 && !found.crossings[0].b_faster);
    assert_true(found.crossings[1].b_faster);
    assert_in_range((uintmax_t)found.crossings[1].nodes, 150, 170);
    for (int p = 1; p <= 256; p++)
        assert_int_equal(p >= found.crossings[1].nodes,
                         mt_surface_at(ap1000.surface, 2048, p).seconds <
                             mt_surface_at(cenju3.surface, 2048, p).seconds);
    mt_crossings_clear(&found);
    assert_int_equal(found.count, 0);
    assert_null(found.crossings);
    surface_case_clear(&ap1000);
    surface_case_clear(&cenju3);
}

/* 2 N/P against N/P + P: equal where P^2 = N. */
static const struct shape_texts slow = {.work = "N", .steps = "2*N/P"};
static const struct shape_texts crowded = {.work = "N", .steps = "N/P + P"};

static void a_crossing_is_exact(void **state)
{
    (void)state;
    static const struct mt_span spans[] = {{9000, 11000}, {1, 1e6}};
    for (int i = 0; i < 2; i++) {
        struct mt_crossings found = compare(&slow, &crowded, spans[i]);
        assert_int_equal(found.count, 2);
        assert_true(found.crossings[0].nodes == spans[i].low);
        assert_true(found.crossings[0].b_faster);
        assert_true(found.crossings[1].nodes == 10000);
        assert_false(found.crossings[1].b_faster);
        mt_crossings_clear(&found);
        found = compare(&crowded, &slow, spans[i]);
        assert_int_equal(found.count, 2);
        assert_true(found.crossings[1].nodes == 10001);
        assert_true(found.crossings[1].b_faster);
        mt_crossings_clear(&found);
    }
}

static void numbers_that_are_not_valid_are_passed_over(void **state)
{
    (void)state;
    static const struct shape_texts squares = {
        .work = "N", .steps = "N/P + P", .valid = "floor(sqrt(P))^2 == P"};
    static const struct mt_span spans[] = {{9000, 11000}, {2, 1e5}};
    for (int i = 0; i < 2; i++) {
        struct mt_crossings found = compare(&squares, &slow, spans[i]);
        assert_int_equal(found.count, 2);
        assert_true(found.crossings[0].nodes == (i == 0 ? 95. * 95 : 4.));
        assert_false(found.crossings[0].b_faster);
        assert_true(found.crossings[1].nodes == 101. * 101);
        assert_true(found.crossings[1].b_faster);
        mt_crossings_clear(&found);
    }
    static const struct shape_texts never = {.work = "N", .valid = "0"};
    struct mt_crossings none = compare(&never, &slow, spans[0]);
    assert_int_equal(none.count, 0);
    assert_null(none.crossings);
}

static void they_may_cross_many_times(void **state)
{
    (void)state;
    static const struct shape_texts even = {.work = "N", .steps = "N/P*(1 + P % 2)"};
    static const struct shape_texts odd = {.work = "N", .steps = "N/P*(2 - P % 2)"};
    const struct mt_span span = {1, 100};
    struct mt_crossings found = compare(&even, &odd, span);
    assert_int_equal(found.count, 100);
    for (int i = 0; i < 100; i++) {
        assert_true(found.crossings[i].nodes == i + 1);
        assert_int_equal(found.crossings[i].b_faster, i % 2 == 0);
    }
    mt_crossings_clear(&found);
}

static void nothing_overtakes_itself(void **state)
{
    (void)state;
    /* the same numbers, but for rounding */
    static const struct shape_texts other = {.work = "N", .steps = "N/(P/2)"};
    const struct mt_span span = {1, 4000};
    struct mt_crossings found = compare(&slow, &other, span);
    assert_int_equal(found.count, 1);
    assert_false(found.crossings[0].b_faster);
    mt_crossings_clear(&found);
}

static void other_work_cannot_be_compared(void **state)
{
    (void)state;
    static const struct shape_texts adds = {.work = "N^3"}, both = {.work = "2*N^3"};
    const struct mt_span span = {1, 10};
    struct surface_case a, b;
    struct mt_crossings untouched = {.count = 7};
    struct mt_error err;
    surface_case_make(&a, &adds, &microseconds_crossings, 1e6, 0);
    surface_case_make(&b, &both, &microseconds_crossings, 1e6, 0);
    assert_int_equal(
        mt_crossings_find(&untouched, a.surface, b.surface, 100, span, &err),
        MT_EINVAL);
    assert_contains(err.text, "'N^3' and '2*N^3'");
    assert_int_equal(untouched.count, 7);
    surface_case_clear(&a);
    surface_case_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sharp_cache_is_a_cliff),
        cmocka_unit_test(a_cliff_is_found_among_many_sizes),
        cmocka_unit_test(a_slope_is_none),
        cmocka_unit_test(what_falls_everywhere_is_one_cliff),
        cmocka_unit_test(a_cliff_ends_where_it_gets_flat),
        cmocka_unit_test(uneven_rows_are_cliffs),
        cmocka_unit_test(memory_is_not_a_cliff),
        cmocka_unit_test(one_node_more_is_a_small_step),
        cmocka_unit_test(squares_are_looked_at),
        cmocka_unit_test(squares_are_found_among_many_nodes),
        cmocka_unit_test(ap1000_overtakes_cenju3),
        cmocka_unit_test(a_crossing_is_exact),
        cmocka_unit_test(numbers_that_are_not_valid_are_passed_over),
        cmocka_unit_test(they_may_cross_many_times),
        cmocka_unit_test(nothing_overtakes_itself),
        cmocka_unit_test(other_work_cannot_be_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
