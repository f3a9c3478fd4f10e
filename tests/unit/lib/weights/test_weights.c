/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/input/internal.h"
#include "lib/stats/random.h"
#include "tests/unit/lib/plan/plan_cases.h"
#include "tests/unit/test.h"
#include "weights_lab.h"

#include <string.h>

/* T = a N^2 / P: shares as the speeds 1 / a, and all nodes pay; the best even plan
   leaves the slow ones out. */
static void shares_are_proportional_to_speeds(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, "N^2/P", 1);
    add_group(&lab, 4, 1, (double[]){1e-6}, 1);
    add_group(&lab, 3, 1, (double[]){3e-6}, 1);
    add_group(&lab, 2, 1, (double[]){5e-6}, 1);
    const struct mt_weights weights = find(&lab, 1000, NULL);
    const double speeds = 4 + 3 / 3.0 + 2 / 5.0;
    is_configuration(&lab, &weights, "a:4x1+b:3x1+c:2x1");
    assert_true(weights.exact);
    assert_close(weights.share[0], 1 / speeds, 1e-9);
    assert_close(weights.share[1], 1 / 3.0 / speeds, 1e-9);
    assert_close(weights.share[2], 1 / 5.0 / speeds, 1e-9);
    assert_close(weights.prediction.seconds, 1 / speeds, 1e-9);
    assert_close(weights.even.prediction.seconds, 1 / 4.0, 1e-9);
    assert_close(weights.even_there.seconds, 5 / 9.0, 1e-9);
    assert_close(weights.even.prediction.seconds / weights.prediction.seconds,
                 speeds / 4, 1e-9);
    assert_close(weights.prediction.high / weights.prediction.seconds,
                 weights.even_there.high / weights.even_there.seconds, 1e-9);
    lab_clear(&lab);
}

/* Messages of all ranks depend on N and the P that there is: more nodes may not pay. */
static void messages_do_not_depend_on_the_share(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, "N^2/P, (P>M)*(P), (P>M)*(M-1)*(1), (P<=M && P>1)*(1)", 2);
    add_group(&lab, 3, 1, (double[]){1e-6, 2e-2, 1, 1}, 4);
    add_group(&lab, 3, 1, (double[]){2e-6, 8e-2, 1, 1}, 4);
    struct mt_weights weights = find(&lab, 1000, "a:3x1+b:1x1");
    /* 1e-6 N^2 w + 0.08 = 2e-6 N^2 v + 0.32, 3 w + v = 1 */
    const double v = (1 - 0.72) / 7, w = 2 * v + 0.24;
    assert_close(weights.share[0], w, 1e-9);
    assert_close(weights.share[1], v, 1e-9);
    assert_close(weights.prediction.seconds, w + 0.08, 1e-9);
    weights = find(&lab, 1000, NULL);
    is_configuration(&lab, &weights, "a:3x1");
    assert_close(weights.prediction.seconds, 1 / 3.0 + 0.06, 1e-9);
    assert_close(weights.share[0], 1 / 3.0, 1e-9);
    lab_clear(&lab);
}

/* Those that get shorter with more ranks, as faces of parts do, are those of a part. */
static void messages_of_a_part_depend_on_its_share(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, "N^2/P, (P>M)*(N/sqrt(P)), (P>M)*(P), (P<=M && P>1)*(1)", 2);
    add_group(&lab, 3, 1, (double[]){1e-6, 2e-4, 1e-2, 1}, 4);
    add_group(&lab, 3, 1, (double[]){2e-6, 2e-4, 1e-2, 1}, 4);
    const struct mt_weights weights = find(&lab, 1000, "a:2x1+b:3x1");
    const double w = weights.share[0], v = weights.share[1];
    assert_close(2 * w + 3 * v, 1, 1e-12);
    assert_close(w + 0.2 * sqrt(w), 2 * v + 0.2 * sqrt(v), 1e-6);
    assert_close(weights.prediction.seconds, w + 0.2 * sqrt(w) + 0.05, 1e-6);
    /* in one node there are no such messages */
    assert_close(find(&lab, 1000, "a:1x1").prediction.seconds, 1, 1e-9);
    lab_clear(&lab);
}

/* Two ranks of a node, which share what is behind their caches. */
static double seconds_of(double a, double n, double share, int processes)
{
    const double touched = 8 * n * n * share * processes;
    return a * n * n * share * (1 + fmin(1, fmax(0, log2(touched / 1048576))));
}

