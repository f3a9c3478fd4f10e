/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/input/internal.h"
#include "lib/stats/random.h"
#include "tests/unit/lib/model/made_posterior.h"
#include "tests/unit/lib/plan/plan_cases.h"
#include "tests/unit/test.h"
#include "weights_lab.h"

#include <string.h>

enum { RANKS = 1 << MT_TERM_RANKS };

/* Compute alone: shares as the speeds, and all nodes pay; the best even plan leaves the
   slow ones out. */
static void shares_are_proportional_to_speeds(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, 0, NULL);
    add_group(&lab, 4, 1, 1);
    add_group(&lab, 3, 1, 3);
    add_group(&lab, 2, 1, 5);
    const struct mt_weights weights = find(&lab, NULL);
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

/* Messages depend on the P that there is: more nodes may not pay. */
static void messages_do_not_depend_on_the_share(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, RANKS, (double[]){0.1});
    add_group(&lab, 3, 1, 1);
    add_group(&lab, 3, 1, 2);
    struct mt_weights weights = find(&lab, "a:3x1+b:1x1");
    assert_close(weights.share[0], 2 / 7.0, 1e-9);
    assert_close(weights.share[1], 1 / 7.0, 1e-9);
    assert_close(weights.prediction.seconds, 2 / 7.0 + 0.3, 1e-9);
    weights = find(&lab, NULL);
    is_configuration(&lab, &weights, "a:3x1");
    assert_close(weights.prediction.seconds, 1 / 3.0 + 0.2, 1e-9);
    assert_close(weights.share[0], 1 / 3.0, 1e-9);
    lab_clear(&lab);
}

/* Ranks that share a node's link wait longer, and get less to compute. */
static void ranks_with_slow_messages_get_less(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, 1 << MT_TERM_FACES3, (double[]){0.2});
    add_group(&lab, 2, 1, 1);
    add_group(&lab, 2, 2, 2);
    const struct mt_weights weights = find(&lab, "a:2x1+b:2x2");
    const double w = weights.share[0], v = weights.share[1];
    const double faces = 0.2 * pow(1 / 6.0, 2 / 3.0);
    assert_close(2 * w + 4 * v, 1, 1e-12);
    assert_close(w + faces, 2 * v + faces * sqrt(2), 1e-9);
    assert_close(weights.prediction.seconds, w + faces, 1e-9);
    lab_clear(&lab);
}

/* Several hypotheses: all ranks end together by their weighted mean. */
static void hypotheses_are_averaged(void **state)
{
    (void)state;
    struct lab lab;
    struct mt_weights weights;
    struct mt_configuration configuration;
    lab_init(&lab, 0, NULL);
    add_group(&lab, 1, 1, 1);
    add_group(&lab, 1, 1, 2);
    assert_int_equal(
        mt_configuration_parse(&configuration, &lab.cluster, "a:1x1+b:1x1", NULL),
        MT_OK);
    struct mt_posterior *posterior =
        make_posterior(&lab.cluster, &lab.program, LAB_SIZE);
    lab.predictor.models.posterior = posterior;
    add_hypothesis(posterior, 0, 0.25, (double[]){1, 2}, NULL);
    add_hypothesis(posterior, RANKS, 0.75, (double[]){1, 6}, (double[]){0.1});
    assert_int_equal(
        mt_weights_find(&weights, &lab.predictor, LAB_SIZE, &configuration, NULL),
        MT_OK);
    /* in the mean b takes 5 for all of the work */
    const double w = weights.share[0], v = weights.share[1];
    assert_close(w, 5 / 6.0, 1e-9);
    assert_close(v, 1 / 6.0, 1e-9);
    assert_close(weights.prediction.seconds / weights.even_there.seconds,
                 pow(fmax(w, 2 * v), 0.25) * pow((fmax(w, 6 * v) + 0.1) / 3.1, 0.75),
                 1e-9);
    lab_clear(&lab);
}

/* Serial work is that of the mean rank. */
static void serial_work_stays(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, 1 << MT_TERM_ONE, (double[]){0.1});
    add_group(&lab, 2, 1, 1);
    add_group(&lab, 2, 1, 4);
    const struct mt_weights weights = find(&lab, "a:2x1+b:2x1");
    assert_close(weights.share[0], 4 / 10.0, 1e-9);
    assert_close(weights.prediction.seconds, 4 / 10.0 + 0.2, 1e-9);
    assert_close(weights.even_there.seconds, 1 + 0.2, 1e-9);
    lab_clear(&lab);
}

