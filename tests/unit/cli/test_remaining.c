/* SPDX-License-Identifier: BSD-3-Clause */
/* The remaining runs of a measurement, and their order. */
#include "cli/run/remaining.h"
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

/* 50 tasks of one configuration. */
static void make_tasks(struct mt_tasks *tasks)
{
    struct mt_task task = {.size = 10};
    task.configuration.use[0] = (struct mt_use){.nodes = 2, .layout.processes = 1};
    for (task.repetition = 1; task.repetition <= 50; task.repetition++)
        assert_int_equal(mt_tasks_add(tasks, &task, NULL), MT_OK);
}

static void order_is_a_permutation_of_what_remains(void **state)
{
    (void)state;
    struct mt_cluster cluster;
    struct mt_group groups[2];
    make_cluster(&cluster, groups);
    struct mt_tasks tasks = {0};
    make_tasks(&tasks);
    char same[] = "fast:2x1", other[] = "fast:1x1";
    struct mt_run runs[] = {
        {.configuration = same, .size = 10, .repetition = 50},
        {.configuration = same, .size = 11, .repetition = 2},
        {.configuration = other, .size = 10, .repetition = 3},
        {.configuration = same, .size = 10, .repetition = 7},
        {.configuration = same, .size = 10, .repetition = 7},
    };
    struct mt_runs done = {runs, 5};
    struct mt_remaining remaining = {.tasks = &tasks, .cluster = &cluster};
    int seen[50] = {0}, in_place = 0;
    assert_int_equal(mt_remaining_make(&remaining, &done, 1, NULL), MT_OK);
    assert_int_equal(remaining.count, 48);
    for (int i = 0; i < remaining.count; i++) {
        seen[remaining.order[i]]++;
        in_place += remaining.order[i] == i;
    }
    for (int i = 0; i < 50; i++)
        assert_int_equal(seen[i], i != 49 && i != 6);
    assert_true(in_place < 10); /* 1 is expected */
    mt_remaining_sort(&remaining);
    assert_int_equal(mt_remaining_at(&remaining, 6)->repetition, 8);
    mt_remaining_clear(&remaining);
    mt_tasks_clear(&tasks);
}

/* Every task comes first about equally often: chi-square of 50 classes. */
static void order_is_uniform(void **state)
{
    (void)state;
    enum { SEEDS = 5000, TASKS = 50 };
    struct mt_cluster cluster;
    struct mt_group groups[2];
    make_cluster(&cluster, groups);
    struct mt_tasks tasks = {0};
    make_tasks(&tasks);
    struct mt_runs none = {0};
    int first[TASKS] = {0};
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        struct mt_remaining remaining = {.tasks = &tasks, .cluster = &cluster};
        assert_int_equal(mt_remaining_make(&remaining, &none, seed, NULL), MT_OK);
        first[remaining.order[0]]++;
        mt_remaining_clear(&remaining);
    }
    double chi_square = 0;
    const double expected = (double)SEEDS / TASKS;
    for (int i = 0; i < TASKS; i++)
        chi_square += (first[i] - expected) * (first[i] - expected) / expected;
    assert_true(chi_square < 85.4); /* 0.1 % point of 49 degrees of freedom */
    mt_tasks_clear(&tasks);
}

/* Runs that were begun stay in the order, whatever they need. */
static void leaves_out_what_lacks_nodes(void **state)
{
    (void)state;
    struct mt_cluster cluster;
    struct mt_group groups[2];
    make_cluster(&cluster, groups);
    struct mt_task list[6] = {0};
    for (int i = 0; i < 6; i++)
        list[i].configuration.use[1] =
            (struct mt_use){.nodes = i % 3 + 1, .layout.processes = 1};
    const struct mt_tasks tasks = {.tasks = list, .count = 6};
    int order[] = {5, 1, 4, 2, 0, 3};
    struct mt_remaining remaining = {
        .tasks = &tasks, .cluster = &cluster, .order = order, .count = 6};
    assert_int_equal(mt_remaining_leave_out(&remaining, 1), 0);
    assert_int_equal(remaining.count, 6);
    groups[1].nodes = 2;
    assert_int_equal(mt_remaining_leave_out(&remaining, 1), 1);
    groups[1].nodes = 1;
    assert_int_equal(mt_remaining_leave_out(&remaining, 1), 2);
    const int left[] = {5, 0, 3};
    assert_int_equal(remaining.count, 3);
    assert_memory_equal(order, left, sizeof left);
}

static void task_seeds_differ(void **state)
{
    (void)state;
    struct mt_task task = {.size = 10, .repetition = 1}, other = task;
    task.configuration.use[0] = other.configuration.use[0] =
        (struct mt_use){.nodes = 2, .layout.processes = 1};
    assert_int_equal(mt_task_seed(&task, 1), mt_task_seed(&other, 1));
    assert_int_not_equal(mt_task_seed(&task, 1), mt_task_seed(&task, 2));
    other.repetition = 2;
    assert_int_not_equal(mt_task_seed(&task, 1), mt_task_seed(&other, 1));
    other = task;
    other.size = 20;
    assert_int_not_equal(mt_task_seed(&task, 1), mt_task_seed(&other, 1));
    other = task;
    other.configuration.use[1] = (struct mt_use){.nodes = 1, .layout.processes = 1};
    assert_int_not_equal(mt_task_seed(&task, 1), mt_task_seed(&other, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_a_permutation_of_what_remains),
        cmocka_unit_test(order_is_uniform),
        cmocka_unit_test(leaves_out_what_lacks_nodes),
        cmocka_unit_test(task_seeds_differ),
    };
    return cmocka_run_group_tests_name("remaining", tests, NULL, NULL);
}
