/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From runs to a machine and back: the runs are what a machine with other numbers than
 * the paper's AP1000 takes, so that what is learned of them is known.
 */
#include "lib/input/internal.h"
#include "lib/surface/internal.h"
#include "tests/unit/surface_cases.h"
#include "tests/unit/test.h"

#include <unistd.h>

enum { SIZES = 10, MOST_SAMPLES = 5 * SIZES + 4 };

static struct mt_cluster cluster;
static struct mt_program program;
static struct surface_case truth;
static struct mt_sample samples[MOST_SAMPLES];
static struct mt_samples measured = {.samples = samples};

static void find_file(char path[512], const char *folder, const char *name)
{
    snprintf(path, 512, "%s/%s/%s.yaml", getenv("MOTLEY_SOURCE"), folder, name);
}

static void add_sample(double size, int nodes, double seconds)
{
    struct mt_sample *sample = &samples[measured.count++];
    *sample = (struct mt_sample){.size = size, .seconds = seconds};
    sample->configuration.use[0] =
        (struct mt_use){.nodes = nodes, .layout.processes = 1};
}

static int set_up(void **state)
{
    (void)state;
    char path[512];
    find_file(path, "clusters", "ap1000");
    assert_int_equal(mt_cluster_load(&cluster, path, NULL), MT_OK);
    find_file(path, "programs", "matmul-a");
    assert_int_equal(mt_program_load(&program, path, NULL), MT_OK);
    surface_case_ap1000(&truth);
    mt_surface_free(truth.surface);
    mt_shape_clear(&truth.algorithm.shape);
    assert_int_equal(mt_shape_copy(&truth.algorithm.shape, &program.shape, NULL),
                     MT_OK);
    truth.algorithm.components.wiring.header = 16; /* the runs are of a simulation */
    assert_int_equal(
        mt_surface_make(&truth.surface, &truth.machine, &truth.algorithm, NULL), MT_OK);
    for (int nodes = 1; nodes <= 16; nodes *= 2)
        for (int i = 0; i < SIZES; i++) {
            const double size = round(16 * pow(2, i * 0.7) / nodes) * nodes;
            if (size > 0)
                add_sample(size, nodes,
                           mt_surface_at(truth.surface, size, nodes).seconds);
        }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    surface_case_clear(&truth);
    mt_program_clear(&program);
    mt_cluster_clear(&cluster);
    return 0;
}

static struct mt_group_runs_query ask(const char *nodes)
{
    struct mt_group_runs_query query = {
        .cluster = &cluster, .program = &program, .shape = &program.shape};
    if (nodes)
        assert_int_equal(mt_ranges_parse(&query.nodes, nodes, NULL), MT_OK);
    return query;
}

static void ranges_are_numbers_and_spans(void **state)
{
    (void)state;
    struct mt_ranges ranges = {0};
    assert_int_equal(mt_ranges_parse(&ranges, "1:8,16", NULL), MT_OK);
    assert_int_equal(ranges.count, 2);
    assert_close(ranges.spans[0].high, 8, 0);
    assert_close(ranges.spans[1].low, 16, 0);
    mt_ranges_clear(&ranges);
    static const char *const wrong[] = {"0", "8:1", "a", "1:", "1,,2", "-1", "+1", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct mt_error err;
        assert_int_equal(mt_ranges_parse(&ranges, wrong[i], &err), MT_EINVAL);
        assert_contains(err.text, "is not a list of numbers");
        assert_null(ranges.spans);
    }
}

static void repetitions_are_one_run_with_their_median(void **state)
{
    (void)state;
    struct mt_group_runs runs = {0};
    struct mt_group_runs_query query = ask("1:2");
    const int count = measured.count;
    const double seconds = mt_surface_at(truth.surface, 16, 1).seconds;
    add_sample(16, 1, 0.9 * seconds);
    add_sample(16, 1, 100 * seconds);
    assert_int_equal(mt_group_runs_take(&runs, &measured, &query, NULL), MT_OK);
    assert_int_equal(runs.made, runs.count + 2);
    assert_close(runs.runs[0].size, 16, 0);
    assert_close(runs.runs[0].seconds, seconds, 1e-12);
    for (int i = 0; i < runs.count; i++)
        assert_true(runs.runs[i].ranks <= 2);
    measured.count = count;
    mt_group_runs_clear(&runs);
    mt_ranges_clear(&query.nodes);
}

static void runs_that_the_shape_excludes_are_left_out_with_a_reason(void **state)
{
    (void)state;
    struct mt_group_runs runs = {0};
    const struct mt_group_runs_query query = ask(NULL);
    const int count = measured.count;
    add_sample(4, 16, 1); /* 'valid' is N >= P */
    assert_int_equal(mt_group_runs_take(&runs, &measured, &query, NULL), MT_OK);
    assert_non_null(runs.warnings);
    assert_contains(runs.warnings[0], "left out: 1: 'valid' does not hold at N = 4");
    measured.count = count;
    mt_group_runs_clear(&runs);
}

static void no_runs_are_said_to_be_none(void **state)
{
    (void)state;
    struct mt_group_runs runs = {0};
    struct mt_group_runs_query query = ask("3");
    struct mt_error err;
    assert_int_equal(mt_group_runs_take(&runs, &measured, &query, &err), MT_ENOTFOUND);
    assert_contains(err.text, "nodes: 3, sizes: any");
    query.group = "old";
    assert_int_equal(mt_group_runs_take(&runs, &measured, &query, &err), MT_EINVAL);
    assert_contains(err.text, "has no group 'old'");
    mt_ranges_clear(&query.nodes);
}

