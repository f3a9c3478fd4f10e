/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts passed on in a ring or a grid, compared with known times: when the shared part
   is never idle, when it is never full, and SimGrid's. */
#include "lib/machine/internal.h"
#include "lib/machine/relay.h"

#include "tests/unit/test.h"

static const struct mt_wiring nothing;

/* N rows of a second each, on a bus. */
static struct mt_relay bus(double ranks, double size)
{
    const double rows = size / ranks;
    return (struct mt_relay){.ranks = ranks,
                             .rows = rows,
                             .messages = ranks - 1,
                             .way = {floor(rows), ceil(rows)},
                             .room = 1,
                             .wiring = &nothing};
}

/* Each row passes the bus once a turn. */
static void a_bus_that_is_never_idle_passes_all_rows(void **state)
{
    (void)state;
    for (int eager = 0; eager < 2; eager++)
        for (double ranks = 3; ranks <= 40; ranks += 5)
            for (double more = 1; more < ranks; more++) {
                struct mt_relay ring = bus(ranks, 2 * ranks + more);
                ring.bytes = eager ? 100 : 1e6;
                assert_close(mt_relay_seconds(&ring), (ranks - 1) * (2 * ranks + more),
                             1e-9);
            }
}

/* Some have no parts, so that their messages take no time. */
static void fewer_rows_than_ranks_pass_it_too(void **state)
{
    (void)state;
    for (int eager = 0; eager < 2; eager++)
        for (double ranks = 3; ranks <= 40; ranks += 5)
            for (double rows = 1; rows < ranks; rows++) {
                struct mt_relay ring = bus(ranks, rows);
                ring.bytes = eager ? 100 : 1e6;
                assert_close(mt_relay_seconds(&ring), (ranks - 1) * rows, 1e-9);
            }
}

/* With room for all, a process with a longer part is as late as if all had such
   parts. */
static void with_room_the_longer_part_goes_around_alone(void **state)
{
    (void)state;
    for (double ranks = 3; ranks <= 40; ranks += 5) {
        struct mt_relay ring = bus(ranks, 2 * ranks + 1);
        ring.room = ranks;
        ring.latency = 0.5;
        ring.bytes = 1e6;
        assert_close(mt_relay_seconds(&ring), (ranks - 1) * 3.5, 1e-9);
    }
}

/* At least the time of the busiest process or the bus, at most that of both plus all
   latencies; processes that compute in the meantime are ahead. */
static void processes_compute_while_others_send(void **state)
{
    (void)state;
    int ahead = 0;
    for (double ranks = 4; ranks <= 32; ranks *= 2)
        for (double share = 0.1; share < 8; share *= 1.7) {
            const double size = 3 * ranks + 1;
            struct mt_relay ring = bus(ranks, size);
            const double travels = (ranks - 1) * size;
            ring.compute = share * travels;
            ring.latency = 0.2;
            ring.bytes = 1e6;
            const double found = mt_relay_seconds(&ring);
            const double all = travels + ring.compute + (ranks - 1) * ring.latency;
            assert_true(found > fmax(travels, ring.compute) &&
                        found < all * (1 + 1e-9));
            ahead += found < 0.9 * all;
        }
    assert_true(ahead > 10);
}

/* Two send each other 4 and 5 rows: the last one has both connections for itself. */
static void half_duplex_the_last_message_is_twice_as_fast(void **state)
{
    (void)state;
    struct mt_relay ring = bus(2, 9);
    ring.room = 2;
    assert_close(mt_relay_seconds(&ring), 5, 1e-9);
    const struct mt_wiring half = {.half_duplex = true};
    ring.wiring = &half;
    assert_close(mt_relay_seconds(&ring), 4.5, 1e-9);
}

/* Of 1024 processes 512 are followed, and 64 turns. */
static void many_are_like_fewer(void **state)
{
    (void)state;
    struct mt_relay ring = bus(1024, 1024 * 2.25);
    ring.bytes = 1e6;
    assert_close(mt_relay_seconds(&ring), 1023 * 1024 * 2.25, 0.01);
}