/* Speed changes with the share: a cache that half of the work outgrows. */
static void shares_know_caches(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, "N^2/P, N^2/P*min(1,max(0,log2(8*N^2/P*M/2^20)))", 2);
    add_group(&lab, 2, 2, (double[]){1e-6, 1e-6}, 2);
    add_group(&lab, 2, 2, (double[]){3e-6, 3e-6}, 2);
    for (double n = 200; n < 1500; n *= 1.07) {
        const struct mt_weights weights = find(&lab, n, "a:2x1+b:2x2");
        const double a = seconds_of(1e-6, n, weights.share[0], 1);
        const double b = seconds_of(3e-6, n, weights.share[1], 2);
        assert_close(a, b, 1e-5);
        assert_close(weights.prediction.seconds, a, 1e-5);
        assert_close(sum_of_shares(&weights), 1, 1e-12);
    }
    lab_clear(&lab);
}

/* What even parts cost because rows are whole is no reason for a share. */
static void rounding_of_even_parts_does_not_count(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, "(N^2/P)*(P*ceil(N/dims(P,2,1))*ceil(N/dims(P,2,2))/N^2)", 1);
    add_group(&lab, 4, 1, (double[]){1e-6}, 1);
    add_group(&lab, 3, 1, (double[]){3e-6}, 1);
    const struct mt_weights weights = find(&lab, 9, NULL);
    is_configuration(&lab, &weights, "a:4x1+b:3x1");
    assert_close(weights.share[0], 1 / 5.0, 1e-9);
    assert_close(weights.share[1], 1 / 15.0, 1e-9);
    assert_close(weights.prediction.seconds, 81e-6 / 5, 1e-6);
    assert_close(weights.even.prediction.seconds, 1e-6 * 25, 1e-9);
    lab_clear(&lab);
}

/* Serial work is done by all in turn, and what groups do not wait for counts by their
   ranks. */
static void serial_work_stays(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, "N^2/P, N", 1);
    add_group(&lab, 2, 1, (double[]){1e-6, 1e-3}, 2);
    add_group(&lab, 2, 1, (double[]){4e-6, 3e-3}, 2);
    lab.models[0].serial[1] = lab.models[1].serial[1] = true;
    lab.predictor.models.mixture.lambda = 0.5;
    const struct mt_weights weights = find(&lab, 100, "a:2x1+b:2x1");
    assert_close(weights.share[0], 4 / 10.0, 1e-9);
    assert_close(weights.prediction.seconds, 4e-3 + 0.2, 1e-9);
    /* half of it waits for the slowest, half evens out */
    assert_close(weights.even_there.seconds, 1e-2 / 2 + (1e-2 + 2.5e-3) / 4 + 0.2,
                 1e-9);
    lab_clear(&lab);
}

/* The fast nodes hold a quarter of the work each: the slow ones get the rest. */
static void memory_limits_shares(void **state)
{
    (void)state;
    struct lab lab;
    struct mt_error err = {0};
    lab_init(&lab, "N^2/P", 1);
    add_group(&lab, 2, 1, (double[]){1e-6}, 1);
    add_group(&lab, 2, 1, (double[]){9e-6}, 1);
    add_group(&lab, 1, 1, (double[]){6e-6}, 1);
    assert_int_equal(mt_expr_parse(&lab.program.memory, "8*N^2/P", NULL), MT_OK);
    lab.groups[0].memory = 8e6 / 4;
    lab.groups[1].memory = 8e6;
    struct mt_weights weights = find(&lab, 1000, NULL);
    is_configuration(&lab, &weights, "a:2x1+b:2x1+c:1x1");
    assert_true(weights.full[0] && !weights.full[1] && !weights.full[2]);
    assert_close(weights.share[0], 1 / 4.0, 1e-9);
    assert_true(weights.share[0] <= 1 / 4.0);
    assert_close(sum_of_shares(&weights), 1, 1e-12);
    assert_close(9 * weights.share[1], 6 * weights.share[2], 1e-9);
    assert_close(weights.prediction.seconds, 6 * weights.share[2], 1e-9);

    lab.groups[0].memory = lab.groups[1].memory = lab.groups[2].memory = 8e6 / 10;
    assert_int_equal(refuse(&lab, 1000, &err), MT_EINFEASIBLE);
    assert_non_null(strstr(err.text, "memory"));
    lab_clear(&lab);
}