static void a_fit_makes_the_machine_that_the_runs_are_of(void **state)
{
    (void)state;
    struct mt_machine_fit fit = {0};
    struct mt_group_runs_query query = ask("1:8");
    assert_int_equal(mt_machine_fit_make(&fit, &measured, &query, 0, NULL), MT_OK);
    assert_string_equal(fit.machine.name, "ap1000");
    assert_true(fit.machine.simulated);
    assert_int_equal(fit.machine.nodes, 512);
    assert_int_equal(fit.machine.nalgorithms, 1);
    assert_string_equal(fit.machine.algorithms[0].name, "matmul-a");
    assert_int_equal(fit.speed_origin, MT_SPEED_OF_RUNS);
    const struct mt_components *found = &fit.machine.algorithms[0].components;
    assert_int_equal(found->ncaches, 1);
    assert_close(found->costs[0], ap1000_components.costs[0], 0.01);
    assert_close(found->costs[1], ap1000_components.costs[1], 0.01);
    assert_close(found->bandwidth.base, 2e6, 0.02);
    const struct mt_use use = mt_machine_fit_use(&fit, 32);
    assert_int_equal(use.nodes, 32);
    assert_int_equal(mt_machine_fit_use(&fit, 1024).nodes, 0);
    mt_machine_fit_clear(&fit);
    mt_ranges_clear(&query.nodes);
}

static void a_fit_of_another_machine_is_refused(void **state)
{
    (void)state;
    char path[512];
    struct mt_machine_fit fit = {0};
    const struct mt_group_runs_query query = ask(NULL);
    struct mt_error err;
    find_file(path, "machines", "cenju-3");
    assert_int_equal(mt_machine_load(&fit.machine, path, NULL), MT_OK);
    assert_int_equal(mt_machine_fit_make(&fit, &measured, &query, 1e6, &err),
                     MT_EINVAL);
    assert_contains(err.text, "is of machine 'cenju-3', not of 'ap1000'");
    mt_machine_fit_clear(&fit);
}

static void a_machine_is_written_and_read_again(void **state)
{
    (void)state;
    char path[] = "/tmp/motley-test-machine-XXXXXX";
    const int file = mkstemp(path);
    struct mt_machine_fit fit = {0};
    struct mt_machine again = {0};
    const struct mt_group_runs_query query = ask(NULL);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(mt_machine_fit_make(&fit, &measured, &query, 3e6, NULL), MT_OK);
    assert_int_equal(fit.speed_origin, MT_SPEED_GIVEN);
    assert_int_equal(mt_machine_fit_write(&fit, path, NULL), MT_OK);
    assert_int_equal(mt_machine_load(&again, path, NULL), MT_OK);
    assert_close(again.speed, 3e6, 1e-9);
    mt_machine_clear(&again);
    mt_machine_fit_clear(&fit);
    unlink(path);
}

/* Runs that take a quarter longer than the surface says, on 2 nodes twice as long. */
static void accuracy_counts_errors_and_steps_between_ridges(void **state)
{
    (void)state;
    struct mt_learn_run list[6];
    const struct mt_group_runs runs = {.runs = list, .count = 6};
    struct mt_accuracy accuracy = {0};
    for (int i = 0; i < 6; i++) {
        const int nodes = 1 + i / 3;
        const double size = 64 << i % 3;
        const double seconds = mt_surface_at(truth.surface, size, nodes).seconds;
        list[i] = (struct mt_learn_run){size, nodes, seconds * (nodes == 1 ? 1.25 : 2)};
    }
    truth.algorithm.learned = (struct mt_learned_from){.runs = 3, .nodes = 1};
    assert_int_equal(mt_accuracy_find(&accuracy, truth.surface, &runs, NULL), MT_OK);
    assert_int_equal(accuracy.learned.points, 3);
    assert_close(accuracy.learned.mean, 0.25, 1e-9);
    assert_int_equal(accuracy.beyond.points, 3);
    assert_close(accuracy.beyond.worst->error, 1, 1e-9);
    assert_close(accuracy.all.mean, 0.625, 1e-9);
    assert_int_equal(accuracy.nnodes, 2);
    assert_true(accuracy.nodes[1].ridge.found);
    assert_int_equal(accuracy.nodes[1].ridge.steps, 0);
    assert_close(accuracy.worst[0]->error, 1, 1e-9);
    assert_int_equal(accuracy.nworst, MT_WORST_POINTS);
    mt_accuracy_clear(&accuracy);
    truth.algorithm.learned = (struct mt_learned_from){0};
    assert_int_equal(mt_accuracy_find(&accuracy, truth.surface, &runs, NULL), MT_OK);
    assert_int_equal(accuracy.learned.points + accuracy.beyond.points, 0);
    mt_accuracy_clear(&accuracy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_numbers_and_spans),
        cmocka_unit_test(repetitions_are_one_run_with_their_median),
        cmocka_unit_test(runs_that_the_shape_excludes_are_left_out_with_a_reason),
        cmocka_unit_test(no_runs_are_said_to_be_none),
        cmocka_unit_test(a_fit_makes_the_machine_that_the_runs_are_of),
        cmocka_unit_test(a_fit_of_another_machine_is_refused),
        cmocka_unit_test(a_machine_is_written_and_read_again),
        cmocka_unit_test(accuracy_counts_errors_and_steps_between_ridges),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
