/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/expr/internal.h"
#include "lib/machine/internal.h"
#include "machine_cases.h"
#include "motley/surface.h"

static void reads_every_key(void **state)
{
    (void)state;
    struct mt_machine machine = {0};
    load(&machine, toy_machine);
    assert_string_equal(machine.name, "toy");
    assert_int_equal(machine.nodes, 24);
    assert_close(machine.speed, 2e6, 1e-15);
    assert_close(machine.memory, 0x1p24, 0);
    assert_true(machine.simulated);
    assert_int_equal(machine.nalgorithms, 2);

    const struct mt_algorithm *algorithm = &machine.algorithms[0];
    assert_string_equal(algorithm->name, "A");
    assert_string_equal(mt_expr_text(algorithm->shape.work), "2*N^3");
    assert_string_equal(mt_expr_text(algorithm->shape.memory), "24*N^2/P");
    assert_string_equal(mt_expr_text(algorithm->shape.valid), "N >= P && N > 16");
    assert_string_equal(mt_expr_text(algorithm->shape.steps), "N^3/P");
    assert_string_equal(mt_expr_text(algorithm->shape.working_set), "8*N^2/P");
    assert_string_equal(mt_expr_text(algorithm->shape.imbalance), "P*ceil(N/P)/N");
    assert_string_equal(mt_expr_text(algorithm->shape.messages), "P - 1");
    assert_string_equal(mt_expr_text(algorithm->shape.bytes), "8*N^2/P + 1");

    const struct mt_components *components = &algorithm->components;
    assert_int_equal(components->ncaches, 2);
    assert_close(components->costs[0], 0.25e-6, 1e-15);
    assert_close(components->costs[2], 0.36e-6, 1e-15);
    assert_close(components->caches[0].hit, 0x1p14, 0);
    assert_close(components->caches[1].miss, 3 * 0x1p20, 0);
    assert_close(components->latency, 0.0, 0);
    assert_close(components->bandwidth.base, 2e6, 1e-15);
    assert_close(components->bandwidth.half, 17e6, 1e-15);
    assert_int_equal(components->bandwidth.contention, MT_CONTENTION_SATURATING);
    assert_close(components->bandwidth.strength, 1.587, 0);
    assert_close(components->bandwidth.exponent, 1.5, 0);
    assert_false(components->overlap);

    assert_int_equal(algorithm->learned.runs, 40);
    assert_int_equal(algorithm->learned.nodes, 8);
    assert_close(algorithm->learned.size_low, 64.0, 0);
    assert_close(algorithm->learned.size_high, 1024.0, 0);
    assert_close(algorithm->learned.error, 0.012, 0);
    mt_machine_clear(&machine);
    assert_null(machine.algorithms);
}

static void has_defaults(void **state)
{
    (void)state;
    struct mt_machine machine = {0};
    load(&machine, "name: a\nnodes: 1\nspeed: 1 Gf\nalgorithms:\n"
                   "  - {name: only, work: N, compute: {costs: [1 ns]}}\n");
    assert_false(machine.simulated);
    assert_close(machine.memory, 0.0, 0);
    const struct mt_algorithm *algorithm = &machine.algorithms[0];
    assert_null(algorithm->shape.valid);
    assert_null(algorithm->shape.messages);
    assert_int_equal(algorithm->components.ncaches, 0);
    assert_close(algorithm->components.bandwidth.base, 0.0, 0);
    assert_int_equal(algorithm->learned.runs, 0);
    mt_machine_clear(&machine);
}

static void finds_algorithms(void **state)
{
    (void)state;
    struct mt_error err = {0};
    struct mt_machine machine = {0};
    const struct mt_algorithm *found = NULL;
    load(&machine, toy_machine);
    assert_int_equal(mt_machine_find(&found, &machine, NULL, &err), MT_OK);
    assert_string_equal(found->name, "A");
    assert_int_equal(mt_machine_find(&found, &machine, "B", &err), MT_OK);
    assert_string_equal(found->name, "B");
    assert_int_equal(mt_machine_find(&found, &machine, "C", &err), MT_EINVAL);
    assert_string_equal(err.text, "machine 'toy' has no algorithm 'C', but A, B");
    assert_string_equal(found->name, "B"); /* unchanged */
    mt_machine_clear(&machine);
}

