/* SPDX-License-Identifier: BSD-3-Clause */
/* Learning from runs whose components are known, and from machines that are not quite
   of the model's form: a few nodes must tell what many do. */
#include "tests/unit/test.h"

#include "motley/learn.h"

enum { MOST_RUNS = 512 };
static const double KiB = 1024, MiB = 1024 * 1024;

static struct mt_expr *parsed(const char *text)
{
    struct mt_expr *expression = NULL;
    assert_int_equal(mt_expr_parse(&expression, text, NULL), MT_OK);
    return expression;
}

/* The matrix product with rows in a ring. */
static struct mt_shape ring(void)
{
    return (struct mt_shape){.work = parsed("2*N^3"),
                             .steps = parsed("N^3/P"),
                             .working_set = parsed("24*N^2/P"),
                             .imbalance = parsed("P*ceil(N/P)/N"),
                             .messages = parsed("P - 1"),
                             .bytes = parsed("8*N^2/P"),
                             .valid = parsed("N >= P")};
}

/* What the simulated twins do: seconds of a run. */
struct twin {
    double step;                /* in the first cache */
    double caches[2], slows[2]; /* bytes; the cost beyond, over `step` */
    double latency, byte;
    enum { FREE, BUS, SWITCHES_OF_FOUR } network;
};

/* Random replacement, a working set gone through again and again. */
static double hits(double excess)
{
    double share = excess <= 1;
    for (int i = 0; i < 100 && excess > 1; i++)
        share = exp(-excess * (1 - share));
    return share;
}

static double twin_seconds(const struct twin *twin, const struct mt_demand *demand)
{
    double cost = twin->step, before = 1;
    for (int i = 0; i < 2 && twin->caches[i] > 0; i++) {
        cost += twin->step * (twin->slows[i] - before) *
                (1 - hits(demand->working_set / twin->caches[i]));
        before = twin->slows[i];
    }
    const double crowds[] = {1, demand->ranks, fmin(demand->ranks, 4) / 4};
    return cost * demand->steps +
           demand->messages *
               (twin->latency + demand->bytes * twin->byte * crowds[twin->network]);
}

/* One of the two is what takes the time. */
struct truth {
    const struct mt_components *components;
    const struct twin *twin;
};

static double seconds_of(const struct truth *truth, const struct mt_shape *shape,
                         double size, double ranks)
{
    struct mt_demand demand;
    assert_int_equal(mt_shape_demand(&demand, shape, size, ranks, NULL), MT_OK);
    return truth->twin ? twin_seconds(truth->twin, &demand)
                       : mt_components_time(truth->components, &demand).total;
}

/* Standard normal, from a seed: the sum of twelve. */
static double noise(unsigned *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        *random = *random * 1664525u + 1013904223u;
        sum += *random / 4294967296.0;
    }
    return sum;
}

/* How much larger the next size is. Many sizes show where caches begin and end, and
   noise for what it is; few are learned from in a fraction of the time. */
static const double to_many_sizes = 1.4, to_some_sizes = 1.8, to_few_sizes = 3.5;

/* Runs at sizes from 48 to 1200, on 1, 2, 4 ... ranks. */
static int make_runs(struct mt_learn_run *runs, const struct truth *truth,
                     const struct mt_shape *shape, double to_next_size, int most_ranks,
                     double noisy)
{
    unsigned random = 42;
    int nruns = 0;
    for (double size = 48; size <= 1200; size = ceil(to_next_size * size)) {
        for (int ranks = 1; ranks <= most_ranks; ranks *= 2)
            runs[nruns++] = (struct mt_learn_run){
                size, ranks,
                seconds_of(truth, shape, size, ranks) * (1 + noisy * noise(&random))};
    }
    assert_true(nruns <= MOST_RUNS);
    return nruns;
}

