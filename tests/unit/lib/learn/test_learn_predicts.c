/* SPDX-License-Identifier: BSD-3-Clause */
/* Learning from runs on a few nodes must tell what many do, also on machines that are
   not quite of the form of the model. */
#include "learn_cases.h"

#include "lib/machine/elapsed.h"
#include "lib/machine/internal.h"
#include "tests/unit/test.h"

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

/* From up to 8 nodes, up to so many. */
static void assert_learns(const struct twin *twin, double most_ranks)
{
    struct mt_learned learned = {0};
    const struct truth truth = {.twin = twin};
    learn_truth(&learned, &truth, to_some_sizes, 8, 0);
    assert_predicts(&learned, &truth, most_ranks, 0.03, 0.1);
    mt_learned_clear(&learned);
}

static void predicts_the_torus(void **state)
{
    (void)state;
    assert_learns(&torus, 512);
}

static void predicts_the_omega_network(void **state)
{
    (void)state;
    assert_learns(&omega, 256);
}

static void predicts_the_bus(void **state)
{
    (void)state;
    assert_learns(&bus, 512);
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
        .wiring = {.topology = MT_TOPOLOGY_MULTISTAGE, .ports = 8, .nodes = 512},
    };
    assert_true(error_of_wired(&machine) < 0.03);
}

/* Four nodes on a switch; messages that leave it have three tenths of the speed, which
   is learned, or known. */
static void learns_what_leaves_a_switch(void **state)
{
    (void)state;
    struct mt_components machine = {
        .costs = {1e-7},
        .latency = 1e-4,
        .hop = 3e-4,
        .bandwidth = {.base = 1e7, .contention = MT_CONTENTION_TRUNKS, .strength = 0.3},
        .wiring = {.ports = 4, .nodes = 512},
    };
    assert_true(error_of_wired(&machine) < 0.03);
    machine.hop = 0;
    machine.wiring.ports = 8; /* and no run leaves one */
    assert_true(error_of_wired(&machine) > 0.3);
    machine.wiring.bandwidth = 1e7;
    machine.wiring.trunk_bandwidth = 3e6;
    assert_true(error_of_wired(&machine) < 0.03);
}

/* Runs on 8 nodes do not show that a switch has room for only 20 messages, but its data
   sheet does. */
static void knows_how_many_messages_have_room(void **state)
{
    (void)state;
    struct mt_components machine = {
        .costs = {1e-7},
        .latency = 1e-4,
        .bandwidth = {.base = 1e7, .contention = MT_CONTENTION_LIMITED, .strength = 20},
        .wiring = {.nodes = 512},
    };
    assert_true(error_of_wired(&machine) > 0.3);
    machine.wiring.bandwidth = 1e7;
    machine.wiring.switch_bandwidth = 2e8;
    assert_true(error_of_wired(&machine) < 0.03);
}

/* A part of the bytes in a full switch are headers (of 10 kB here), but 8 nodes fill
   nothing. */
static void knows_that_messages_have_headers(void **state)
{
    (void)state;
    struct mt_components machine = {
        .costs = {1e-7},
        .latency = 1e-5,
        .bandwidth = {.base = 1e7, .contention = MT_CONTENTION_LIMITED, .strength = 20},
        .wiring = {.nodes = 512,
                   .bandwidth = 1e7,
                   .switch_bandwidth = 2e8,
                   .header = 1e4},
    };
    assert_true(error_of_wired(&machine) < 0.03);
}

/* Learn from grids of 1, 4, 9 and 16 nodes, whose edge is the number of messages under
   way together; `points` of the link are measured. */
