/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/input/internal.h"
#include "lib/plan/internal.h"
#include "plan_cases.h"
#include "tests/unit/test.h"

enum { CASES = 60 };

static void set_up(struct mt_predictor *predictor, struct plan_case *c, uint64_t number)
{
    plan_case_threads(c, number);
    c->program.name = c->cluster.name;
    *predictor = (struct mt_predictor){.problem = plan_case_problem(c)};
}

static void tear_down(struct plan_case *c)
{
    c->program.name = NULL;
    plan_case_clear(c);
}

/* Predicted seconds of all nodes of a group in one of its layouts; infinite: none. */
static double seconds_alone(const struct mt_predictor *predictor, int g, int i,
                            double size)
{
    const struct mt_group *group = &predictor->problem.cluster->groups[g];
    struct mt_configuration configuration = {0};
    struct mt_prediction prediction;
    configuration.use[g] = mt_use_nodes(group->nodes, group->layouts[i]);
    return mt_plan_fits(predictor->problem.cluster, predictor->problem.program,
                        &configuration, size) &&
                   mt_predictor_predict(predictor, &configuration, size, &prediction,
                                        NULL) == MT_OK
               ? prediction.seconds
               : INFINITY;
}

static void rivals_use_all_nodes_in_the_fastest_layouts(void **state)
{
    (void)state;
    int groups = 0, all = 0;
    for (uint64_t number = 1; number <= CASES; number++) {
        struct plan_case c;
        struct mt_predictor predictor;
        struct mt_rivals rivals;
        double least = INFINITY;
        set_up(&predictor, &c, number);
        const double size = c.question.size;
        mt_rivals_find(&rivals, &predictor, size);
        for (int g = 0; g < c.cluster.ngroups; g++)
            for (int i = 0; i < c.cluster.groups[g].nlayouts; i++)
                if (c.cluster.groups[g].nodes > 0)
                    least = fmin(least, seconds_alone(&predictor, g, i, size));
        assert_int_equal(rivals.group.nodes > 0, isfinite(least));
        if (rivals.group.nodes > 0) {
            const struct mt_group *group = &c.cluster.groups[rivals.only_group];
            assert_true(rivals.group.prediction.seconds == least);
            assert_int_equal(rivals.group.nodes, group->nodes);
            groups++;
        }
        for (int g = 0; g < c.cluster.ngroups && rivals.all.nodes > 0; g++)
            assert_int_equal(rivals.all.configuration.use[g].nodes,
                             c.cluster.groups[g].nodes);
        assert_true(rivals.all.nodes == 0 || c.cluster.ngroups > 1);
        all += rivals.all.nodes > 0;
        assert_int_equal(rivals.last.nodes, 0);
        tear_down(&c);
    }
    assert_true(groups > CASES / 4 && all > 0);
}

/* Where the group that is the fastest alone always failed, nothing is compared with it.
 */
static void what_failed_is_no_rival(void **state)
{
    (void)state;
    int failed = 0;
    for (uint64_t number = 1; number <= CASES; number++) {
        struct plan_case c;
        struct mt_predictor predictor;
        struct mt_rivals rivals;
        set_up(&predictor, &c, number);
        const double size = c.question.size;
        mt_rivals_find(&rivals, &predictor, size);
        const struct mt_configuration fastest = rivals.group.configuration;
        struct mt_sample run = {.configuration = fastest, .size = size};
        predictor.samples = (struct mt_samples){.failed = &run, .nfailed = 1};
        if (rivals.group.nodes > 0) {
            mt_rivals_find(&rivals, &predictor, size);
            assert_false(mt_configuration_equal(&rivals.group.configuration, &fastest));
            failed++;
        }
        tear_down(&c);
    }
    assert_true(failed > 0);
}

static void what_ran_last_is_of_the_size_and_as_measured(void **state)
{
    (void)state;
    struct plan_case c;
    struct mt_predictor predictor;
    struct mt_rivals rivals;
    set_up(&predictor, &c, 1);
    const double size = c.question.size;
    const struct mt_use one = mt_use_nodes(1, c.cluster.groups[0].layouts[0]);
    struct mt_sample runs[] = {{.size = size, .seconds = 7},
                               {.size = 2 * size, .seconds = 3}};
    struct mt_measured measured = {.size = size, .seconds = 7, .runs = 1};
    runs[0].configuration.use[0] = runs[1].configuration.use[0] = one;
    measured.configuration.use[0] = one;
    predictor.samples = (struct mt_samples){.samples = runs, .count = 2};
    predictor.measured = (struct mt_measured_list){.all = &measured, .count = 1};
    mt_rivals_find(&rivals, &predictor, size);
    assert_int_equal(rivals.last.nodes, 1);
    assert_true(rivals.last.prediction.seconds == 7);
    mt_rivals_find(&rivals, &predictor, 3 * size);
    assert_int_equal(rivals.last.nodes, 0);
    tear_down(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rivals_use_all_nodes_in_the_fastest_layouts),
        cmocka_unit_test(what_failed_is_no_rival),
        cmocka_unit_test(what_ran_last_is_of_the_size_and_as_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