/* With as many ports as nodes, one switch passes all messages. */
static void one_stage_is_a_switch(void **state)
{
    (void)state;
    const struct mt_wiring wiring = {
        .topology = MT_TOPOLOGY_MULTISTAGE, .ports = 64, .nodes = 64};
    for (double ranks = 3; ranks <= 64; ranks += 7) {
        struct mt_relay ring = bus(ranks, 2 * ranks + 1);
        ring.compute = 30;
        ring.latency = 0.5;
        ring.room = 2.5;
        const double in_a_switch = mt_relay_seconds(&ring);
        ring.wiring = &wiring;
        ring.counted = true;
        assert_close(mt_relay_seconds(&ring), in_a_switch, 1e-4);
    }
}

/* A switch of 4 ports with room for 4 messages delays none, with less room it does. */
static void messages_that_meet_take_longer(void **state)
{
    (void)state;
    const struct mt_wiring wiring = {
        .topology = MT_TOPOLOGY_MULTISTAGE, .ports = 4, .nodes = 16};
    struct mt_relay ring = bus(16, 35);
    ring.wiring = &wiring;
    ring.counted = true;
    ring.room = 4; /* no more pass a switch */
    ring.bytes = 1e6;
    assert_close(mt_relay_seconds(&ring), 15 * 3.0, 1e-9);
    ring.room = 1;
    const double meet = mt_relay_seconds(&ring);
    assert_true(meet > 15 * 3.0 * 1.05 && meet < 4 * 15 * 3.0);
}

/* More processes than the machine has nodes make it larger. */
static void stages_are_for_all_ranks(void **state)
{
    (void)state;
    double seconds[3];
    for (int i = 0; i < 3; i++) {
        static const int nodes[] = {64, 16, 1};
        const struct mt_wiring wiring = {
            .topology = MT_TOPOLOGY_MULTISTAGE, .ports = 4, .nodes = nodes[i]};
        struct mt_relay ring = bus(63, 1000);
        ring.wiring = &wiring;
        ring.counted = true;
        seconds[i] = mt_relay_seconds(&ring);
    }
    assert_close(seconds[1], seconds[0], 1e-9);
    assert_close(seconds[2], seconds[0], 1e-9);
}

/* The last process sends to the first over 7 nodes: this delays each turn. */
static void a_ring_waits_for_its_longest_way(void **state)
{
    (void)state;
    const struct mt_wiring torus = {.topology = MT_TOPOLOGY_TORUS, .nodes = 64};
    struct mt_relay ring = bus(8, 8);
    ring.room = 8;
    ring.latency = 0.5;
    ring.bytes = 1e6;
    ring.hop = 0.1;
    ring.wiring = &torus;
    assert_close(mt_relay_seconds(&ring), 7 * (1 + 0.5 + 7 * 0.1), 1e-9);
}

/* Equal parts stay in step: of K messages at a time each has its share, 2 (K - 1) times
   a step, and compute and add in between. */
static void equal_parts_of_a_grid_stay_in_step(void **state)
{
    (void)state;
    for (double edge = 2; edge <= 22; edge++)
        for (double room = 1; room <= 5; room += 2) {
            const struct mt_relay grid = {.ranks = edge * edge,
                                          .edge = edge,
                                          .rows = 3,
                                          .messages = 2 * edge * (edge - 1),
                                          .compute = 100,
                                          .add = 0.01,
                                          .latency = 0.25,
                                          .way = {3, 4, 5},
                                          .room = room,
                                          .wiring = &nothing};
            assert_close(mt_relay_seconds(&grid),
                         100 + grid.messages * (0.25 + 3 * fmax(1, edge / room)), 1e-9);
        }
}

/* At least the time that the bus needs, at most that of long parts only and no process
   ahead. */
