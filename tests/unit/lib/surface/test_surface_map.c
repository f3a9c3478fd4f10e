/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/surface/map.h"

#include "tests/unit/surface_cases.h"
#include "tests/unit/test.h"

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
    struct surface_case ap1000;
    struct mt_surface_map map = {
        .nodes = nodes, .sizes = sizes, .columns = 9, .rows = 61};
    surface_case_ap1000(&ap1000);
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
        cmocka_unit_test(cells_are_evenly_spaced_on_a_logarithmic_axis),
        cmocka_unit_test(cells_have_the_surfaces_values),
        cmocka_unit_test(only_squares_are_valid_but_all_cells_have_values),
        cmocka_unit_test(a_map_of_nothing_is_refused),
        cmocka_unit_test(steps_make_use_of_ten_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
