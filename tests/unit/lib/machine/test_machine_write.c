/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/machine/internal.h"
#include "machine_cases.h"

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

/* What was learned are numbers of many digits; units stay for people where they can. */
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

/* Of messages that nothing is known about, only the shape is lost. */
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
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(writes_numbers_exactly),
        cmocka_unit_test(quotes_what_yaml_would_misread),
        cmocka_unit_test(writes_only_what_costs_something),
        cmocka_unit_test(says_when_it_cannot_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