static void processes_of_a_grid_compute_while_others_send(void **state)
{
    (void)state;
    int ahead = 0;
    for (double edge = 3; edge <= 15; edge += 3)
        for (double compute = 1; compute < 1e5; compute *= 4) {
            const struct mt_relay grid = {.ranks = edge * edge,
                                          .edge = edge,
                                          .rows = 2 + 1 / edge,
                                          .messages = 2 * edge * (edge - 1),
                                          .compute = compute,
                                          .way = {4, 6, 9},
                                          .room = 1,
                                          .wiring = &nothing};
            /* all blocks pass it K - 1 times, and all results do */
            const double size = edge * grid.rows,
                         travels = 2 * (edge - 1) * size * size;
            const double found = mt_relay_seconds(&grid);
            const double longer = pow(3 / grid.rows, 2);
            assert_true(found > travels * (1 - 1e-9));
            assert_true(found < longer * (travels + compute));
            ahead += found < 0.95 * (travels + compute);
        }
    assert_true(ahead > 5);
}

/* With costs that are not finite the result is not finite, and the simulation ends. */
static void times_that_are_no_numbers_end(void **state)
{
    (void)state;
    static const double odd[] = {NAN, INFINITY};
    for (int i = 0; i < 2 * 3; i++) {
        struct mt_relay grid = {.ranks = 16,
                                .edge = 4,
                                .rows = 2.5,
                                .messages = 24,
                                .compute = 1,
                                .way = {4, 6, 9},
                                .room = 1,
                                .wiring = &nothing},
                        ring = bus(16, 40);
        *(double *[]){&grid.compute, &grid.latency, &grid.way[1]}[i % 3] = odd[i / 3];
        *(double *[]){&ring.compute, &ring.latency, &ring.way[1]}[i % 3] = odd[i / 3];
        assert_false(isfinite(mt_relay_seconds(&grid)));
        assert_false(isfinite(mt_relay_seconds(&ring)));
    }
}

/* Of the matrix product. */
static struct mt_demand demand_of(double ranks, double size)
{
    const double longest = ceil(size / ranks);
    return (struct mt_demand){.steps = size * size * longest,
                              .messages = ranks - 1,
                              .bytes = 8 * size * longest,
                              .mean_bytes = 8 * size * size / ranks,
                              .ranks = ranks,
                              .together = ranks,
                              .shift = 1,
                              .rows = size / ranks};
}

/* The matrix product on the bus of the study's workstations, from SimGrid (recorded in
   tests/data/surface): where messages are short, and where they are long. */
static void takes_as_long_as_in_a_simulator(void **state)
{
    (void)state;
    static const struct {
        double ranks, size, seconds;
    } runs[] = {{6, 64, 0.0456215}, {24, 64, 0.164289}, {24, 1024, 46.6712},
                {48, 64, 0.287674}, {48, 512, 18.7004}, {48, 2048, 333.451}};
    const struct mt_components bus_of_workstations = {
        .costs = {259.515e-9},
        .latency = 1.0134e-3,
        .bandwidth = {.base = 5514620,
                      .contention = MT_CONTENTION_POWER,
                      .exponent = 1,
                      .evens_out = true}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const struct mt_demand demand = demand_of(runs[i].ranks, runs[i].size);
        assert_close(mt_components_time(&bus_of_workstations, &demand).total,
                     runs[i].seconds, 0.025);
    }
}

/* The same on the stages of Cenju-3. */
static void takes_as_long_as_in_simulated_stages(void **state)
{
    (void)state;
    static const struct {
        double ranks, size, seconds;
    } runs[] = {{12, 16, 0.00432719}, {12, 64, 0.0609814}, {24, 32, 0.0183092},
                {24, 64, 0.0643661},  {48, 64, 0.0704054}, {48, 128, 0.261463}};
    const struct mt_components cenju3 = {
        .costs = {249.649e-9},
        .latency = 50.155e-6,
        .bandwidth = {.base = 2133160,
                      .contention = MT_CONTENTION_STAGES,
                      .strength = 1},
        .wiring = {.topology = MT_TOPOLOGY_MULTISTAGE,
                   .ports = 4,
                   .nodes = 256,
                   .header = 16}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const struct mt_demand demand = demand_of(runs[i].ranks, runs[i].size);
        assert_close(mt_components_time(&cenju3, &demand).total, runs[i].seconds, 0.05);
    }
}

