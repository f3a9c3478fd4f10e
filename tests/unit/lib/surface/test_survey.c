/* SPDX-License-Identifier: BSD-3-Clause */
/* Results about a surface as a whole: surveys and comparisons. */
#include "lib/surface/internal.h"
#include "lib/surface/map.h"
#include "tests/unit/surface_cases.h"
#include "tests/unit/test.h"

static struct surface_case ap1000, cenju3;

static int set_up(void **state)
{
    (void)state;
    surface_case_ap1000(&ap1000);
    surface_case_cenju3(&cenju3);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    surface_case_clear(&ap1000);
    surface_case_clear(&cenju3);
    return 0;
}

static void a_survey_has_the_surfaces_values(void **state)
{
    (void)state;
    double sizes[] = {64, 512, 1024}, nodes[] = {1, 16};
    const struct mt_axis size_axis = {sizes, 3}, node_axis = {nodes, 2};
    const double levels[] = {0.5, 0.9};
    const struct mt_survey_request request = {.nodes = &node_axis,
                                              .sizes = &size_axis,
                                              .base = 64,
                                              .levels = levels,
                                              .nlevels = 2};
    struct mt_survey survey = {0};
    assert_int_equal(mt_survey_make(&survey, ap1000.surface, &request, NULL), MT_OK);
    for (int i = 0; i < 6; i++)
        assert_close(survey.points[i].seconds,
                     mt_surface_at(ap1000.surface, sizes[i / 2], nodes[i % 2]).seconds,
                     1e-12);
    struct mt_surface_point best;
    double size = 0;
    assert_true(mt_best_size(ap1000.surface, 16, survey.span, &best, &size));
    assert_true(survey.ridge[1].found);
    assert_close(survey.ridge[1].size, size, 0);
    assert_close(survey.speedups[0].speedups[MT_SPEEDUP_FIXED_SIZE], 1, 1e-12);
    assert_close(survey.speedups[1].sizes[MT_SPEEDUP_MEMORY_BOUNDED], 256, 1e-12);
    assert_int_equal(survey.nisos, 4);
    assert_close(survey.isos[3].efficiency, 0.9, 0);
    assert_close(survey.isos[3].nodes, 16, 0);
    mt_survey_clear(&survey);
    assert_null(survey.points);
}

static void without_axes_a_survey_is_of_what_makes_sense(void **state)
{
    (void)state;
    struct mt_survey survey = {0};
    const struct mt_survey_request request = {0};
    assert_int_equal(mt_survey_make(&survey, ap1000.surface, &request, NULL), MT_OK);
    assert_close(mt_axis_span(&survey.nodes).low, 1, 0);
    assert_close(mt_axis_span(&survey.nodes).high, 512, 0);
    /* 24 N^2/512 bytes fit into 16 MiB. */
    assert_close(survey.span.high, floor(sqrt(512 * 16.0 * 1024 * 1024 / 24)), 0);
    assert_null(survey.speedups);
    mt_survey_clear(&survey);
}

static void a_machine_without_a_memory_does_not_say_which_sizes(void **state)
{
    (void)state;
    struct surface_case endless;
    struct mt_survey survey = {0};
    const struct mt_survey_request request = {0};
    struct mt_error err;
    char name[] = "endless";
    surface_case_make(&endless, &multiplication_a, &ap1000_components, 2.78e6, 0);
    endless.machine.name = name;
    assert_int_equal(mt_survey_make(&survey, endless.surface, &request, &err),
                     MT_EINVAL);
    assert_contains(err.text, "which sizes fit");
    surface_case_clear(&endless);
}

static void a_comparison_is_of_what_both_have(void **state)
{
    (void)state;
    double sizes[] = {512, 2048};
    const struct mt_axis size_axis = {sizes, 2};
    struct mt_comparison comparison = {.surfaces = {cenju3.surface, ap1000.surface}};
    cenju3.machine.nodes = 256;
    assert_int_equal(mt_comparison_make(&comparison, NULL, &size_axis, NULL), MT_OK);
    assert_close(mt_axis_span(&comparison.nodes).high, 256, 0);
    struct mt_crossings alone = {0};
    assert_int_equal(mt_crossings_find(&alone, cenju3.surface, ap1000.surface, 2048,
                                       (struct mt_span){1, 256}, NULL),
                     MT_OK);
    assert_int_equal(comparison.crossings[1].count, alone.count);
    for (int i = 0; i < alone.count; i++)
        assert_close(comparison.crossings[1].crossings[i].nodes,
                     alone.crossings[i].nodes, 0);
    mt_crossings_clear(&alone);
    mt_comparison_clear(&comparison);
    cenju3.machine.nodes = 512;
}

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

static const struct mt_span nodes = {1, 256}, sizes = {64, 4096};

