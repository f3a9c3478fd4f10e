/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/surface/internal.h"
#include "tests/unit/surface_cases.h"

#include "tests/unit/test.h"

static const struct mt_components microseconds = {.costs = {1e-6}};

/* What leads from how many nodes on, at size 1e8. */
static struct mt_crossings compare(const struct shape_texts *a,
                                   const struct shape_texts *b, struct mt_span nodes)
{
    struct surface_case of_a, of_b;
    struct mt_crossings crossings = {0};
    surface_case_make(&of_a, a, &microseconds, 1e6, 0);
    surface_case_make(&of_b, b, &microseconds, 1e6, 0);
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
    surface_case_make(&a, &adds, &microseconds, 1e6, 0);
    surface_case_make(&b, &both, &microseconds, 1e6, 0);
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
        cmocka_unit_test(ap1000_overtakes_cenju3),
        cmocka_unit_test(a_crossing_is_exact),
        cmocka_unit_test(numbers_that_are_not_valid_are_passed_over),
        cmocka_unit_test(they_may_cross_many_times),
        cmocka_unit_test(nothing_overtakes_itself),
        cmocka_unit_test(other_work_cannot_be_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
