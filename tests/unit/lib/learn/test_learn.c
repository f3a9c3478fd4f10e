/* SPDX-License-Identifier: BSD-3-Clause */
/* Learning from runs whose components are known. */
#include "learn_cases.h"
#include "lib/machine/internal.h"

#include "tests/unit/test.h"

static const struct mt_components laws[] = {
    {.costs = {0.7e-6}, .latency = 2e-5, .bandwidth = {.base = 2e6}},
    {.costs = {0.25e-6},
     .latency = 2e-5,
     .bandwidth = {.base = 5.33e5,
                   .contention = MT_CONTENTION_SATURATING,
                   .strength = 1.587,
                   .exponent = 1.5}},
    {.costs = {0.25e-6},
     .latency = 2e-5,
     .bandwidth = {.base = 5e5, .contention = MT_CONTENTION_SHARED, .strength = 4}},
    {.costs = {0.25e-6},
     .latency = 2e-5,
     .bandwidth = {.base = 5e6, .contention = MT_CONTENTION_LIMITED, .strength = 3}},
    {.costs = {0.247e-6},
     .bandwidth = {.base = 2.286e6,
                   .half = 17.8e6,
                   .contention = MT_CONTENTION_LOGARITHMIC,
                   .exponent = 0.5}},
    {.costs = {0.247e-6},
     .latency = 1e-3,
     .bandwidth = {.base = 1e7, .contention = MT_CONTENTION_POWER, .exponent = 0.6}},
    {.costs = {0.247e-6},
     .bandwidth = {.base = 1e7, .contention = MT_CONTENTION_POWER, .exponent = 1}},
    {.costs = {0.247e-6}, .latency = 1e-4, .bandwidth = {.base = 1e6}, .overlap = true},
};
enum { NLAWS = sizeof laws / sizeof *laws };

static void finds_every_law(void **state)
{
    (void)state;
    for (int i = 0; i < NLAWS; i++) {
        struct mt_learned learned = {0};
        const struct truth truth = {.components = &laws[i]};
        learn_truth(&learned, &truth, to_few_sizes, 8, 0);
        const struct mt_bandwidth *found = &learned.components.bandwidth;
        assert_int_equal(found->contention, laws[i].bandwidth.contention);
        assert_int_equal(learned.components.overlap, laws[i].overlap);
        assert_int_equal(learned.components.ncaches, 0);
        assert_close(learned.components.costs[0], laws[i].costs[0], 1e-4);
        assert_close(learned.components.latency, laws[i].latency, 1e-3);
        assert_close(found->base, laws[i].bandwidth.base, 1e-3);
        assert_close(found->half, laws[i].bandwidth.half, 1e-3);
        assert_close(found->strength, laws[i].bandwidth.strength, 1e-3);
        assert_close(found->exponent, laws[i].bandwidth.exponent, 1e-3);
        mt_learned_clear(&learned);
    }
}

static const double KiB = 1024, MiB = 1024 * 1024;

static void finds_caches(void **state)
{
    (void)state;
    struct mt_components machine = laws[0];
    machine.costs[1] = 0.9e-6;
    machine.costs[2] = 1.3e-6;
    machine.caches[0] = (struct mt_cache_step){60 * KiB, 180 * KiB};
    machine.caches[1] = (struct mt_cache_step){1 * MiB, 2.5 * MiB};
    for (machine.ncaches = 1; machine.ncaches <= 2; machine.ncaches++) {
        struct mt_learned learned = {0};
        const struct truth truth = {.components = &machine};
        learn_truth(&learned, &truth, to_many_sizes, 4, 0);
        assert_int_equal(learned.components.ncaches, machine.ncaches);
        for (int i = 0; i <= machine.ncaches; i++)
            assert_close(learned.components.costs[i], machine.costs[i], 1e-3);
        for (int i = 0; i < machine.ncaches; i++) {
            assert_close(learned.components.caches[i].hit, machine.caches[i].hit, 1e-2);
            assert_close(learned.components.caches[i].miss, machine.caches[i].miss,
                         1e-2);
        }
        mt_learned_clear(&learned);
    }
}

/* Nothing lies beyond the second step, but that it begins must not hide the first. */
static void sees_a_step_before_one_that_only_begins(void **state)
{
    (void)state;
    const struct mt_components machine = {
        .ncaches = 2,
        .costs = {1e-7, 1.2e-7, 2e-7},
        .caches = {{256 * KiB, 512 * KiB}, {16 * MiB, 64 * MiB}},
        .latency = 1e-5,
        .bandwidth = {.base = 1e8},
    };
    const struct truth truth = {.components = &machine};
    struct mt_learned learned = {0};
    struct mt_shape shape = ring();
    learn_truth(&learned, &truth, to_many_sizes, 8, 0.002);
    assert_true(learned.components.ncaches >= 2);
    const struct truth found = {.components = &learned.components};
    for (int ranks = 1; ranks <= 64; ranks *= 4)
        for (double size = 128; size <= 1024; size *= 2)
            assert_close(seconds_of(&found, &shape, size, ranks),
                         seconds_of(&truth, &shape, size, ranks), 0.03);
    mt_learned_clear(&learned);
    mt_shape_clear(&shape);
}