static void cells_are_evenly_spaced_on_a_logarithmic_axis(void **state)
{
    (void)state;
    assert_close(mt_span_at(nodes, 0, 9), 1, 1e-12);
    assert_close(mt_span_at(nodes, 3, 9), 8, 1e-12);
    assert_close(mt_span_at(nodes, 8, 9), 256, 1e-12);
    assert_close(mt_span_cell(sizes, 512, 7), 3, 1e-12);
    assert_close(mt_span_cell(sizes, mt_span_at(sizes, 2.7, 7), 7), 2.7, 1e-12);
}

static void cells_have_the_surfaces_values(void **state)
{
    (void)state;
    struct mt_surface_map map = {
        .nodes = nodes, .sizes = sizes, .columns = 9, .rows = 61};
    assert_int_equal(mt_surface_map_make(&map, ap1000.surface, NULL), MT_OK);
    assert_int_equal(map.nvalid, 9);
    for (int row = 0; row < map.rows; row += 10) {
        for (int column = 0; column < map.columns; column++) {
            const double size = 64 << row / 10, ranks = 1 << column;
            const double value = map.efficiency[row * map.columns + column];
            /* The best of a row is at most a few percent better than its middle. */
            const double middle = mt_surface_at(ap1000.surface, size, ranks).efficiency;
            if (isnan(middle))
                assert_true(isnan(value));
            else
                assert_true(value >= middle && value < 1.1 * middle);
        }
    }
    mt_surface_map_clear(&map);
    surface_case_clear(&ap1000);
}

static void only_squares_are_valid_but_all_cells_have_values(void **state)
{
    (void)state;
    struct shape_texts texts = multiplication_a;
    texts.valid = "sqrt(P) == floor(sqrt(P))";
    struct surface_case squares;
    struct mt_surface_map map = {
        .nodes = nodes, .sizes = sizes, .columns = 65, .rows = 121};
    surface_case_make(&squares, &texts, &ap1000_components, 2.78e6, 0);
    assert_int_equal(mt_surface_map_make(&map, squares.surface, NULL), MT_OK);
    for (int i = 0; i < map.nvalid; i++) {
        const double root = sqrt(map.valid[i]);
        assert_true(root == floor(root));
        assert_true(i == 0 || map.valid[i] > map.valid[i - 1]);
    }
    assert_int_equal(map.nvalid, 16);
    for (int i = 0; i < map.rows * map.columns; i++)
        assert_true(map.efficiency[i] > 0);
    /* Between 16 and 25 nodes, where 20 would be if it were valid. */
    const int column = (int)round(mt_span_cell(nodes, 20, map.columns));
    const double between = map.efficiency[100 * map.columns + column];
    assert_true(between < 1.01 * mt_surface_at(squares.surface, 2048, 16).efficiency);
    assert_true(between > mt_surface_at(squares.surface, 2048, 25).efficiency);
    mt_surface_map_clear(&map);
    surface_case_clear(&squares);
}

static void a_map_of_nothing_is_refused(void **state)
{
    (void)state;
    struct shape_texts texts = multiplication_a;
    texts.valid = "N < 0";
    struct surface_case never;
    struct mt_surface_map map = {
        .nodes = nodes, .sizes = sizes, .columns = 9, .rows = 9};
    struct mt_error err;
    surface_case_make(&never, &texts, &ap1000_components, 2.78e6, 0);
    assert_int_equal(mt_surface_map_make(&map, never.surface, &err), MT_EINVAL);
    assert_contains(err.text, "no size and number of nodes is valid");
    assert_null(map.efficiency);
    map = (struct mt_surface_map){
        .nodes = nodes, .sizes = {64, 64}, .columns = 9, .rows = 9};
    assert_int_equal(mt_surface_map_make(&map, never.surface, &err), MT_EINVAL);
    assert_contains(err.text, "more than one size");
    assert_null(map.efficiency);
    surface_case_clear(&never);
}

static void steps_make_use_of_ten_colours(void **state)
{
    (void)state;
    static const struct {
        double highest;
        int step;
    } cases[] = {{1.03, 10}, {0.6, 10}, {0.35, 5}, {0.15, 2}, {0.02, 1}, {0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(mt_efficiency_step(cases[i].highest), cases[i].step);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_survey_has_the_surfaces_values),
        cmocka_unit_test(without_axes_a_survey_is_of_what_makes_sense),
        cmocka_unit_test(a_machine_without_a_memory_does_not_say_which_sizes),
        cmocka_unit_test(a_comparison_is_of_what_both_have),
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
        cmocka_unit_test(cells_are_evenly_spaced_on_a_logarithmic_axis),
        cmocka_unit_test(cells_have_the_surfaces_values),
        cmocka_unit_test(only_squares_are_valid_but_all_cells_have_values),
        cmocka_unit_test(a_map_of_nothing_is_refused),
        cmocka_unit_test(steps_make_use_of_ten_colours),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