/* A group that is a thousand times slower gets a 64th of an equal share. */
static void no_rank_is_idle(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, 0, NULL);
    add_group(&lab, 1, 1, 1);
    add_group(&lab, 1, 1, 1000);
    const struct mt_weights weights = find(&lab, "a:1x1+b:1x1");
    assert_close(weights.share[0], 127 / 128.0, 1e-12);
    assert_close(weights.share[1], 1 / 128.0, 1e-12);
    assert_close(weights.prediction.seconds, 1000 / 128.0, 1e-9);
    lab_clear(&lab);
}

/* The fast nodes hold a quarter of the work each: the slow ones get the rest. */
static void memory_limits_shares(void **state)
{
    (void)state;
    struct lab lab;
    struct mt_error err = {0};
    lab_init(&lab, 0, NULL);
    add_group(&lab, 2, 1, 1);
    add_group(&lab, 2, 1, 9);
    add_group(&lab, 1, 1, 6);
    assert_int_equal(mt_expr_parse(&lab.program.memory, "8*N^2/P", NULL), MT_OK);
    lab.groups[0].memory = 8e6 / 4;
    lab.groups[1].memory = 8e6;
    struct mt_weights weights = find(&lab, NULL);
    is_configuration(&lab, &weights, "a:2x1+b:2x1+c:1x1");
    assert_true(weights.full[0] && !weights.full[1] && !weights.full[2]);
    assert_close(weights.share[0], 1 / 4.0, 1e-9);
    assert_true(weights.share[0] <= 1 / 4.0);
    assert_close(sum_of_shares(&weights), 1, 1e-12);
    assert_close(9 * weights.share[1], 6 * weights.share[2], 1e-9);
    assert_close(weights.prediction.seconds, 6 * weights.share[2], 1e-9);

    lab.groups[0].memory = lab.groups[1].memory = lab.groups[2].memory = 8e6 / 10;
    assert_int_equal(refuse(&lab, &err), MT_EINFEASIBLE);
    assert_non_null(strstr(err.text, "memory"));
    lab_clear(&lab);
}

/* A group that the program does not fit into evenly may be used with weights. */
static void small_memory_may_be_used_with_weights(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, 0, NULL);
    add_group(&lab, 1, 1, 1);
    add_group(&lab, 1, 1, 1);
    assert_int_equal(mt_expr_parse(&lab.program.memory, "8*N^2/P", NULL), MT_OK);
    lab.groups[0].memory = 8e6 * 0.75;
    lab.groups[1].memory = 8e6 * 0.3;
    const struct mt_weights weights = find(&lab, NULL);
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
    lab_init(&lab, 0, NULL);
    add_group(&lab, 2, 1, 1);
    lab.predictor.models.kind = MT_MODEL_NPT;
    assert_int_equal(refuse(&lab, &err), MT_EINVAL);
    assert_non_null(strstr(err.text, "np-t"));
    lab.predictor.models.kind = MT_MODEL_AUTO;
    assert_int_equal(mt_expr_parse(&lab.program.valid, "N < P", NULL), MT_OK);
    assert_int_equal(refuse(&lab, &err), MT_EINFEASIBLE);
    assert_non_null(strstr(err.text, "'valid'"));
    lab_clear(&lab);
}

static void what_never_ran_is_unknown(void **state)
{
    (void)state;
    struct lab lab;
    struct mt_error err = {0};
    struct mt_configuration configuration;
    struct mt_weights none;
    lab_init(&lab, 0, NULL);
    add_group(&lab, 4, 1, 1);
    find(&lab, "a:4x1");
    add_group(&lab, 4, 1, 1);
    assert_int_equal(
        mt_configuration_parse(&configuration, &lab.cluster, "a:4x1+b:1x1", &err),
        MT_OK);
    assert_int_equal(
        mt_weights_find(&none, &lab.predictor, LAB_SIZE, &configuration, &err),
        MT_ENOTFOUND);
    assert_contains(err.text, "no run tells of 'b x1'");
    lab_clear(&lab);
}

/* Slower nodes that are all as much slower get the same shares. */
static void shares_do_not_depend_on_the_unit(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, RANKS, (double[]){1e-3});
    add_group(&lab, 4, 1, 1);
    add_group(&lab, 6, 1, 3);
    const struct mt_weights once = find(&lab, NULL);
    for (int i = 0; i < lab.count; i++)
        lab.compute[i] *= 1024;
    lab.coefficients[0] *= 1024;
    const struct mt_weights again = find(&lab, NULL);
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

