/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/testbed/links.h"

#include "tests/unit/test.h"

#include <string.h>

/* A cluster of one group with two nodes. */
struct example {
    char name[32], host[2][128];
    char *hosts[2];
    struct mt_group group;
    struct mt_cluster cluster;
};

static void set_up(struct example *example, const char *name, const char *first,
                   const char *second)
{
    *example = (struct example){0};
    snprintf(example->name, sizeof example->name, "%s", name);
    snprintf(example->host[0], sizeof example->host[0], "%s", first);
    snprintf(example->host[1], sizeof example->host[1], "%s", second);
    example->hosts[0] = example->host[0];
    example->hosts[1] = example->host[1];
    example->group = (struct mt_group){
        .hosts = example->hosts, .nodes = 2, .cores = 0.3, .testbed_bandwidth = 125e6};
    example->cluster = (struct mt_cluster){
        .name = example->name, .groups = &example->group, .ngroups = 1};
}

static void the_head_comes_first(void **state)
{
    (void)state;
    struct example example;
    struct mt_testbed testbed = {0};
    const struct mt_testbed_node *node;
    set_up(&example, "bed", "slow-1", "slow-2");
    assert_int_equal(mt_testbed_init(&testbed, &example.cluster, NULL), MT_OK);
    assert_int_equal(testbed.nnodes, 3);
    assert_string_equal(testbed.nodes[0].place.node, "head");
    assert_close(testbed.nodes[0].cores, 0, 0);
    assert_string_equal(testbed.nodes[2].place.node, "slow-2");
    assert_int_equal(testbed.nodes[2].number, 2);
    assert_close(testbed.nodes[2].cores, 0.3, 0);
    assert_close(testbed.nodes[2].bandwidth, 125e6, 0);

    assert_int_equal(mt_testbed_find_node(&node, &testbed, NULL, NULL), MT_OK);
    assert_ptr_equal(node, &testbed.nodes[0]);
    assert_int_equal(mt_testbed_find_node(&node, &testbed, "slow-1", NULL), MT_OK);
    assert_ptr_equal(node, &testbed.nodes[1]);
    assert_int_equal(mt_testbed_find_node(&node, &testbed, "slow", NULL), MT_EINVAL);
    mt_testbed_clear(&testbed);
    assert_null(testbed.nodes);
}

/* The last address is 10.77.255.254. */
static void there_are_addresses_for_all(void **state)
{
    (void)state;
    enum { MOST = MT_TESTBED_MOST_NODES - 1 }; /* besides the head */
    struct example example;
    struct mt_testbed testbed = {0};
    struct mt_error err = {0};
    char address[MT_ADDRESS_SIZE];
    set_up(&example, "bed", "a", "b");
    char **hosts = calloc(MOST + 1, sizeof *hosts);
    char *names = calloc(MOST + 1, sizeof "n65534");
    for (int i = 0; i <= MOST; i++) {
        hosts[i] = names + (size_t)i * sizeof "n65534";
        snprintf(hosts[i], sizeof "n65534", "n%d", i);
    }
    example.group.hosts = hosts;
    example.group.nodes = MOST;
    assert_int_equal(mt_testbed_init(&testbed, &example.cluster, NULL), MT_OK);
    mt_testbed_address(address, testbed.nodes[MOST].number);
    assert_string_equal(address, "10.77.255.254");
    mt_testbed_clear(&testbed);

    example.group.nodes = MOST + 1;
    assert_int_equal(mt_testbed_init(&testbed, &example.cluster, &err), MT_EINVAL);
    assert_string_equal(err.text, "testbed 'bed' has 65535 nodes with its head: there "
                                  "are addresses for 65534");
    assert_null(testbed.nodes);
    free(names);
    free(hosts);
}

static void a_node_may_be_called_head(void **state)
{
    (void)state;
    struct example example;
    struct mt_testbed testbed = {0};
    set_up(&example, "bed", "slow-1", "head");
    assert_int_equal(mt_testbed_init(&testbed, &example.cluster, NULL), MT_OK);
    assert_string_equal(testbed.nodes[0].place.node, "bed-head");
    mt_testbed_clear(&testbed);
}

static void only_testbeds_are_taken(void **state)
{
    (void)state;
    struct example example;
    struct mt_testbed testbed = {0};
    struct mt_error err;
    set_up(&example, "bed", "slow-1", "slow-2");
    example.group.testbed_bandwidth = 0;
    assert_int_equal(mt_testbed_init(&testbed, &example.cluster, &err), MT_EINVAL);
    assert_contains(err.text, "'bed' is not a testbed");
    assert_null(testbed.nodes);
}

static void names_are_those_of_hosts_and_folders(void **state)
{
    (void)state;
    static const char *const bad_hosts[] = {"",   "a/b", "..",   ".a",
                                            "-a", "a b", "a\nb", "ä"};
    static const char *const bad_names[] = {"", ".", "..", "a/b", ".hidden", "a\nb"};
    struct example example;
    struct mt_testbed testbed = {0};
    struct mt_error err;
    for (size_t i = 0; i < sizeof bad_hosts / sizeof *bad_hosts; i++) {
        set_up(&example, "bed", "fine", bad_hosts[i]);
        assert_int_equal(mt_testbed_init(&testbed, &example.cluster, &err), MT_EINVAL);
        assert_contains(err.text, "node cannot be called");
        assert_null(testbed.nodes);
    }
    for (size_t i = 0; i < sizeof bad_names / sizeof *bad_names; i++) {
        set_up(&example, bad_names[i], "slow-1", "slow-2");
        assert_int_equal(mt_testbed_init(&testbed, &example.cluster, &err), MT_EINVAL);
        assert_contains(err.text, "testbed cannot be called");
    }
    set_up(&example, "bed", "fine", "");
    memset(example.host[1], 'x', 65);
    assert_int_equal(mt_testbed_init(&testbed, &example.cluster, &err), MT_EINVAL);
    example.host[1][64] = '\0';
    assert_int_equal(mt_testbed_init(&testbed, &example.cluster, &err), MT_OK);
    mt_testbed_clear(&testbed);
}

static void addresses_are_different(void **state)
{
    (void)state;
    char address[MT_ADDRESS_SIZE];
    const struct {
        int number;
        const char *address;
    } cases[] = {
        {0, "10.77.0.1"},   {1, "10.77.0.2"},         {254, "10.77.0.255"},
        {255, "10.77.1.0"}, {65533, "10.77.255.254"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mt_testbed_address(address, cases[i].number);
        assert_string_equal(address, cases[i].address);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_head_comes_first),
        cmocka_unit_test(there_are_addresses_for_all),
        cmocka_unit_test(a_node_may_be_called_head),
        cmocka_unit_test(only_testbeds_are_taken),
        cmocka_unit_test(names_are_those_of_hosts_and_folders),
        cmocka_unit_test(addresses_are_different),
    };
    return cmocka_run_group_tests_name("testbed_nodes", tests, NULL, NULL);
}
