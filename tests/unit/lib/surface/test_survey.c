/* SPDX-License-Identifier: BSD-3-Clause */
/* What is found on a surface as a whole: surveys and comparisons. */
#include "lib/surface/internal.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_survey_has_the_surfaces_values),
        cmocka_unit_test(without_axes_a_survey_is_of_what_makes_sense),
        cmocka_unit_test(a_machine_without_a_memory_does_not_say_which_sizes),
        cmocka_unit_test(a_comparison_is_of_what_both_have),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
