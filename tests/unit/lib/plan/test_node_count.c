/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/plan.h"
#include "tests/unit/test.h"

static struct mt_scaling_run run_of(int nodes, double size, double seconds)
{
    static char group[] = "xeon";
    return (struct mt_scaling_run){.group = group,
                                   .layout = {.processes = 8},
                                   .nodes = nodes,
                                   .size = size,
                                   .seconds = seconds};
}

/* T = 100 / n + 5: an efficiency of 105 / (100 + 5 n). */
static double seconds_on(int nodes)
{
    return 100.0 / nodes + 5;
}

static void the_answer_is_where_the_law_has_the_efficiency(void **state)
{
    struct mt_scaling scaling = {0};
    struct mt_scaling_run runs[5];
    const struct mt_scaling_question question = {.efficiency = 0.6, .confidence = 0.5};
    (void)state;
    for (int i = 0; i < 5; i++)
        runs[i] = run_of(1 << i, 400, seconds_on(1 << i));
    assert_int_equal(mt_scaling_find(&scaling, runs, 4, &question, NULL), MT_OK);
    assert_int_equal(scaling.count, 1);
    const struct mt_scaling_series *series = scaling.series;
    assert_int_equal(series->most, 8);
    assert_int_equal(series->points[0].nodes, 1);
    assert_close(series->points[3].efficiency, 105.0 / 140, 1e-12);
    assert_close(series->points[3].speedup, 8 * 105.0 / 140, 1e-12);
    /* 105 / (100 + 5 n) = 0.6 for n = 15 */
    const struct mt_scaling_point *answer = &series->points[series->answer];
    assert_in_range(answer->nodes, 14, 16);
    assert_true(answer->chance >= 0.5 && answer->chance < 0.8);
    assert_true(isnan(answer->measured));
    assert_int_equal(series->points[series->count - 1].nodes, 16);
    mt_scaling_clear(&scaling);
    /* with a run on 16, which has 105 / 180, the answer is below it */
    assert_int_equal(mt_scaling_find(&scaling, runs, 5, &question, NULL), MT_OK);
    assert_int_equal(scaling.series->points[scaling.series->answer].nodes, 15);
    mt_scaling_clear(&scaling);
}

static void points_ascend_and_the_order_of_runs_does_not_matter(void **state)
{
    struct mt_scaling scaling = {0}, again = {0};
    struct mt_scaling_run runs[8], turned[8];
    const struct mt_scaling_question question = {.efficiency = 0.7, .confidence = 0.8};
    (void)state;
    for (int i = 0; i < 8; i++) {
        runs[i] = run_of(2 << i % 4, i < 4 ? 400 : 800,
                         (i < 4 ? 1 : 2) * seconds_on(2 << i % 4));
        turned[7 - i] = runs[i];
        turned[7 - i].layout.threads = 1; /* is not written */
    }
    assert_int_equal(mt_scaling_find(&scaling, runs, 8, &question, NULL), MT_OK);
    assert_int_equal(mt_scaling_find(&again, turned, 8, &question, NULL), MT_OK);
    assert_int_equal(scaling.count, 2);
    assert_int_equal(again.count, 2);
    for (int s = 0; s < 2; s++) {
        const struct mt_scaling_series *series = &scaling.series[s];
        assert_close(series->size, s == 0 ? 400 : 800, 0);
        assert_int_equal(series->count, again.series[s].count);
        assert_int_equal(series->answer, again.series[s].answer);
        for (int i = 1; i < series->count; i++)
            assert_true(series->points[i].nodes > series->points[i - 1].nodes);
    }
    mt_scaling_clear(&scaling);
    mt_scaling_clear(&again);
}

static void weak_runs_have_the_time_of_the_fewest_nodes(void **state)
{
    struct mt_scaling scaling = {0};
    struct mt_scaling_run runs[3];
    const struct mt_scaling_question question = {.efficiency = 0.9, .confidence = 0.8};
    (void)state;
    for (int i = 0; i < 3; i++)
        runs[i] = run_of(2 << i, 100 << i, 10 + i);
    assert_int_equal(mt_scaling_find(&scaling, runs, 3, &question, NULL), MT_OK);
    const struct mt_scaling_series *series = scaling.series;
    assert_int_equal(scaling.count, 1);
    assert_true(series->weak);
    assert_close(series->points[1].efficiency, 10.0 / 11, 1e-12);
    assert_int_equal(series->points[series->answer].nodes, 4);
    assert_int_equal(series->points[series->count - 1].nodes, 16);
    assert_close(series->points[series->count - 1].size, 800, 1e-9);
    mt_scaling_clear(&scaling);
}

static void what_is_impossible_is_refused(void **state)
{
    struct mt_scaling scaling = {0};
    struct mt_error err;
    const struct mt_scaling_question question = {.efficiency = 0.7, .confidence = 0.8};
    const struct mt_scaling_question too_much = {.efficiency = 1.2, .confidence = 0.8};
    const struct mt_scaling_question certain = {.efficiency = 0.7, .confidence = 1};
    struct mt_scaling_run runs[2] = {run_of(1, 400, 10), run_of(1, 400, 11)};
    (void)state;
    assert_int_equal(mt_scaling_find(&scaling, runs, 2, &question, &err), MT_ERANK);
    assert_contains(err.text, "one number of nodes only");
    assert_int_equal(mt_scaling_find(&scaling, runs, 0, &question, &err), MT_ERANK);
    assert_int_equal(mt_scaling_find(&scaling, runs, 2, &too_much, &err), MT_EINVAL);
    assert_contains(err.text, "at most 1");
    assert_int_equal(mt_scaling_find(&scaling, runs, 2, &certain, &err), MT_EINVAL);
    runs[1] = run_of(2, 400, NAN);
    assert_int_equal(mt_scaling_find(&scaling, runs, 2, &question, &err), MT_EINVAL);
    assert_contains(err.text, "time of a run is not positive");
    runs[1] = run_of(2, 0, 11);
    assert_int_equal(mt_scaling_find(&scaling, runs, 2, &question, &err), MT_EINVAL);
    runs[1] = run_of(0, 400, 11);
    assert_int_equal(mt_scaling_find(&scaling, runs, 2, &question, &err), MT_EINVAL);
    runs[1] = run_of(MT_MOST_NODES, 400, 11);
    runs[1].layout.processes = 4096;
    assert_int_equal(mt_scaling_find(&scaling, runs, 2, &question, &err), MT_EINVAL);
    assert_contains(err.text, "too many");
    assert_null(scaling.series);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_is_where_the_law_has_the_efficiency),
        cmocka_unit_test(points_ascend_and_the_order_of_runs_does_not_matter),
        cmocka_unit_test(weak_runs_have_the_time_of_the_fewest_nodes),
        cmocka_unit_test(what_is_impossible_is_refused),
    };
    return cmocka_run_group_tests_name("node_count", tests, NULL, NULL);
}
