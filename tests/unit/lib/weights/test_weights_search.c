/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/input/internal.h"
#include "tests/unit/lib/plan/plan_cases.h"
#include "tests/unit/test.h"
#include "weights_lab.h"

#include "lib/stats/random.h"

#include <string.h>

/* A number that is at least 0 and less than 1. */
static double uniform(uint64_t *state)
{
    return mt_random_uniform(mt_random_next(state));
}

/* T = a N^2 / P + b P: with weights N^2 / sum of ranks / a, and b P. Of all
   configurations the least. */
static double least_seconds(const struct lab *lab, double n)
{
    struct mt_configuration configuration = {{{0}}};
    double least = INFINITY;
    while (mt_configuration_next(&configuration, &lab->cluster)) {
        double speed = 0;
        for (int m = 0; m < lab->predictor.models.count; m++) {
            const struct mt_model *model = &lab->models[m];
            const struct mt_use *use =
                &configuration.use[mt_cluster_find_group(&lab->cluster, model->group)];
            if (use->layout.processes == model->layout.processes)
                speed += use->nodes * use->layout.processes / model->coefficients[0];
        }
        const int ranks = mt_configuration_ranks(&configuration);
        const bool across = mt_configuration_nodes(&configuration) > 1;
        least = fmin(least, n * n / speed +
                                (across ? lab->models[0].coefficients[1] * ranks : 0));
    }
    return least;
}

static void equals_trying_all(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int number = 0; number < 60; number++) {
        struct lab lab;
        lab_init(&lab, "N^2/P, (P>M)*(P)", 2);
        const double network = 3e-3 * uniform(&random);
        const int groups = 1 + (int)(4 * uniform(&random));
        for (int g = 0; g < groups; g++) {
            const double slowness = (1 + 9 * uniform(&random)) * 1e-6;
            add_group(&lab, 1 + (int)(5 * uniform(&random)), 2,
                      (double[]){slowness, network}, 2);
            /* two processes of a node are slower than one, but not twice as slow */
            const int last = lab.predictor.models.count - 1;
            lab.models[last].coefficients[0] *= 1 + 1.2 * uniform(&random);
        }
        const struct mt_weights weights = find(&lab, 1000, NULL);
        assert_close(weights.prediction.seconds, least_seconds(&lab, 1000), 1e-6);
        assert_close(sum_of_shares(&weights), 1, 1e-12);
        lab_clear(&lab);
    }
}

/* Whatever the models, the shares add up, and the best even plan is no faster. */
static void never_slower_than_the_best_even_plan(void **state)
{
    (void)state;
    int found = 0, gained = 0;
    for (uint64_t number = 1; number <= 150; number++) {
        struct plan_case c;
        struct mt_predictor predictor = {0};
        struct mt_weights weights;
        struct mt_error err = {0};
        plan_case_mixed(&c, number);
        for (int i = 0; i < c.models.count; i++)
            c.models.models[i].terms_text = strdup("1e6/P, P, 1, log(P)");
        c.models.kind = MT_MODEL_AUTO;
        predictor.models = c.models;
        predictor.problem =
            (struct mt_problem){&c.cluster, &c.program, &predictor.models};
        const int status =
            mt_weights_find(&weights, &predictor, c.question.size, NULL, &err);
        if (status != MT_OK) {
            assert_true(status == MT_EINFEASIBLE || status == MT_ENOTFOUND);
            assert_int_not_equal(err.text[0], 0);
        } else {
            found++;
            assert_close(sum_of_shares(&weights), 1, 1e-9);
            assert_true(weights.even.nodes == 0 ||
                        weights.prediction.seconds <= weights.even.prediction.seconds);
            gained += weights.even.nodes > 0 &&
                      weights.prediction.seconds < weights.even.prediction.seconds;
        }
        plan_case_clear(&c);
    }
    assert_in_range(found, 75, 150);
    assert_in_range(gained, 20, 150);
}

/* Too many configurations to try: without network costs all nodes are the best. */
static void large_clusters_are_climbed(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, "N^2/P, (P>M)*(1)", 2);
    double speed = 0;
    for (int g = 0; g < 4; g++) {
        const double slowness = (1 + g) * 1e-6;
        add_group(&lab, 25000, 2, (double[]){slowness, 1e-9}, 2);
        lab.models[2 * g + 1].coefficients[0] *= 1.5;
        speed += 25000 * 2 / slowness / 1.5;
    }
    const struct mt_weights weights = find(&lab, 1e6, NULL);
    assert_false(weights.exact);
    is_configuration(&lab, &weights, "a:25000x2+b:25000x2+c:25000x2+d:25000x2");
    assert_close(weights.prediction.seconds, 1e12 / speed + 1e-9, 1e-6);
    lab_clear(&lab);
}

/* Two configurations are as good within a thousandth, and one of them was run. */
static void what_was_run_is_preferred(void **state)
{
    (void)state;
    struct lab lab;
    struct mt_sample run = {.size = 1000, .seconds = 0.9};
    struct mt_error err = {0};
    lab_init(&lab, "N^2/P, (P>M)*(P)", 1);
    add_group(&lab, 1, 1, (double[]){1e-6, 0.2}, 2);
    add_group(&lab, 1, 1, (double[]){1e-6, 0.2}, 2);
    add_group(&lab, 1, 1, (double[]){0.995e-6, 0.2}, 2);
    const struct mt_weights before = find(&lab, 1000, NULL);
    is_configuration(&lab, &before, "a:1x1+c:1x1");

    assert_int_equal(
        mt_configuration_parse(&run.configuration, &lab.cluster, "a:1x1+b:1x1", &err),
        MT_OK);
    assert_int_equal(mt_calibration_init(&lab.predictor.calibration,
                                         &lab.predictor.problem, &run, 1, &err),
                     MT_OK);
    lab.predictor.corrections = 1;
    const struct mt_weights after = find(&lab, 1000, NULL);
    is_configuration(&lab, &after, "a:1x1+b:1x1");
    mt_calibration_clear(&lab.predictor.calibration);
    lab_clear(&lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_trying_all),
        cmocka_unit_test(never_slower_than_the_best_even_plan),
        cmocka_unit_test(large_clusters_are_climbed),
        cmocka_unit_test(what_was_run_is_preferred),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
