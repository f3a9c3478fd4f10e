/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/surface/internal.h"
#include "tests/unit/test.h"

/* The axis of a text, as a list: "1,2,4". */
static const char *list(const char *text)
{
    static char printed[256];
    struct mt_axis axis = {0};
    assert_int_equal(mt_axis_parse(&axis, text, NULL), MT_OK);
    size_t length = 0;
    for (int i = 0; i < axis.count; i++)
        length += (size_t)snprintf(printed + length, sizeof printed - length, "%s%.15g",
                                   i == 0 ? "" : ",", axis.values[i]);
    mt_axis_clear(&axis);
    return printed;
}

static void reads_numbers_and_lists(void **state)
{
    (void)state;
    assert_string_equal(list("32"), "32");
    assert_string_equal(list("1,10,100"), "1,10,100");
    assert_string_equal(list("1e3"), "1000");
}

static void sorts_lists_and_drops_what_comes_twice(void **state)
{
    (void)state;
    assert_string_equal(list("100,1,10,1"), "1,10,100");
}

static void ranges_double(void **state)
{
    (void)state;
    assert_string_equal(list("1:8"), "1,2,4,8");
    assert_string_equal(list("3:20"), "3,6,12,20");
    assert_string_equal(list("7:7"), "7");
}

static void ranges_have_a_factor_or_a_step(void **state)
{
    (void)state;
    assert_string_equal(list("64:256:x1.5"), "64,96,144,216,256");
    assert_string_equal(list("64:256:64"), "64,128,192,256");
    assert_string_equal(list("1:10:4"), "1,5,9,10");
}

static void small_factors_go_by_one(void **state)
{
    (void)state;
    assert_string_equal(list("1:4:x1.0000001"), "1,2,3,4");
}

static void names_its_span(void **state)
{
    (void)state;
    struct mt_axis axis = {0};
    assert_int_equal(mt_axis_parse(&axis, "3:20", NULL), MT_OK);
    assert_close(mt_axis_span(&axis).low, 3.0, 0);
    assert_close(mt_axis_span(&axis).high, 20.0, 0);
    mt_axis_clear(&axis);
}

static void refuses_what_is_no_axis(void **state)
{
    (void)state;
    const char *wrong[] = {"",      "x",        "0",
                           "-1",    "1.5",      "nan",
                           "inf",   "1,",       "1,,2",
                           "1:",    ":8",       "8:4",
                           "1:8:0", "1:8:x1",   "1:8:x0.5",
                           "1:8:x", "1:8:xinf", "1:2:3:4",
                           "1 2",   "1;2",      "99999999999999999999",
                           ",1",    "1:8:x2y",  "1:8:",
                           "0:8"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct mt_axis axis = {0};
        struct mt_error err = {0};
        if (mt_axis_parse(&axis, wrong[i], &err) != MT_EINVAL)
            fail_msg("'%s' is taken for an axis", wrong[i]);
        assert_contains(err.text, wrong[i]);
        assert_null(axis.values);
    }
}

static void refuses_too_many_numbers(void **state)
{
    (void)state;
    struct mt_axis axis = {0};
    struct mt_error err = {0};
    assert_int_equal(mt_axis_parse(&axis, "1:4096:1", &err), MT_OK);
    assert_int_equal(axis.count, MT_MAX_AXIS);
    mt_axis_clear(&axis);
    assert_int_equal(mt_axis_parse(&axis, "1:4097:1", &err), MT_EINVAL);
    assert_contains(err.text, "more than 4096 numbers");
}

static void refuses_more_nodes_than_machines_have(void **state)
{
    (void)state;
    struct mt_axis axis = {0};
    struct mt_error err = {0};
    assert_int_equal(mt_axis_parse_nodes(&axis, "1,1000000", &err), MT_OK);
    mt_axis_clear(&axis);
    assert_int_equal(mt_axis_parse_nodes(&axis, "1,1000001", &err), MT_EINVAL);
    assert_string_equal(err.text, "'1,1000001': a machine has 1000000 nodes at most");
    assert_null(axis.values);
}

static void tells_one_number_from_several(void **state)
{
    (void)state;
    struct mt_error err = {0};
    double number = 0;
    assert_int_equal(mt_axis_parse_single(&number, "7", &err), MT_OK);
    assert_close(number, 7, 0);
    assert_int_equal(mt_axis_parse_single(&number, "7,8", &err), MT_EINVAL);
    assert_string_equal(err.text, "'7,8': one number is needed");
    assert_close(number, 7, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_numbers_and_lists),
        cmocka_unit_test(sorts_lists_and_drops_what_comes_twice),
        cmocka_unit_test(ranges_double),
        cmocka_unit_test(ranges_have_a_factor_or_a_step),
        cmocka_unit_test(small_factors_go_by_one),
        cmocka_unit_test(names_its_span),
        cmocka_unit_test(refuses_what_is_no_axis),
        cmocka_unit_test(refuses_too_many_numbers),
        cmocka_unit_test(refuses_more_nodes_than_machines_have),
        cmocka_unit_test(tells_one_number_from_several),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
