/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that are independent of caches, such as those of a BLAS product next to the
   panels of a factorisation, have a cost of their own. */
#include "lib/learn/internal.h"
#include "lib/machine/internal.h"
#include "tests/unit/test.h"

enum { MOST_RUNS = 128, SIZES = 12 };

static const struct mt_components truth = {
    .ncaches = 1,
    .costs = {2e-9, 5e-9},
    .near_cost = 1e-9,
    .caches = {{1 << 18, 1 << 20}},
    .latency = 50e-6,
    .bandwidth = {.base = 100e6},
};

static struct mt_expr *parsed(const char *text)
{
    struct mt_expr *expression = NULL;
    assert_int_equal(mt_expr_parse(&expression, text, NULL), MT_OK);
    return expression;
}

static struct mt_shape factorisation(const char *near_steps)
{
    return (struct mt_shape){.work = parsed("2/3*N^3"),
                             .steps = parsed("2/3*N^3/P + 300*N^2"),
                             .near_steps = near_steps ? parsed(near_steps) : NULL,
                             .working_set = parsed("512*N"),
                             .messages = parsed("N/64*ceil(log2(P))"),
                             .bytes = parsed("256*N"),
                             .valid = parsed("N >= P")};
}

static double seconds_at(const struct mt_components *components,
                         const struct mt_shape *shape, double size, double ranks)
{
    struct mt_demand demand;
    assert_int_equal(mt_shape_demand(&demand, shape, size, ranks, NULL), MT_OK);
    return mt_components_time(components, &demand).total;
}

static void near_steps_cost_the_same_at_all_sizes(void **state)
{
    (void)state;
    struct mt_demand demand = {
        .steps = 10, .near_steps = 4, .working_set = 1 << 22, .ranks = 1};
    assert_close(mt_components_time(&truth, &demand).compute, 4 * 1e-9 + 6 * 5e-9,
                 1e-14);
    demand.working_set = 1;
    assert_close(mt_components_time(&truth, &demand).compute, 4 * 1e-9 + 6 * 2e-9,
                 1e-14);
}

/* From runs at sizes up to 11072. */
static void learn_truth(struct mt_learned *learned, const struct mt_shape *shape)
{
    struct mt_learn_run runs[MOST_RUNS];
    int count = 0;
    for (int ranks = 1; ranks <= 8; ranks *= 2)
        for (int i = 0; i < SIZES; i++) {
            const double size = round(128 * pow(1.5, i));
            runs[count++] = (struct mt_learn_run){
                size, ranks, seconds_at(&truth, shape, size, ranks)};
        }
    assert_int_equal(mt_learn(learned, shape, runs, count, NULL, NULL), MT_OK);
}

static void their_cost_is_learned(void **state)
{
    (void)state;
    struct mt_shape shape = factorisation("2/3*N^3/P");
    struct mt_learned learned = {0};
    learn_truth(&learned, &shape);
    const struct mt_components *found = &learned.components;
    assert_close(found->near_cost, truth.near_cost, 0.01);
    assert_close(found->costs[0], truth.costs[0], 0.02);
    assert_close(found->costs[found->ncaches], truth.costs[1], 0.02);
    assert_close(seconds_at(found, &shape, 20000, 64),
                 seconds_at(&truth, &shape, 20000, 64), 0.01);
    mt_learned_clear(&learned);
    mt_shape_clear(&shape);
}

static void their_cost_is_that_of_others_where_no_run_has_any(void **state)
{
    (void)state;
    struct mt_shape shape = factorisation("max(0, N - 20000)");
    struct mt_learned learned = {0};
    learn_truth(&learned, &shape);
    assert_true(learned.components.near_cost > 0);
    assert_true(learned.components.near_cost == learned.components.costs[0]);
    int told = 0;
    for (int i = 0; i < learned.nwarnings; i++)
        told += strstr(learned.warnings[i], "no run has steps that are independent") !=
                NULL;
    assert_int_equal(told, 1);
    mt_learned_clear(&learned);
    mt_shape_clear(&shape);
}

static void more_of_them_than_steps_are_refused(void **state)
{
    (void)state;
    struct mt_shape shape = factorisation("N^3/P");
    struct mt_demand demand;
    struct mt_error err = {0};
    assert_int_equal(mt_shape_demand(&demand, &shape, 10, 2, &err), MT_OK);
    assert_int_equal(mt_shape_demand(&demand, &shape, 10000, 2, &err), MT_EINVAL);
    assert_string_equal(err.text, "'N^3/P' is more than all steps at N = 10000, P = 2");
    mt_shape_clear(&shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_steps_cost_the_same_at_all_sizes),
        cmocka_unit_test(their_cost_is_learned),
        cmocka_unit_test(their_cost_is_that_of_others_where_no_run_has_any),
        cmocka_unit_test(more_of_them_than_steps_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