static void knows_messages_that_even_out(void **state)
{
    (void)state;
    struct mt_machine machine = {0}, again = {0};
    load_changed(&machine,
                 "      bytes: 8*N^2/P + 1\n"
                 "      latency: 0 us\n"
                 "      bandwidth:\n",
                 "      bytes: 8*N*ceil(N/P)\n"
                 "      mean_bytes: 8*N^2/P\n"
                 "      bandwidth:\n"
                 "        evens_out: true\n");
    assert_true(machine.algorithms[0].components.bandwidth.evens_out);

    struct mt_surface *surface = NULL;
    struct mt_demand demand = {0};
    const struct mt_algorithm *algorithm = &machine.algorithms[0];
    assert_int_equal(mt_shape_demand(&demand, &algorithm->shape, 100, 3, NULL), MT_OK);
    assert_close(demand.bytes, 8.0 * 100 * 34, 1e-14);
    assert_close(demand.mean_bytes, 8.0 * 100 * 100 / 3, 1e-14);
    assert_int_equal(mt_surface_make(&surface, &machine, algorithm, NULL), MT_OK);
    assert_close(mt_surface_at(surface, 100, 3).communicate,
                 mt_components_time(&algorithm->components, &demand).communicate,
                 1e-14);
    mt_surface_free(surface);

    load_again(&again, &machine);
    assert_true(again.algorithms[0].components.bandwidth.evens_out);
    assert_string_equal(mt_expr_text(again.algorithms[0].shape.mean_bytes), "8*N^2/P");
    mt_machine_clear(&again);
    mt_machine_clear(&machine);
}

static void knows_steps_that_caches_make_no_difference_to(void **state)
{
    (void)state;
    struct mt_machine machine = {0}, again = {0};
    load_changed(&machine, "      steps: N^3/P\n",
                 "      steps: N^3/P\n"
                 "      near_steps: N^3/P - N\n"
                 "      near_cost: 250 ns\n");
    load_again(&again, &machine);
    assert_close(again.algorithms[0].components.near_cost, 250e-9, 1e-15);
    assert_string_equal(mt_expr_text(again.algorithms[0].shape.near_steps),
                        "N^3/P - N");
    mt_machine_clear(&again);
    mt_machine_clear(&machine);
}

static double message_seconds(const struct mt_machine *machine, double bytes)
{
    const struct mt_demand demand = {.messages = 1, .ranks = 1, .bytes = bytes};
    return mt_components_time(&machine->algorithms[0].components, &demand).communicate;
}

static void knows_lengths_out_of_proportion(void **state)
{
    (void)state;
    struct mt_machine machine = {0}, again = {0};
    load_changed(&machine, "      latency: 0 us\n",
                 "      latency: 1 us\n"
                 "      lengths:\n"
                 "        - {bytes: 64 KiB, as: 64 KiB}\n"
                 "        - {bytes: 128 KiB, as: 192 KiB}\n");
    machine.algorithms[0].components.bandwidth = (struct mt_bandwidth){.base = 1e6};
    assert_close(message_seconds(&machine, 0x1p15), 1e-6 + 0.032768, 1e-12);
    assert_close(message_seconds(&machine, 3 * 0x1p15), 1e-6 + 0.131072,
                 1e-12); /* half way */
    assert_close(message_seconds(&machine, 0x1p20), 1e-6 + 1.5 * 1.048576, 1e-12);

    load_again(&again, &machine);
    assert_int_equal(again.algorithms[0].components.nlengths, 2);
    assert_close(again.algorithms[0].components.lengths[1].as, 192 * 1024.0, 0);
    mt_machine_clear(&again);
    mt_machine_clear(&machine);
}

static void knows_how_nodes_are_connected(void **state)
{
    (void)state;
    struct mt_machine machine = {0}, again = {0};
    static const struct broken hopping = {"      latency: 0 us\n",
                                          "      together: sqrt(P)\n"
                                          "      shift: sqrt(P)\n"
                                          "      across: 1\n"
                                          "      hop: 20 us\n",
                                          NULL};
    char *hops = replaced(toy_machine, &hopping), *text;
    assert_true(asprintf(&text, "network: {topology: torus, header: 78 B}\n%s", hops) >
                0);
    load(&machine, text);
    assert_int_equal(machine.wiring.topology, MT_TOPOLOGY_TORUS);
    assert_int_equal(machine.wiring.nodes, 24);
    assert_close(machine.wiring.header, 78, 0);

    const struct mt_algorithm *algorithm = &machine.algorithms[0];
    struct mt_surface *surface = NULL;
    struct mt_demand demand = {0};
    assert_int_equal(mt_shape_demand(&demand, &algorithm->shape, 100, 9, NULL), MT_OK);
    assert_true(demand.together == 3 && demand.shift == 3 && demand.across == 1);
    assert_int_equal(mt_surface_make(&surface, &machine, algorithm, NULL), MT_OK);
    for (int i = 0; i < 2; i++) /* found, and kept */
        assert_close(mt_surface_at(surface, 100, 9).communicate,
                     mt_components_time(&algorithm->components, &demand).communicate,
                     1e-14);
    mt_surface_free(surface);

    load_again(&again, &machine);
    assert_int_equal(again.wiring.topology, MT_TOPOLOGY_TORUS);
    assert_close(again.wiring.header, 78, 0);
    assert_close(again.algorithms[0].components.hop, 20e-6, 1e-14);
    assert_string_equal(mt_expr_text(again.algorithms[0].shape.across), "1");
    free(text);
    free(hops);
    mt_machine_clear(&again);
    mt_machine_clear(&machine);
}

