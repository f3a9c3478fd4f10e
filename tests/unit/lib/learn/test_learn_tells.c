/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings besides the components: their intervals, runs that would tell more, and
   facts that the runs do not determine. */
#include "learn_cases.h"
#include "lib/input/internal.h"

#include "tests/unit/test.h"

static const struct mt_parameter *parameter(const struct mt_learned *learned,
                                            const char *name)
{
    for (int i = 0; i < learned->nparameters; i++) {
        if (strcmp(learned->parameters[i].name, name) == 0)
            return &learned->parameters[i];
    }
    fail_msg("there is no '%s'", name);
    return NULL;
}

static void says_how_sure_it_is(void **state)
{
    (void)state;
    struct mt_learned learned = {0};
    const struct truth truth = {.components = &plain_machine};
    learn_truth(&learned, &truth, to_few_sizes, 8, 0.02);
    const struct mt_parameter *cost = parameter(&learned, "cost 1");
    const struct mt_parameter *bandwidth = parameter(&learned, "bandwidth");
    assert_true(cost->low < cost->value && cost->value < cost->high);
    assert_true(cost->high / cost->low < 1.05);
    assert_true(bandwidth->high / bandwidth->low > cost->high / cost->low);
    assert_int_equal(cost->unit, MT_PARAMETER_SECONDS);
    assert_int_equal(bandwidth->unit, MT_PARAMETER_BYTES_PER_SECOND);
    assert_true(learned.trials[0].chosen);
    assert_int_equal(learned.from.nodes, 8);
    assert_close(learned.from.size_low, 48, 0);
    mt_learned_clear(&learned);
}

static void wants_runs_on_more_nodes_first(void **state)
{
    (void)state;
    struct mt_learned learned = {0};
    const struct truth truth = {.twin = &torus};
    learn_truth(&learned, &truth, to_few_sizes, 8, 0.02);
    assert_true(learned.nwanted > 1);
    assert_int_equal(learned.wanted[0].ranks, 16);
    assert_contains(learned.wanted[0].why, "more nodes");
    mt_learned_clear(&learned);
}

static void wants_no_runs_on_more_nodes_than_there_are(void **state)
{
    (void)state;
    struct mt_shape shape = ring();
    struct mt_learned learned = {0};
    struct mt_learn_run runs[MOST_RUNS];
    const struct truth truth = {.twin = &torus};
    const int nruns = make_runs(runs, &truth, &shape, to_few_sizes, 4, 0.02);
    for (int limit = 4; limit <= 6; limit += 2) {
        const struct mt_learn_nodes nodes = {.most_ranks = limit};
        assert_int_equal(mt_learn(&learned, &shape, runs, nruns, &nodes, NULL), MT_OK);
        assert_true(learned.nwanted > 0);
        for (int i = 0; i < learned.nwanted; i++)
            assert_true(learned.wanted[i].ranks <= limit);
    }
    assert_int_equal(learned.wanted[0].ranks, 6);
    mt_learned_clear(&learned);
    mt_shape_clear(&shape);
}

/* Learn from a few runs of the torus. */
static void learn_few(struct mt_learned *learned, struct mt_shape *shape,
                      const double *sizes, int nsizes, const int *ranks, int nranks)
{
    struct mt_learn_run runs[64];
    const struct truth truth = {.twin = &torus};
    int nruns = 0;
    for (int i = 0; i < nsizes; i++) {
        for (int j = 0; j < nranks; j++) {
            runs[nruns] = (struct mt_learn_run){.size = sizes[i], .ranks = ranks[j]};
            runs[nruns++].seconds = seconds_of(&truth, shape, sizes[i], ranks[j]);
        }
    }
    struct mt_error err = {0};
    if (mt_learn(learned, shape, runs, nruns, NULL, &err) != MT_OK)
        fail_msg("%s", err.text);
}

static void has_no_step_without_sizes_beyond_it(void **state)
{
    (void)state;
    struct mt_shape shape = ring();
    struct mt_learned learned = {0};
    learn_few(&learned, &shape, (double[]){32, 48, 64, 80, 96, 128, 192}, 7, (int[]){1},
              1);
    assert_int_equal(learned.components.ncaches, 0);
    assert_contains(learned.warnings[1], "another cache step");
    mt_learned_clear(&learned);
    mt_shape_clear(&shape);
}

