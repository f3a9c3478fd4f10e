/* SPDX-License-Identifier: BSD-3-Clause */
/* The runs of a measurement: which, and how long they take. */
#include "lib/design/internal.h"
#include "lib/input/internal.h"
#include "tests/unit/test.h"

static char fast[] = "fast", slow[] = "slow", host[] = "h";
static struct mt_layout one_two[] = {{.processes = 1}, {.processes = 2}};

/* Two groups of 20 and 3 nodes. */
static void make_cluster(struct mt_cluster *cluster, struct mt_group groups[2])
{
    static char *hosts[20];
    for (int i = 0; i < 20; i++)
        hosts[i] = host;
    groups[0] = (struct mt_group){
        .name = fast, .hosts = hosts, .nodes = 20, .layouts = one_two, .nlayouts = 2};
    groups[1] = (struct mt_group){
        .name = slow, .hosts = hosts, .nodes = 3, .layouts = one_two, .nlayouts = 1};
    *cluster = (struct mt_cluster){.groups = groups, .ngroups = 2};
}

static void plans_homogeneous_runs(void **state)
{
    (void)state;
    struct mt_cluster cluster;
    struct mt_group groups[2];
    make_cluster(&cluster, groups);
    const struct mt_program program = {0};
    const double sizes[] = {10, 20};
    const struct mt_measurement measurement = {.cluster = &cluster,
                                               .program = &program,
                                               .configurations = "homogeneous",
                                               .sizes = sizes,
                                               .nsizes = 2,
                                               .repeat = 3};
    struct mt_tasks tasks = {0};
    assert_int_equal(mt_tasks_plan(&tasks, &measurement, NULL), MT_OK);
    const int nodes[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20};
    assert_int_equal(tasks.count, (2 * 11 + 3) * 2 * 3);
    for (int i = 0; i < 11; i++) { /* one process a node; 2 sizes, 3 repetitions */
        const struct mt_task *task = &tasks.tasks[6 * i];
        assert_int_equal(task->configuration.use[0].nodes, nodes[i]);
        assert_int_equal(task->configuration.use[0].layout.processes, 1);
        assert_int_equal(mt_configuration_only_group(&task->configuration), 0);
    }
    assert_true(tasks.tasks[4].size == 20 && tasks.tasks[4].repetition == 2);
    mt_tasks_clear(&tasks);
}

/* The homogeneous runs of one size, each once. */
static struct mt_tasks tasks_of(const struct mt_cluster *cluster)
{
    const struct mt_program program = {0};
    const double size = 10;
    const struct mt_measurement measurement = {.cluster = cluster,
                                               .program = &program,
                                               .configurations = "homogeneous",
                                               .sizes = &size,
                                               .nsizes = 1,
                                               .repeat = 1};
    struct mt_tasks tasks = {0};
    assert_int_equal(mt_tasks_plan(&tasks, &measurement, NULL), MT_OK);
    return tasks;
}

/* Of layouts with threads fewer nodes are measured, the fewest where cores are left. */
static void measures_threads_on_few_nodes(void **state)
{
    (void)state;
    static struct mt_layout layouts[] = {{.processes = 1},
                                         {.processes = 1, .threads = 2},
                                         {.processes = 1, .threads = 4},
                                         {.processes = 2},
                                         {.processes = 2, .threads = 2}};
    struct mt_cluster cluster;
    struct mt_group groups[2];
    make_cluster(&cluster, groups);
    cluster.ngroups = 1;
    groups[0].layouts = layouts;
    groups[0].nlayouts = 5;
    struct mt_tasks tasks = tasks_of(&cluster);
    int nodes[5] = {0};
    for (int i = 0; i < tasks.count; i++)
        for (int l = 0; l < 5; l++)
            nodes[l] += mt_layout_compare(tasks.tasks[i].configuration.use[0].layout,
                                          layouts[l]) == 0;
    static const int expected[] = {11, 2, 6, 11, 6}; /* 1, 2, 4, 8, 16, 20 */
    for (int l = 0; l < 5; l++)
        assert_int_equal(nodes[l], expected[l]);
    mt_tasks_clear(&tasks);
}