static void learn_grid(struct mt_learned *learned, const struct mt_components *machine,
                       const struct mt_link_point *points, int npoints)
{
    struct mt_shape shape = {.work = parsed("2*N^3"),
                             .steps = parsed("N^3/P"),
                             .messages = parsed("2*sqrt(P)*(sqrt(P) - 1)"),
                             .bytes = parsed("8*N^2/P"),
                             .together = parsed("sqrt(P)"),
                             .shift = parsed("sqrt(P)"),
                             .across = parsed("1")};
    struct mt_learn_run runs[MOST_RUNS];
    const struct truth truth = {.components = machine};
    const struct mt_learn_nodes nodes = {
        .wiring = machine->wiring, .points = points, .npoints = npoints};
    int nruns = 0;
    unsigned random = 42;
    for (int edge = 1; edge <= 4; edge++)
        for (double size = 48; size <= 1600; size *= 1.5)
            runs[nruns++] =
                (struct mt_learn_run){size, edge * edge,
                                      seconds_of(&truth, &shape, size, edge * edge) *
                                          (1 + 0.005 * noise(&random))};
    assert_int_equal(mt_learn(learned, &shape, runs, nruns, &nodes, NULL), MT_OK);
    mt_shape_clear(&shape);
}

/* Two messages have room, on four nodes: because of the number under way. */
static void learns_how_many_messages_have_room(void **state)
{
    (void)state;
    const struct mt_components machine = {
        .costs = {1e-9},
        .latency = 1e-6,
        .bandwidth = {.base = 1e9,
                      .contention = MT_CONTENTION_LIMITED,
                      .strength = 2.5},
    };
    struct mt_learned learned = {0};
    learn_grid(&learned, &machine, NULL, 0);
    assert_int_equal(learned.components.bandwidth.contention, MT_CONTENTION_LIMITED);
    assert_close(learned.components.bandwidth.strength, 2.5, 0.05);
    mt_learned_clear(&learned);
}

/* On 4, 9 and 16 nodes of this network no message is alone in a switch, on 64 all are;
   how long one takes then is known from two nodes. */
static void takes_messages_that_are_alone_as_they_were_measured(void **state)
{
    (void)state;
    const struct mt_components machine = {
        .costs = {1e-9},
        .latency = 1e-6,
        .bandwidth = {.base = 1e9, .contention = MT_CONTENTION_STAGES, .strength = 1.2},
        .wiring = {.topology = MT_TOPOLOGY_MULTISTAGE, .ports = 8, .nodes = 256},
    };
    const struct mt_link_point points[] = {{1, 1e-6}, {2048, 1e-6 + 2048e-9}};
    struct mt_learned learned = {0};
    learn_grid(&learned, &machine, points, 2);
    assert_close(learned.components.bandwidth.base, 1e9, 0.05);
    assert_close(learned.components.bandwidth.strength, 1.2, 0.05);
    mt_learned_clear(&learned);
}

/* The sizes are such that only one process divides them evenly: processes get out of
   step on the bus, but the costs of a byte and a message are the same. */
static void learns_from_processes_out_of_step(void **state)
{
    (void)state;
    static const int sizes[] = {61, 97, 151, 241, 389, 613, 977};
    const struct mt_components machine = {
        .costs = {1e-8},
        .latency = 1e-4,
        .bandwidth = {.base = 1e8,
                      .contention = MT_CONTENTION_POWER,
                      .exponent = 1,
                      .evens_out = true},
        .wiring = {.topology = MT_TOPOLOGY_BUS, .nodes = 64},
    };
    const struct truth truth = {.components = &machine};
    const struct mt_learn_nodes nodes = {.wiring = machine.wiring};
    struct mt_shape shape = ring();
    struct mt_learn_run runs[MOST_RUNS];
    struct mt_learned learned = {0};
    int nruns = 0;
    mt_expr_free(shape.bytes);
    shape.bytes = parsed("8*N*ceil(N/P)");
    shape.mean_bytes = parsed("8*N^2/P");
    shape.shift = parsed("1");
    for (int ranks = 1; ranks <= 12; ranks++)
        for (int i = 0; i < 7; i++)
            runs[nruns++] = (struct mt_learn_run){
                sizes[i], ranks, seconds_of(&truth, &shape, sizes[i], ranks)};
    assert_int_equal(mt_learn(&learned, &shape, runs, nruns, &nodes, NULL), MT_OK);
    assert_close(learned.components.costs[0], 1e-8, 0.005);
    assert_close(learned.components.latency, 1e-4, 0.01);
    assert_close(learned.components.bandwidth.base, 1e8, 0.005);
    mt_learned_clear(&learned);
    mt_shape_clear(&shape);
}