/* A single size fits into the first cache, where steps take half as long. */
static void sees_a_step_after_a_single_size(void **state)
{
    (void)state;
    struct mt_shape shape = ring();
    struct mt_learned learned = {0};
    struct mt_learn_run runs[12];
    for (int i = 0; i < 12; i++)
        runs[i] = (struct mt_learn_run){.size = 32 * (i + 1),
                                        .ranks = 1,
                                        .seconds = (i == 0 ? 0.5e-6 : 1e-6) *
                                                   pow(32 * (i + 1), 3)};
    assert_int_equal(mt_learn(&learned, &shape, runs, 12, NULL, NULL), MT_OK);
    assert_int_equal(learned.components.ncaches, 1);
    assert_close(learned.components.costs[0], 0.5e-6, 0.01);
    assert_close(learned.components.costs[1], 1e-6, 0.01);
    mt_learned_clear(&learned);
    mt_shape_clear(&shape);
}

/* A step that is steep, from 96 to 125 KiB, seen from afar or from close by. */
static void warns_of_steps_that_may_be_anywhere(void **state)
{
    (void)state;
    for (int close = 0; close < 2; close++) {
        struct mt_shape shape = ring();
        struct mt_learned learned = {0};
        struct mt_learn_run runs[96];
        int count = 0;
        for (double size = 16; size < 600; size *= close ? 1.05 : 1.5, count++) {
            const double n = floor(size), set = 24 * n * n;
            const double beyond = fmin(fmax(log(set / 98304) / log(1.3), 0), 1);
            runs[count] = (struct mt_learn_run){
                .size = n, .ranks = 1, .seconds = (1e-6 + 0.5e-6 * beyond) * n * n * n};
        }
        assert_int_equal(mt_learn(&learned, &shape, runs, count, NULL, NULL), MT_OK);
        assert_int_equal(learned.components.ncaches, 1);
        assert_true(warns(&learned, "steps cost 1.5 times as much") == !close);
        mt_learned_clear(&learned);
        mt_shape_clear(&shape);
    }
}

/* Runs that tell a cost, but not whether it grows. */
static void says_when_sizes_are_too_few_for_a_step(void **state)
{
    (void)state;
    struct mt_shape shape = ring();
    struct mt_learned learned = {0};
    learn_few(&learned, &shape, (double[]){64, 256, 1024}, 3, (int[]){1}, 1);
    assert_int_equal(learned.components.ncaches, 0);
    assert_contains(learned.warnings[1],
                    "too few different working sets to show a cache step (3)");
    mt_learned_clear(&learned);
    learn_few(&learned, &shape, (double[]){64}, 1, (int[]){1}, 1);
    assert_contains(learned.warnings[1],
                    "too few different working sets to show a cache step (1)");
    mt_learned_clear(&learned);
    mt_shape_clear(&shape);
}

/* Properties of the network that do not affect the runs' times make no difference on
   many nodes. */
static void says_nothing_of_laws_that_make_no_difference(void **state)
{
    (void)state;
    struct mt_components quick = plain_machine;
    quick.costs[0] = 1;
    quick.latency = 0;
    struct mt_learned learned = {0};
    const struct truth truth = {.components = &quick};
    learn_truth(&learned, &truth, to_few_sizes, 8, 0);
    assert_int_equal(learned.nwarnings, 0);
    mt_learned_clear(&learned);
}

static void says_what_one_number_of_nodes_does_not_tell(void **state)
{
    (void)state;
    const double sizes[] = {64, 128, 256, 512};
    struct mt_shape shape = ring();
    struct mt_learned learned = {0};
    learn_few(&learned, &shape, sizes, 4, (int[]){1, 4}, 2);
    assert_int_equal(learned.components.bandwidth.contention, MT_CONTENTION_NONE);
    assert_contains(learned.warnings[0], "one number of nodes");
    mt_learned_clear(&learned);
    learn_few(&learned, &shape, sizes, 4, (int[]){1}, 1);
    assert_close(learned.components.bandwidth.base, 0, 0);
    assert_contains(learned.warnings[0], "no run sends messages");
    mt_learned_clear(&learned);
    mt_expr_free(shape.working_set);
    shape.working_set = NULL;
    learn_few(&learned, &shape, sizes, 4, (int[]){1, 2, 4}, 3);
    assert_int_equal(learned.components.ncaches, 0);
    assert_contains(learned.warnings[1], "working set");
    mt_learned_clear(&learned);
    mt_shape_clear(&shape);
}