static void measures_all_nodes_of_any_group(void **state)
{
    (void)state;
    for (int nodes = 1; nodes <= 1000; nodes++) {
        struct mt_cluster cluster;
        struct mt_group groups[2];
        make_cluster(&cluster, groups);
        cluster.ngroups = 1;
        groups[0].nlayouts = 1;
        groups[0].nodes = nodes;
        struct mt_tasks tasks = tasks_of(&cluster);
        assert_int_equal(tasks.tasks[tasks.count - 1].configuration.use[0].nodes,
                         nodes);
        for (int i = 1; i < tasks.count; i++)
            assert_true(tasks.tasks[i].configuration.use[0].nodes >
                        tasks.tasks[i - 1].configuration.use[0].nodes);
        mt_tasks_clear(&tasks);
    }
}

static void leaves_out_what_does_not_fit(void **state)
{
    (void)state;
    struct mt_cluster cluster;
    struct mt_group groups[2];
    make_cluster(&cluster, groups);
    groups[0].memory = 1000;
    struct mt_program program = {0};
    assert_int_equal(mt_expr_parse(&program.memory, "8*N^2/P", NULL), MT_OK);
    const double size = 20; /* 3200 bytes in total; M of P processes on a node */
    struct mt_measurement measurement = {.cluster = &cluster,
                                         .program = &program,
                                         .configurations = "fast:3x1",
                                         .sizes = &size,
                                         .nsizes = 1,
                                         .repeat = 1};
    struct mt_tasks tasks = {0};
    struct mt_error err;
    assert_int_equal(mt_tasks_plan(&tasks, &measurement, &err), MT_EINVAL);
    assert_contains(err.text, "memory excludes them");
    measurement.configurations = "fast:4x1,fast:3x2,slow:1x1";
    assert_int_equal(mt_tasks_plan(&tasks, &measurement, NULL), MT_OK);
    assert_int_equal(tasks.count, 2); /* the slow group's memory is not known */
    mt_tasks_clear(&tasks);
    mt_program_clear(&program);
}

static void estimates_a_line(void **state)
{
    (void)state;
    struct mt_estimate estimate = {0};
    assert_true(isnan(mt_estimate_seconds(&estimate, 1)));
    mt_estimate_add(&estimate, 10, 5);
    assert_close(mt_estimate_seconds(&estimate, 1000), 5,
                 1e-12); /* all that is known */
    assert_false(mt_estimate_covers(&estimate, 1000));
    mt_estimate_add(&estimate, 20, 7);
    mt_estimate_add(&estimate, 40, 11);
    assert_close(mt_estimate_seconds(&estimate, 30), 9, 1e-9);
    assert_close(mt_estimate_seconds(&estimate, 100), 23, 1e-9);
    assert_true(mt_estimate_covers(&estimate, 40));
}

static void estimates_are_never_negative(void **state)
{
    (void)state;
    struct mt_estimate steep = {0}, falling = {0};
    mt_estimate_add(&steep, 10, 1);
    mt_estimate_add(&steep, 20, 100);
    assert_true(mt_estimate_seconds(&steep, 1) > 0);
    mt_estimate_add(&falling, 10, 3);
    mt_estimate_add(&falling, 20, 1);
    assert_close(mt_estimate_seconds(&falling, 1000), 2, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_homogeneous_runs),
        cmocka_unit_test(measures_threads_on_few_nodes),
        cmocka_unit_test(measures_all_nodes_of_any_group),
        cmocka_unit_test(leaves_out_what_does_not_fit),
        cmocka_unit_test(estimates_a_line),
        cmocka_unit_test(estimates_are_never_negative),
    };
    return cmocka_run_group_tests_name("tasks", tests, NULL, NULL);
}