/* Learn from a machine with a step from 1.5 to 4 MiB, whose runs scatter. */
static void learn_a_step(struct mt_learned *learned, const double *caches, int ncaches,
                         unsigned random)
{
    const struct mt_components machine = {
        .ncaches = 1, .costs = {1e-9, 1.3e-9}, .caches = {{1.5 * MiB, 4 * MiB}}};
    const struct truth truth = {.components = &machine};
    struct mt_learn_nodes nodes = {.ncaches = ncaches};
    struct mt_learn_run runs[MOST_RUNS];
    struct mt_shape shape = ring();
    int nruns = 0;
    for (int i = 0; i < ncaches; i++)
        nodes.caches[i] = caches[i];
    for (double size = 64; size <= 2000; size = ceil(1.3 * size))
        runs[nruns++] = (struct mt_learn_run){
            size, 1, seconds_of(&truth, &shape, size, 1) * (1 + 0.05 * noise(&random))};
    assert_int_equal(mt_learn(learned, &shape, runs, nruns, &nodes, NULL), MT_OK);
    mt_shape_clear(&shape);
}

static void looks_for_steps_at_the_machines_caches(void **state)
{
    (void)state;
    const double caches[] = {48 * KiB, 2 * MiB, 256 * MiB};
    for (unsigned random = 1; random <= 5; random++) {
        struct mt_learned learned = {0};
        learn_a_step(&learned, caches, 3, random);
        assert_int_equal(learned.components.ncaches, 1);
        const struct mt_cache_step *step = &learned.components.caches[0];
        assert_true(step->hit > 0.7 * MiB && step->hit < 3 * MiB);
        assert_true(step->miss > 2 * MiB && step->miss < 16 * MiB);
        mt_learned_clear(&learned);
    }
}

/* There is none at 64 KiB, whatever is said. */
static void finds_steps_elsewhere_if_they_are(void **state)
{
    (void)state;
    const double caches[] = {64 * KiB};
    struct mt_learned learned = {0};
    learn_a_step(&learned, caches, 1, 1);
    assert_true(learned.components.ncaches >= 1);
    assert_true(learned.components.caches[0].miss > MiB);
    mt_learned_clear(&learned);
}

/* Where nothing was run, at a cache of the machine. */
static void wants_sizes_around_caches(void **state)
{
    (void)state;
    const double caches[] = {24 * 3000.0 * 3000};
    struct mt_learned learned = {0};
    int around = 0;
    learn_a_step(&learned, caches, 1, 1);
    for (int i = 0; i < learned.nwanted; i++)
        around += strstr(learned.wanted[i].why, "cache of the machine") != NULL &&
                  learned.wanted[i].size > 1000 && learned.wanted[i].size <= 4000;
    assert_true(around >= 2);
    mt_learned_clear(&learned);
    learn_a_step(&learned, NULL, 0, 1);
    for (int i = 0; i < learned.nwanted; i++)
        assert_null(strstr(learned.wanted[i].why, "cache of the machine"));
    mt_learned_clear(&learned);
}

static void wants_whole_sizes_though_others_were_run(void **state)
{
    (void)state;
    struct mt_shape shape = {.work = parsed("1e6*N"), .working_set = parsed("1e6*N")};
    const struct mt_learn_nodes nodes = {.caches = {2 * MiB}, .ncaches = 1};
    struct mt_learn_run runs[MOST_RUNS];
    struct mt_learned learned = {0};
    int nruns = 0;
    for (double size = 0.25; size <= 2.75; size += 0.125)
        runs[nruns++] = (struct mt_learn_run){size, 1, 1e-3 * size};
    assert_int_equal(mt_learn(&learned, &shape, runs, nruns, &nodes, NULL), MT_OK);
    assert_true(learned.nwanted > 0);
    for (int i = 0; i < learned.nwanted; i++)
        assert_true(learned.wanted[i].size == round(learned.wanted[i].size));
    mt_learned_clear(&learned);
    mt_shape_clear(&shape);
}