/* On 4 nodes it sends a third more than its shape says. */
static void warns_of_networks_that_no_law_describes(void **state)
{
    (void)state;
    struct mt_shape shape = ring(), own = ring();
    struct mt_learn_run runs[MOST_RUNS];
    const struct mt_components slow = {.costs = {0.25e-6}, .bandwidth = {.base = 1e5}};
    const struct truth truth = {.components = &slow};
    struct mt_learned learned = {0};
    mt_expr_free(own.messages);
    own.messages = parsed("(P - 1)*(1 + (P == 4)/3)");
    const int nruns = make_runs(runs, &truth, &own, to_some_sizes, 16, 0.01);
    assert_int_equal(mt_learn(&learned, &shape, runs, nruns, NULL, NULL), MT_OK);
    assert_true(warns(&learned, "among 4 nodes"));
    mt_learned_clear(&learned);
    mt_shape_clear(&own);
    mt_shape_clear(&shape);
}

/* Messages of two nodes do not meet in a switch. */
static void warns_where_runs_do_not_tell_what_passes_a_switch(void **state)
{
    (void)state;
    const struct mt_components machine = {
        .costs = {1e-7},
        .latency = 1e-4,
        .bandwidth = {.base = 1e7, .contention = MT_CONTENTION_STAGES, .strength = 1},
        .wiring = {.topology = MT_TOPOLOGY_MULTISTAGE, .ports = 4, .nodes = 256},
    };
    struct mt_shape shape = ring();
    shape.shift = parsed("1");
    for (int most = 2; most <= 16; most *= 8) {
        struct mt_learned learned = {0};
        struct mt_learn_run runs[MOST_RUNS];
        const struct truth truth = {.components = &machine};
        const struct mt_learn_nodes nodes = {.wiring = machine.wiring};
        const int nruns = make_runs(runs, &truth, &shape, to_some_sizes, most, 0.005);
        assert_int_equal(mt_learn(&learned, &shape, runs, nruns, &nodes, NULL), MT_OK);
        assert_true(warns(&learned, "how much passes a switch") == (most == 2));
        mt_learned_clear(&learned);
    }
    mt_shape_clear(&shape);
}

static void warns_of_growth_that_may_end(void **state)
{
    (void)state;
    const struct mt_components growth = {
        .costs = {0.25e-6},
        .bandwidth = {.base = 5e6, .contention = MT_CONTENTION_POWER, .exponent = 1}};
    const struct truth growing = {.components = &growth},
                       flat = {.components = &plain_machine};
    struct mt_learned learned = {0};
    learn_truth(&learned, &growing, to_few_sizes, 8, 0.01);
    assert_true(warns(&learned, "if that ends there"));
    mt_learned_clear(&learned);
    learn_truth(&learned, &flat, to_few_sizes, 8, 0.01);
    assert_false(warns(&learned, "if that ends there"));
    assert_false(warns(&learned, "no law of contention"));
    mt_learned_clear(&learned);
}

/* Eight messages go at once; more than that is unknown, unless the machine has no more
   nodes. */
static void warns_of_room_that_nobody_needed(void **state)
{
    (void)state;
    const struct truth truth = {.components = &plain_machine};
    for (int most = 8; most <= 64; most *= 8) {
        struct mt_shape shape = ring();
        struct mt_learn_run runs[MOST_RUNS];
        struct mt_learned learned = {0};
        const struct mt_learn_nodes nodes = {.most_ranks = most};
        const int nruns = make_runs(runs, &truth, &shape, to_few_sizes, 8, 0.01);
        assert_int_equal(mt_learn(&learned, &shape, runs, nruns, &nodes, NULL), MT_OK);
        assert_int_equal(learned.components.bandwidth.contention, MT_CONTENTION_NONE);
        assert_true(warns(&learned, "no more than 8 messages") == (most == 64));
        mt_shape_clear(&shape);
        mt_learned_clear(&learned);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_how_sure_it_is),
        cmocka_unit_test(wants_runs_on_more_nodes_first),
        cmocka_unit_test(wants_no_runs_on_more_nodes_than_there_are),
        cmocka_unit_test(has_no_step_without_sizes_beyond_it),
        cmocka_unit_test(sees_a_step_after_a_single_size),
        cmocka_unit_test(warns_of_steps_that_may_be_anywhere),
        cmocka_unit_test(says_when_sizes_are_too_few_for_a_step),
        cmocka_unit_test(says_nothing_of_laws_that_make_no_difference),
        cmocka_unit_test(says_what_one_number_of_nodes_does_not_tell),
        cmocka_unit_test(warns_of_networks_that_no_law_describes),
        cmocka_unit_test(warns_where_runs_do_not_tell_what_passes_a_switch),
        cmocka_unit_test(warns_of_growth_that_may_end),
        cmocka_unit_test(warns_of_room_that_nobody_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