/* Of all configurations the least: one over the sum of speeds, and messages. */
static double least_seconds(const struct lab *lab, int layouts)
{
    struct mt_configuration configuration = {{{0}}};
    double least = INFINITY;
    while (mt_configuration_next(&configuration, &lab->cluster)) {
        double speed = 0;
        for (int i = 0; i < lab->count; i++) {
            const struct mt_use *use = &configuration.use[i / layouts];
            if (use->layout.processes == 1 + i % layouts)
                speed += use->nodes * use->layout.processes / lab->compute[i];
        }
        const int ranks = mt_configuration_ranks(&configuration);
        least = fmin(least, 1 / speed + lab->coefficients[0] * (ranks - 1));
    }
    return least;
}

static void equals_trying_all(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int number = 0; number < 60; number++) {
        struct lab lab;
        lab_init(&lab, RANKS, (double[]){3e-3 * uniform(&random) + 1e-9});
        const int groups = 1 + (int)(4 * uniform(&random));
        for (int g = 0; g < groups; g++) {
            add_group(&lab, 1 + (int)(5 * uniform(&random)), 2,
                      1 + 9 * uniform(&random));
            /* two processes of a node are slower than one, but not twice as slow */
            lab.compute[lab.count - 1] *= 1 + 1.2 * uniform(&random);
        }
        const struct mt_weights weights = find(&lab, NULL);
        assert_close(weights.prediction.seconds, least_seconds(&lab, 2), 1e-6);
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
        plan_case_auto(&c, number);
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
    lab_init(&lab, 1 << MT_TERM_LOG, (double[]){1e-12});
    double speed = 0;
    for (int g = 0; g < 4; g++) {
        add_group(&lab, 25000, 2, 1 + g);
        lab.compute[lab.count - 1] *= 1.5;
        speed += 25000 * 2 / (1.5 * (1 + g));
    }
    const struct mt_weights weights = find(&lab, NULL);
    assert_false(weights.exact);
    is_configuration(&lab, &weights, "a:25000x2+b:25000x2+c:25000x2+d:25000x2");
    assert_close(weights.prediction.seconds, 1 / speed, 1e-5);
    lab_clear(&lab);
}

/* Two configurations are as good within a thousandth, and one of them was run. */
static void what_was_run_is_preferred(void **state)
{
    (void)state;
    struct lab lab;
    struct mt_measured run = {.size = LAB_SIZE, .seconds = 0.69, .runs = 1};
    struct mt_error err = {0};
    lab_init(&lab, RANKS, (double[]){0.2});
    add_group(&lab, 1, 1, 1);
    add_group(&lab, 1, 1, 1.0001);
    add_group(&lab, 1, 1, 0.995);
    const struct mt_weights before = find(&lab, NULL);
    is_configuration(&lab, &before, "a:1x1+c:1x1");

    assert_int_equal(
        mt_configuration_parse(&run.configuration, &lab.cluster, "a:1x1+b:1x1", &err),
        MT_OK);
    lab.predictor.measured = (struct mt_measured_list){.all = &run, .count = 1};
    const struct mt_weights after = find(&lab, NULL);
    is_configuration(&lab, &after, "a:1x1+b:1x1");
    assert_close(after.prediction.seconds, 0.69, 1e-4);
    lab_clear(&lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_proportional_to_speeds),
        cmocka_unit_test(messages_do_not_depend_on_the_share),
        cmocka_unit_test(ranks_with_slow_messages_get_less),
        cmocka_unit_test(hypotheses_are_averaged),
        cmocka_unit_test(serial_work_stays),
        cmocka_unit_test(no_rank_is_idle),
        cmocka_unit_test(memory_limits_shares),
        cmocka_unit_test(small_memory_may_be_used_with_weights),
        cmocka_unit_test(other_models_are_refused),
        cmocka_unit_test(what_never_ran_is_unknown),
        cmocka_unit_test(shares_do_not_depend_on_the_unit),
        cmocka_unit_test(equals_trying_all),
        cmocka_unit_test(never_slower_than_the_best_even_plan),
        cmocka_unit_test(large_clusters_are_climbed),
        cmocka_unit_test(what_was_run_is_preferred),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