static void takes_medians(void **state)
{
    (void)state;
    struct mt_shape shape = ring();
    struct mt_learned learned = {0};
    const struct mt_learn_run runs[] = {
        {100, 1, 1}, {100, 1, 7}, {100, 1, 1.1}, {200, 1, 8.8}};
    assert_int_equal(mt_learn(&learned, &shape, runs, 4, NULL, NULL), MT_OK);
    assert_close(learned.components.costs[0], 1.1e-6, 1e-9);
    assert_int_equal(learned.from.runs, 4);
    mt_learned_clear(&learned);
    mt_shape_clear(&shape);
}

/* On 3 and 5 processes rows are not shared evenly. */
static void finds_which_of_uneven_messages_count(void **state)
{
    (void)state;
    struct mt_shape shape = ring();
    mt_expr_free(shape.bytes);
    shape.bytes = parsed("8*N*ceil(N/P)");
    shape.mean_bytes = parsed("8*N^2/P");
    for (int evens_out = 0; evens_out <= 1; evens_out++) {
        const struct mt_components truth = {
            .costs = {0.25e-6},
            .latency = 1e-4,
            .bandwidth = {.base = 2e6,
                          .contention = MT_CONTENTION_POWER,
                          .exponent = 1,
                          .evens_out = evens_out}};
        struct mt_learn_run runs[MOST_RUNS];
        struct mt_learned learned = {0};
        unsigned random = 7;
        int nruns = 0;
        for (double size = 16; size <= 256; size *= 4) {
            for (int ranks = 1; ranks <= 5; ranks++) {
                struct mt_demand demand;
                assert_int_equal(mt_shape_demand(&demand, &shape, size, ranks, NULL),
                                 MT_OK);
                const double seconds = mt_components_time(&truth, &demand).total;
                runs[nruns++] = (struct mt_learn_run){
                    size, ranks, seconds * (1 + 0.01 * noise(&random))};
            }
        }
        assert_int_equal(mt_learn(&learned, &shape, runs, nruns, NULL, NULL), MT_OK);
        assert_int_equal(learned.components.bandwidth.evens_out, evens_out);
        assert_int_equal(learned.trials[0].evens_out, evens_out);
        assert_close(learned.components.bandwidth.base, 2e6, 0.03);
        mt_learned_clear(&learned);
    }
    mt_shape_clear(&shape);
}

/* What looks worse than one bus for all is not extrapolated as it looks. */
static void takes_no_network_for_worse_than_a_bus(void **state)
{
    (void)state;
    const struct mt_components worse = {
        .costs = {0.25e-6},
        .latency = 1e-4,
        .bandwidth = {.base = 2e6, .contention = MT_CONTENTION_POWER, .exponent = 1.8}};
    const struct truth truth = {.components = &worse};
    struct mt_learned learned = {0};
    learn_truth(&learned, &truth, to_some_sizes, 8, 0);
    assert_true(mt_contention_factor(&learned.components.bandwidth, 512) <=
                512 * mt_contention_factor(&learned.components.bandwidth, 2));
    mt_learned_clear(&learned);
}

static void refuses_what_it_cannot_learn_from(void **state)
{
    (void)state;
    const struct {
        struct mt_learn_run run;
        int nruns;
        int status;
        const char *text;
    } cases[] = {
        {{100, 1, 1}, 0, MT_ERANK, "no runs"},
        {{100, 4, 1}, 1, MT_ERANK, "do not determine"},
        {{100, 1, 0}, 1, MT_EINVAL, "took 0 seconds"},
        {{100, 1, INFINITY}, 1, MT_EINVAL, "took inf seconds"},
        {{3, 4, 1}, 1, MT_EINVAL, "not valid"},
    };
    struct mt_shape shape = ring();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mt_learned learned = {.nwarnings = 7};
        struct mt_error err = {0};
        assert_int_equal(
            mt_learn(&learned, &shape, &cases[i].run, cases[i].nruns, NULL, &err),
            cases[i].status);
        assert_contains(err.text, cases[i].text);
        assert_int_equal(learned.nwarnings, 7);
    }
    mt_shape_clear(&shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_every_law),
        cmocka_unit_test(finds_caches),
        cmocka_unit_test(sees_a_step_before_one_that_only_begins),
        cmocka_unit_test(looks_for_steps_at_the_machines_caches),
        cmocka_unit_test(finds_steps_elsewhere_if_they_are),
        cmocka_unit_test(wants_sizes_around_caches),
        cmocka_unit_test(wants_whole_sizes_though_others_were_run),
        cmocka_unit_test(takes_medians),
        cmocka_unit_test(finds_which_of_uneven_messages_count),
        cmocka_unit_test(takes_no_network_for_worse_than_a_bus),
        cmocka_unit_test(refuses_what_it_cannot_learn_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