static void learn_truth(struct mt_learned *learned, const struct truth *truth,
                        double to_next_size, int most_ranks, double noisy)
{
    struct mt_shape shape = ring();
    struct mt_learn_run runs[MOST_RUNS];
    const int nruns = make_runs(runs, truth, &shape, to_next_size, most_ranks, noisy);
    struct mt_error err = {0};
    if (mt_learn(learned, &shape, runs, nruns, NULL, &err) != MT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(mt_components_check(&learned->components, &err), MT_OK);
    mt_shape_clear(&shape);
}

/* The errors of the predicted efficiency up to so many nodes. */
static void assert_predicts(const struct mt_learned *learned, const struct truth *truth,
                            double most_ranks, double mean, double worst)
{
    struct mt_shape shape = ring();
    double sum = 0;
    int count = 0;
    for (double ranks = 2 * learned->from.nodes; ranks <= most_ranks; ranks *= 2) {
        for (double size = 64; size <= 4096; size *= 2) {
            if (size < ranks)
                continue;
            struct mt_demand demand;
            assert_int_equal(mt_shape_demand(&demand, &shape, size, ranks, NULL),
                             MT_OK);
            const double predicted =
                mt_components_time(&learned->components, &demand).total;
            const double error =
                fabs(seconds_of(truth, &shape, size, ranks) / predicted - 1);
            if (error > worst)
                fail_msg("off by %g at size %g on %g nodes", error, size, ranks);
            sum += error;
            count++;
        }
    }
    if (sum > mean * count)
        fail_msg("off by %g on average", sum / count);
    mt_shape_clear(&shape);
}

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

/* The machines of the paper, simulated: no cost and no network is of the form that is
   learned. */
static const struct twin torus = {.step = 0.71e-6,
                                  .caches = {262144},
                                  .slows = {1.69},
                                  .latency = 2e-5,
                                  .byte = 5e-7};
static const struct twin omega = {.step = 0.25e-6,
                                  .caches = {16384, 1048576},
                                  .slows = {1.08, 1.44},
                                  .latency = 2e-5,
                                  .byte = 1.9e-6,
                                  .network = SWITCHES_OF_FOUR};
static const struct twin bus = {.step = 0.247e-6,
                                .caches = {16384},
                                .slows = {1.053},
                                .latency = 1e-3,
                                .byte = 1e-7,
                                .network = BUS};

static void predicts_the_torus(void **state)
{
    (void)state;
    struct mt_learned learned = {0};
    const struct truth truth = {.twin = &torus};
    learn_truth(&learned, &truth, to_some_sizes, 8, 0);
    assert_predicts(&learned, &truth, 512, 0.03, 0.1);
    mt_learned_clear(&learned);
}

static void predicts_the_omega_network(void **state)
{
    (void)state;
    struct mt_learned learned = {0};
    const struct truth truth = {.twin = &omega};
    learn_truth(&learned, &truth, to_some_sizes, 8, 0);
    assert_predicts(&learned, &truth, 256, 0.03, 0.1);
    mt_learned_clear(&learned);
}

static void predicts_the_bus(void **state)
{
    (void)state;
    struct mt_learned learned = {0};
    const struct truth truth = {.twin = &bus};
    learn_truth(&learned, &truth, to_some_sizes, 8, 0);
    assert_predicts(&learned, &truth, 512, 0.03, 0.1);
    mt_learned_clear(&learned);
}

static void predicts_through_noise(void **state)
{
    (void)state;
    const struct twin *twins[] = {&torus, &omega, &bus};
    for (int i = 0; i < 3; i++) {
        struct mt_learned learned = {0};
        const struct truth truth = {.twin = twins[i]};
        learn_truth(&learned, &truth, to_some_sizes, 16, 0.015);
        assert_predicts(&learned, &truth, 512, 0.03, 0.12);
        assert_true(learned.residual > 0.008 && learned.residual < 0.025);
        mt_learned_clear(&learned);
    }
}

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
    const struct truth truth = {.components = &laws[0]};
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

/* Learn from up to 8 nodes of a ring of a known wiring; the largest error of E on 16 to
   256, at sizes that these divide. */
static double error_of_wired(const struct mt_components *machine)
{
    struct mt_shape shape = ring();
    struct mt_learned learned = {0};
    struct mt_learn_run runs[MOST_RUNS];
    shape.shift = parsed("1");
    const struct truth truth = {.components = machine};
    const struct mt_learn_nodes nodes = {.wiring = machine->wiring};
    const int nruns = make_runs(runs, &truth, &shape, to_some_sizes, 8, 0.005);
    assert_int_equal(mt_learn(&learned, &shape, runs, nruns, &nodes, NULL), MT_OK);
    double worst = 0;
    for (int ranks = 16; ranks <= 256; ranks *= 2) {
        const struct truth found = {.components = &learned.components};
        const double error = seconds_of(&found, &shape, 1024, ranks) /
                                 seconds_of(&truth, &shape, 1024, ranks) -
                             1;
        worst = fmax(worst, fabs(error));
    }
    mt_learned_clear(&learned);
    mt_shape_clear(&shape);
    return worst;
}

static void learns_what_each_node_on_the_way_adds(void **state)
{
    (void)state;
    const struct mt_components machine = {
        .costs = {1e-7},
        .latency = 1e-4,
        .hop = 2e-5,
        .bandwidth = {.base = 1e7},
        .wiring = {.topology = MT_TOPOLOGY_TORUS, .nodes = 512},
    };
    assert_true(error_of_wired(&machine) < 0.03);
}

static void learns_how_much_passes_a_switch(void **state)
{
    (void)state;
    const struct mt_components machine = {
        .costs = {1e-7},
        .latency = 1e-4,
        .bandwidth = {.base = 1e7, .contention = MT_CONTENTION_STAGES, .strength = 3},
        .wiring = {MT_TOPOLOGY_MULTISTAGE, .ports = 8, .nodes = 512},
    };
    assert_true(error_of_wired(&machine) < 0.03);
}

/* Two nodes do not tell it; that the network is a bus does. */
static void knows_a_bus_from_two_nodes(void **state)
{
    (void)state;
    struct mt_shape shape = ring();
    struct mt_learned learned = {0};
    struct mt_learn_run runs[MOST_RUNS];
    shape.shift = parsed("1");
    const struct truth truth = {.twin = &bus};
    const struct mt_learn_nodes nodes = {.wiring = {.topology = MT_TOPOLOGY_BUS}};
    const int nruns = make_runs(runs, &truth, &shape, to_some_sizes, 2, 0.005);
    assert_int_equal(mt_learn(&learned, &shape, runs, nruns, &nodes, NULL), MT_OK);
    const struct truth found = {.components = &learned.components};
    assert_close(seconds_of(&found, &shape, 1024, 64),
                 seconds_of(&truth, &shape, 1024, 64), 0.03);
    for (int i = 0; i < learned.nwarnings; i++)
        assert_null(strstr(learned.warnings[i], "messages"));
    mt_learned_clear(&learned);
    mt_shape_clear(&shape);
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

/* Runs that tell a cost, but not whether it grows. */
static void says_when_sizes_are_too_few_for_a_step(void **state)
{
    (void)state;
    struct mt_shape shape = ring();
    struct mt_learned learned = {0};
    learn_few(&learned, &shape, (double[]){64, 256, 1024}, 3, (int[]){1}, 1);
    assert_int_equal(learned.components.ncaches, 0);
    assert_contains(learned.warnings[1], "too few to tell a cache step, 3;");
    mt_learned_clear(&learned);
    learn_few(&learned, &shape, (double[]){64}, 1, (int[]){1}, 1);
    assert_contains(learned.warnings[1], "too few to tell a cache step, 1;");
    mt_learned_clear(&learned);
    mt_shape_clear(&shape);
}

/* What a run's time does not show of the network makes no difference on many nodes. */
static void says_nothing_of_laws_that_make_no_difference(void **state)
{
    (void)state;
    struct mt_components quick = laws[0];
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

static bool warns(const struct mt_learned *learned, const char *words)
{
    for (int i = 0; i < learned->nwarnings; i++)
        if (strstr(learned->warnings[i], words))
            return true;
    return false;
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

static void warns_of_growth_that_may_end(void **state)
{
    (void)state;
    const struct mt_components growth = {
        .costs = {0.25e-6},
        .bandwidth = {.base = 5e6, .contention = MT_CONTENTION_POWER, .exponent = 1}};
    const struct truth growing = {.components = &growth},
                       flat = {.components = &laws[0]};
    struct mt_learned learned = {0};
    learn_truth(&learned, &growing, to_few_sizes, 8, 0.01);
    assert_true(warns(&learned, "should that end there"));
    mt_learned_clear(&learned);
    learn_truth(&learned, &flat, to_few_sizes, 8, 0.01);
    assert_false(warns(&learned, "should that end there"));
    assert_false(warns(&learned, "no law of contention"));
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
        {{100, 4, 1}, 1, MT_ERANK, "do not tell"},
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
        cmocka_unit_test(predicts_the_torus),
        cmocka_unit_test(predicts_the_omega_network),
        cmocka_unit_test(predicts_the_bus),
        cmocka_unit_test(predicts_through_noise),
        cmocka_unit_test(says_how_sure_it_is),
        cmocka_unit_test(wants_runs_on_more_nodes_first),
        cmocka_unit_test(sees_a_step_before_one_that_only_begins),
        cmocka_unit_test(learns_what_each_node_on_the_way_adds),
        cmocka_unit_test(learns_how_much_passes_a_switch),
        cmocka_unit_test(knows_a_bus_from_two_nodes),
        cmocka_unit_test(wants_no_runs_on_more_nodes_than_there_are),
        cmocka_unit_test(has_no_step_without_sizes_beyond_it),
        cmocka_unit_test(says_when_sizes_are_too_few_for_a_step),
        cmocka_unit_test(says_nothing_of_laws_that_make_no_difference),
        cmocka_unit_test(says_what_one_number_of_nodes_does_not_tell),
        cmocka_unit_test(takes_medians),
        cmocka_unit_test(finds_which_of_uneven_messages_count),
        cmocka_unit_test(takes_no_network_for_worse_than_a_bus),
        cmocka_unit_test(warns_of_networks_that_no_law_describes),
        cmocka_unit_test(warns_of_growth_that_may_end),
        cmocka_unit_test(refuses_what_it_cannot_learn_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
