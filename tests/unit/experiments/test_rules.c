/* SPDX-License-Identifier: BSD-3-Clause */
/* How people choose without a model (experiments/blind). */
#include "experiments/blind/rules.h"
#include "tests/unit/test.h"

static struct mt_layout of_large[] = {{.processes = 1},
                                      {.processes = 2},
                                      {.processes = 4},
                                      {.processes = 8},
                                      {.processes = 16}},
                        of_small[] = {{.processes = 1}, {.processes = 2}};
static struct mt_group groups[] = {
    {.name = (char[]){"large"},
     .nodes = 3,
     .layouts = of_large,
     .nlayouts = 5,
     .simulate = {.cores = 8}},
    {.name = (char[]){"small"},
     .nodes = 5,
     .layouts = of_small,
     .nlayouts = 2,
     .simulate = {.cores = 2}},
};
static const struct mt_cluster cluster = {.groups = groups, .ngroups = 2};

static void assert_use(const struct mt_configuration *configuration, int group,
                       int nodes, int processes)
{
    assert_int_equal(configuration->use[group].nodes, nodes);
    assert_int_equal(configuration->use[group].layout.processes, processes);
}

static void all_nodes_have_a_process_a_core(void **state)
{
    (void)state;
    const struct mt_configuration all = rule_all_nodes(&cluster);
    assert_use(&all, 0, 3, 8);
    assert_use(&all, 1, 5, 2);
    const struct mt_configuration alone = rule_group_alone(&cluster, 1);
    assert_use(&alone, 0, 0, 0);
    assert_use(&alone, 1, 5, 2);
}

/* Shares of the eight processes that the fastest have. */
static void processes_are_in_proportion_to_speeds(void **state)
{
    (void)state;
    const struct {
        double speeds[MT_MAX_GROUPS];
        int large, small;
    } cases[] = {
        {{8, 2}, 8, 2},    {{80, 11}, 8, 1}, {{80, 4.9}, 8, 0},
        {{80, 5.1}, 8, 1}, {{1, 1}, 8, 2}, /* as many as they may */
        {{3, 1.5}, 8, 2},  {{1, 2}, 1, 2},   {{1, 0}, 8, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct mt_configuration made =
            rule_proportional(&cluster, cases[i].speeds);
        assert_use(&made, 0, 3, cases[i].large);
        assert_use(&made, 1, cases[i].small ? 5 : 0, cases[i].small);
    }
}

static void random_ones_are_of_the_cluster_and_repeatable(void **state)
{
    (void)state;
    struct random random = random_make(3, "test"), again = random_make(3, "test");
    int seen[6] = {0};
    for (int i = 0; i < 1000; i++) {
        const struct mt_configuration drawn = rule_random(&cluster, &random),
                                      same = rule_random(&cluster, &again);
        assert_true(mt_configuration_equal(&drawn, &same));
        assert_in_range(mt_configuration_nodes(&drawn), 1, 8);
        for (int g = 0; g < 2; g++) {
            bool known = drawn.use[g].nodes == 0;
            for (int m = 0; m < groups[g].nlayouts; m++)
                known |=
                    groups[g].layouts[m].processes == drawn.use[g].layout.processes;
            assert_true(known && drawn.use[g].nodes <= groups[g].nodes);
        }
        seen[drawn.use[1].nodes]++;
    }
    for (int nodes = 0; nodes <= 5; nodes++)
        assert_in_range(seen[nodes], 100, 250);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_nodes_have_a_process_a_core),
        cmocka_unit_test(processes_are_in_proportion_to_speeds),
        cmocka_unit_test(random_ones_are_of_the_cluster_and_repeatable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
