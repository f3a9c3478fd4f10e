/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/launch/crowded.h"

#include "tests/unit/test.h"

#include <unistd.h>

static char here[] = "localhost", there[] = "there";

/* Whether so many processes on each node of a group with these hosts and cores share
   cores. */
static bool crowded(char *hosts[2], double cores, int nodes, int processes)
{
    struct mt_group groups[2] = {{.hosts = hosts, .nodes = 2},
                                 {.hosts = hosts, .nodes = 2, .cores = cores}};
    const struct mt_cluster cluster = {.groups = groups, .ngroups = 2};
    const struct mt_configuration configuration = {
        .use[1] = {.nodes = nodes, .processes = processes}};
    return mt_crowded(&cluster, &configuration);
}

static void counts_cores(void **state)
{
    (void)state;
    char *hosts[] = {there, there};
    assert_false(crowded(hosts, 2, 2, 1));
    assert_false(crowded(hosts, 2, 2, 2));
    assert_true(crowded(hosts, 2, 1, 3));
    assert_true(crowded(hosts, 0.6, 1, 1));
    assert_true(crowded(hosts, 1.5, 2, 2));
    assert_false(crowded(hosts, 2, 0, 0));
}

/* A file may say of this machine that only some of its processors may be used. */
static void knows_only_this_machine_unasked(void **state)
{
    (void)state;
    const int processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
    char *other[] = {there, there}, *one[] = {there, here};
    assert_false(crowded(other, 0, 2, processors + 1));
    assert_true(crowded(one, 0, 2, processors + 1));
    assert_false(crowded(one, 0, 2, processors));
    assert_false(crowded(one, 0, 1, processors + 1)); /* the node that is not here */
    assert_true(crowded(one, 0.5, 2, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_cores),
        cmocka_unit_test(knows_only_this_machine_unasked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
