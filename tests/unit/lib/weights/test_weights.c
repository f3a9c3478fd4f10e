/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/input/internal.h"
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