/* Write the machine, load that: nothing changed, and the same is written again. */
static void expect_same_again(struct mt_machine *machine)
{
    struct mt_machine again = {0};
    char *text = written(machine);
    load(&again, text);
    assert_string_equal(again.name, machine->name);
    assert_int_equal(again.nodes, machine->nodes);
    assert_close(again.speed, machine->speed, 0);
    assert_close(again.memory, machine->memory, 0);
    assert_true(again.simulated == machine->simulated);
    assert_int_equal(again.nalgorithms, machine->nalgorithms);
    for (int i = 0; i < again.nalgorithms; i++) {
        const struct mt_algorithm *a = &machine->algorithms[i],
                                  *b = &again.algorithms[i];
        assert_string_equal(a->name, b->name);
        assert_memory_equal(&a->components, &b->components, sizeof a->components);
        assert_memory_equal(&a->learned, &b->learned, sizeof a->learned);
        assert_true(mt_shape_same_work(&a->shape, &b->shape));
    }
    char *second = written(&again);
    assert_string_equal(second, text);
    free(second);
    free(text);
    mt_machine_clear(&again);
}

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    static const char *const names[] = {"ap1000", "cenju-3", "workstations"};
    struct mt_machine machine = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        load_shipped(&machine, names[i]);
        expect_same_again(&machine);
        mt_machine_clear(&machine);
    }
    load(&machine, toy_machine);
    expect_same_again(&machine);
    mt_machine_clear(&machine);
}

/* Learned values are numbers of many digits; units remain where possible, for
   readers. */
static void writes_numbers_exactly(void **state)
{
    (void)state;
    struct mt_machine machine = {0};
    load(&machine, toy_machine);
    struct mt_components *components = &machine.algorithms[0].components;
    components->costs[0] = 0.1e-6 / 3;
    components->caches[0].hit = 12345.678901234567;
    components->bandwidth.base = 1e9 / 7;
    components->bandwidth.exponent = 10 / 3.0;
    machine.algorithms[0].learned.error = 1e-17 / 3;
    machine.speed = 0x1.23456789abcdep30;
    expect_same_again(&machine);
    char *text = written(&machine);
    assert_contains(text, "hit: 1 MiB, miss: 3 MiB}");
    assert_contains(text, "memory: 16 MiB\n");
    assert_contains(text, "exponent: 3.3333333333333335}");
    free(text);
    mt_machine_clear(&machine);
}

static void quotes_what_yaml_would_misread(void **state)
{
    (void)state;
    struct mt_machine machine = {0};
    load(&machine, "name: \"a: 'b' #\\\\ \\\"c\\\"\\n\"\nnodes: 4\nspeed: 1 Gf\n"
                   "algorithms:\n"
                   "  - {name: '*', work: N, valid: '!(P % 3)', "
                   "compute: {costs: [1 ns]}}\n");
    expect_same_again(&machine);
    char *text = written(&machine);
    assert_contains(text, "name: \"a: 'b' #\\\\ \\\"c\\\"\\x0a\"\n");
    assert_contains(text, "valid: \"!(P % 3)\"\n");
    free(text);
    mt_machine_clear(&machine);
}

/* Messages with unknown costs lose only their shape. */
static void writes_only_what_costs_something(void **state)
{
    (void)state;
    struct mt_machine machine = {0};
    load(&machine, toy_machine);
    struct mt_components *components = &machine.algorithms[0].components;
    components->bandwidth = (struct mt_bandwidth){0};
    components->latency = 1e-5;
    expect_same_again(&machine);
    components->latency = 0;
    char *text = written(&machine);
    assert_null(strstr(text, "communication"));
    free(text);
    mt_machine_clear(&machine);
}

static void says_when_it_cannot_write(void **state)
{
    (void)state;
    struct mt_error err = {0};
    struct mt_machine machine = {0};
    load(&machine, toy_machine);
    FILE *full = fopen("/dev/full", "we");
    assert_non_null(full);
    assert_int_equal(mt_machine_write(&machine, full, &err), MT_EIO);
    assert_string_equal(err.text, "cannot write the machine 'toy'");
    fclose(full);
    mt_machine_clear(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_key),
        cmocka_unit_test(has_defaults),
        cmocka_unit_test(finds_algorithms),
        cmocka_unit_test(knows_messages_that_even_out),
        cmocka_unit_test(knows_steps_that_caches_make_no_difference_to),
        cmocka_unit_test(knows_lengths_out_of_proportion),
        cmocka_unit_test(knows_how_nodes_are_connected),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(writes_numbers_exactly),
        cmocka_unit_test(quotes_what_yaml_would_misread),
        cmocka_unit_test(writes_only_what_costs_something),
        cmocka_unit_test(says_when_it_cannot_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