/* The other algorithm of the matrix product. */
static struct mt_demand demand_of_grid(double ranks, double size)
{
    const double edge = sqrt(ranks), longest = ceil(size / edge);
    return (struct mt_demand){
        .steps = (pow(size, 3) / ranks + size * size * (1 - 1 / edge)) * longest *
                 edge / size,
        .messages = 2 * edge * (edge - 1),
        .bytes = 8 * size / edge * longest,
        .mean_bytes = 8 * size * size / ranks,
        .ranks = ranks,
        .together = edge,
        .shift = edge,
        .across = 1,
        .rows = fmod(size, edge) != 0 ? size / edge : 0};
}

/* The same algorithm on 25 to 64 nodes of 302 Mflop/s and 323 MB/s, from SimGrid. */
static void a_grid_takes_as_long_as_in_a_simulator(void **state)
{
    (void)state;
    enum { BUS, SWITCH, STAGES, NNETWORKS };
    static const struct mt_components networks[NNETWORKS] = {
        [BUS] = {.bandwidth = {.contention = MT_CONTENTION_POWER,
                               .exponent = 1,
                               .evens_out = true}},
        [SWITCH] = {.bandwidth = {.contention = MT_CONTENTION_LIMITED,
                                  .strength = 950.0 / 323}},
        [STAGES] = {.bandwidth = {.contention = MT_CONTENTION_STAGES, .strength = 2},
                    .wiring = {MT_TOPOLOGY_MULTISTAGE, .ports = 4, .nodes = 64}},
    };
    static const struct {
        int network;
        double ranks, size, seconds;
    } runs[] = {
        {BUS, 25, 64, 1.35595783e-3},    {BUS, 49, 96, 3.52582839e-3},
        {BUS, 49, 98, 4.70862027e-3},    {BUS, 49, 128, 5.7009476e-3},
        {SWITCH, 25, 72, 1.21252955e-3}, {SWITCH, 36, 500, 68.8318384e-3},
        {SWITCH, 49, 96, 2.28226962e-3}, {SWITCH, 64, 128, 4.51953351e-3},
        {STAGES, 25, 64, 1.04793677e-3}, {STAGES, 36, 128, 2.68102913e-3},
        {STAGES, 49, 72, 1.86849322e-3}, {STAGES, 64, 500, 41.8093259e-3},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct mt_components machine = networks[runs[i].network];
        machine.costs[0] = 4 / 302e6;
        machine.latency = 17.4e-6;
        machine.bandwidth.base = 323e6;
        machine.wiring.header = 16;
        const struct mt_demand demand = demand_of_grid(runs[i].ranks, runs[i].size);
        assert_close(mt_components_time(&machine, &demand).total, runs[i].seconds,
                     0.002);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bus_that_is_never_idle_passes_all_rows),
        cmocka_unit_test(fewer_rows_than_ranks_pass_it_too),
        cmocka_unit_test(with_room_the_longer_part_goes_around_alone),
        cmocka_unit_test(processes_compute_while_others_send),
        cmocka_unit_test(half_duplex_the_last_message_is_twice_as_fast),
        cmocka_unit_test(many_are_like_fewer),
        cmocka_unit_test(one_stage_is_a_switch),
        cmocka_unit_test(messages_that_meet_take_longer),
        cmocka_unit_test(stages_are_for_all_ranks),
        cmocka_unit_test(a_ring_waits_for_its_longest_way),
        cmocka_unit_test(equal_parts_of_a_grid_stay_in_step),
        cmocka_unit_test(processes_of_a_grid_compute_while_others_send),
        cmocka_unit_test(times_that_are_no_numbers_end),
        cmocka_unit_test(takes_as_long_as_in_a_simulator),
        cmocka_unit_test(takes_as_long_as_in_simulated_stages),
        cmocka_unit_test(a_grid_takes_as_long_as_in_a_simulator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