/* A group that the program does not fit into evenly may be used with weights. */
static void small_memory_may_be_used_with_weights(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, "N^2/P", 1);
    add_group(&lab, 1, 1, (double[]){1e-6}, 1);
    add_group(&lab, 1, 1, (double[]){1e-6}, 1);
    assert_int_equal(mt_expr_parse(&lab.program.memory, "8*N^2/P", NULL), MT_OK);
    lab.groups[0].memory = 8e6 * 0.75;
    lab.groups[1].memory = 8e6 * 0.3;
    const struct mt_weights weights = find(&lab, 1000, NULL);
    is_configuration(&lab, &weights, "a:1x1+b:1x1");
    assert_true(weights.full[1]);
    assert_close(weights.share[1], 0.3, 1e-9);
    assert_true(weights.even.nodes == 0 && weights.even_there.seconds == 0);
    lab_clear(&lab);
}

static void other_models_are_refused(void **state)
{
    (void)state;
    struct lab lab;
    struct mt_error err = {0};
    lab_init(&lab, "N^2/P", 1);
    add_group(&lab, 2, 1, (double[]){1e-6}, 1);
    lab.predictor.models.kind = MT_MODEL_NPT;
    assert_int_equal(refuse(&lab, 1000, &err), MT_EINVAL);
    assert_non_null(strstr(err.text, "np-t"));
    lab.predictor.models.kind = MT_MODEL_AUTO;
    assert_int_equal(mt_expr_parse(&lab.program.valid, "N < P", NULL), MT_OK);
    assert_int_equal(refuse(&lab, 1000, &err), MT_EINFEASIBLE);
    assert_non_null(strstr(err.text, "'valid'"));
    lab_clear(&lab);
}

/* A term that has no value for the smallest parts, and one that has none for large
 * ones.
 */
static void terms_may_lack_values(void **state)
{
    (void)state;
    struct lab lab;
    struct mt_error err = {0};
    lab_init(&lab, "N^2/P, N^2/P*sqrt(100-P), N^2/P/(P>4)", 1);
    add_group(&lab, 4, 1, (double[]){1e-6, 1e-6, 0}, 3);
    add_group(&lab, 3, 1, (double[]){1e-6, 1e-6, 0}, 3);
    const struct mt_weights weights = find(&lab, 1000, "a:4x1+b:2x1");
    assert_close(weights.share[0], 1 / 6.0, 1e-9);
    assert_close(weights.share[1], 1 / 6.0, 1e-9);
    lab.models[0].coefficients[2] = 1e-6;
    struct mt_configuration configuration;
    struct mt_weights none;
    assert_int_equal(
        mt_configuration_parse(&configuration, &lab.cluster, "a:4x1", &err), MT_OK);
    assert_int_equal(mt_weights_find(&none, &lab.predictor, 1000, &configuration, &err),
                     MT_ENOTFOUND);
    assert_contains(err.text, "no value");
    lab_clear(&lab);
}

/* Slower nodes that are all as much slower get the same shares. */
static void shares_do_not_depend_on_the_unit(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, "N^2/P, (P>M)*(P), N^2/P*min(1,max(0,log2(8*N^2/P/2^20)))", 1);
    add_group(&lab, 4, 1, (double[]){1e-6, 1e-3, 1e-6}, 3);
    add_group(&lab, 6, 1, (double[]){3e-6, 1e-3, 2e-6}, 3);
    const struct mt_weights once = find(&lab, 1000, NULL);
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < 3; i++)
            lab.models[m].coefficients[i] *= 1024;
    const struct mt_weights again = find(&lab, 1000, NULL);
    assert_true(mt_configuration_equal(&once.configuration, &again.configuration));
    for (int g = 0; g < 2; g++)
        assert_close(once.share[g], again.share[g], 1e-9);
    assert_close(again.prediction.seconds, 1024 * once.prediction.seconds, 1e-9);
    lab_clear(&lab);
}

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
        cmocka_unit_test(shares_are_proportional_to_speeds),
        cmocka_unit_test(messages_do_not_depend_on_the_share),
        cmocka_unit_test(messages_of_a_part_depend_on_its_share),
        cmocka_unit_test(shares_know_caches),
        cmocka_unit_test(rounding_of_even_parts_does_not_count),
        cmocka_unit_test(serial_work_stays),
        cmocka_unit_test(memory_limits_shares),
        cmocka_unit_test(small_memory_may_be_used_with_weights),
        cmocka_unit_test(other_models_are_refused),
        cmocka_unit_test(terms_may_lack_values),
        cmocka_unit_test(shares_do_not_depend_on_the_unit),
        cmocka_unit_test(equals_trying_all),
        cmocka_unit_test(never_slower_than_the_best_even_plan),
        cmocka_unit_test(large_clusters_are_climbed),
        cmocka_unit_test(what_was_run_is_preferred),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