/* Messages that take ten latencies more from 64 KiB on, as 'motley check' has seen. */
static void takes_lengths_as_they_were_measured(void **state)
{
    (void)state;
    const struct mt_components machine = {
        .costs = {1e-7},
        .latency = 1e-3,
        .lengths = {{65535, 65535}, {65536, 165536}, {0x1p20, 0x1p20 + 1e5}},
        .nlengths = 3,
        .bandwidth = {.base = 1e7},
    };
    struct mt_link_point points[64];
    int npoints = 0;
    for (double bytes = 1; bytes <= 0x1p20; bytes *= npoints % 2 ? 1.5 : 4 / 3.0)
        points[npoints++] = (struct mt_link_point){
            bytes,
            2e-3 + 3e-7 * mt_length_as(machine.lengths, machine.nlengths, bytes)};
    struct mt_shape shape = ring();
    struct mt_learn_run runs[MOST_RUNS];
    const struct truth truth = {.components = &machine};
    const int nruns = make_runs(runs, &truth, &shape, to_some_sizes, 8, 0.005);
    double worst[2] = {0};
    for (int checked = 0; checked < 2; checked++) {
        const struct mt_learn_nodes nodes = {.points = points,
                                             .npoints = checked ? npoints : 0};
        struct mt_learned learned = {0};
        assert_int_equal(mt_learn(&learned, &shape, runs, nruns, &nodes, NULL), MT_OK);
        const struct truth found = {.components = &learned.components};
        for (double size = 256; size <= 4096; size *= 2)
            worst[checked] =
                fmax(worst[checked], fabs(seconds_of(&found, &shape, size, 64) /
                                              seconds_of(&truth, &shape, size, 64) -
                                          1));
        const int nlengths = learned.components.nlengths;
        assert_true(checked == (nlengths > 0));
        if (checked) /* not rounded */
            assert_close(learned.components.lengths[nlengths - 1].bytes, 0x1p20, 1e-9);
        mt_learned_clear(&learned);
    }
    assert_true(worst[1] < 0.06 && worst[1] < 0.5 * worst[0]);
    mt_shape_clear(&shape);
}

/* Without a run that sends messages, messages cost what was measured. */
static void takes_messages_that_no_run_sends_as_they_were_measured(void **state)
{
    (void)state;
    struct mt_shape shape = ring();
    struct mt_learn_run runs[MOST_RUNS];
    struct mt_learned learned = {0};
    const struct truth truth = {.components = &plain_machine};
    const struct mt_link_point points[] = {{1, 1e-5}, {2048, 1e-5 + 2048e-9}};
    const struct mt_learn_nodes nodes = {.points = points, .npoints = 2};
    const int nruns = make_runs(runs, &truth, &shape, to_some_sizes, 1, 0);
    assert_int_equal(mt_learn(&learned, &shape, runs, nruns, &nodes, NULL), MT_OK);
    assert_close(learned.components.latency, 1e-5, 1e-5);
    assert_close(learned.components.bandwidth.base, 1e9, 1e-5);
    assert_true(warns(&learned, "what 'motley check' measured"));
    mt_learned_clear(&learned);
    mt_shape_clear(&shape);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predicts_the_torus),
        cmocka_unit_test(predicts_the_omega_network),
        cmocka_unit_test(predicts_the_bus),
        cmocka_unit_test(predicts_through_noise),
        cmocka_unit_test(learns_what_each_node_on_the_way_adds),
        cmocka_unit_test(learns_how_much_passes_a_switch),
        cmocka_unit_test(learns_what_leaves_a_switch),
        cmocka_unit_test(knows_how_many_messages_have_room),
        cmocka_unit_test(knows_that_messages_have_headers),
        cmocka_unit_test(learns_how_many_messages_have_room),
        cmocka_unit_test(takes_messages_that_are_alone_as_they_were_measured),
        cmocka_unit_test(knows_a_bus_from_two_nodes),
        cmocka_unit_test(learns_from_processes_out_of_step),
        cmocka_unit_test(takes_lengths_as_they_were_measured),
        cmocka_unit_test(takes_messages_that_no_run_sends_as_they_were_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
