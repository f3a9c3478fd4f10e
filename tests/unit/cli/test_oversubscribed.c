/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/launch/launcher.h"

#include "lib/base/cores.h"

#include "tests/unit/test.h"

static char here[] = "localhost", there[] = "there";

/* Whether this number of processes on each node of a group with these hosts and cores
   share cores. */
static bool oversubscribed(char *hosts[2], double cores, int nodes, int processes)
{
    struct mt_group groups[2] = {{.hosts = hosts, .nodes = 2},
                                 {.hosts = hosts, .nodes = 2, .cores = cores}};
    const struct mt_cluster cluster = {.groups = groups, .ngroups = 2};
    const struct mt_configuration configuration = {
        .use[1] = {.nodes = nodes, .layout.processes = processes}};
    return mt_oversubscribed(&cluster, &configuration);
}

static void counts_cores(void **state)
{
    (void)state;
    char *hosts[] = {there, there};
    assert_false(oversubscribed(hosts, 2, 2, 1));
    assert_false(oversubscribed(hosts, 2, 2, 2));
    assert_true(oversubscribed(hosts, 2, 1, 3));
    assert_true(oversubscribed(hosts, 0.6, 1, 1));
    assert_true(oversubscribed(hosts, 1.5, 2, 2));
    assert_false(oversubscribed(hosts, 2, 0, 0));
}

/* A file may say of this machine that only some of its processors may be used. */
static void knows_only_this_machine_unasked(void **state)
{
    (void)state;
    const int processors = (int)mt_cores_here();
    char *other[] = {there, there}, *one[] = {there, here};
    assert_false(oversubscribed(other, 0, 2, processors + 1));
    assert_true(oversubscribed(one, 0, 2, processors + 1));
    assert_false(oversubscribed(one, 0, 2, processors));
    assert_false(
        oversubscribed(one, 0, 1, processors + 1)); /* the node that is not here */
    assert_true(oversubscribed(one, 0.5, 2, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_cores),
        cmocka_unit_test(knows_only_this_machine_unasked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
