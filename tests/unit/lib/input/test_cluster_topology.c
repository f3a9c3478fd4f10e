/* SPDX-License-Identifier: BSD-3-Clause */
#include "cluster_cases.h"

#define GROUP \
    "groups: [{name: pe, nodes: 8, processes: [1], simulate: {flops: 1 Gf}}]\n"

static const char torus_file[] = "name: ring\n"
                                 "launcher: smpi\n" GROUP "network:\n"
                                 "  topology: torus\n"
                                 "  protocol: none\n"
                                 "  latency: 200 us\n"
                                 "  bandwidth: 2 MB/s\n"
                                 "  hop: {latency: 160 ns, bandwidth: 50 MB/s}\n";

static const char multistage_file[] = "name: omega\n"
                                      "launcher: smpi\n" GROUP "network:\n"
                                      "  topology: multistage\n"
                                      "  protocol: tcp\n"
                                      "  latency: 50 us\n"
                                      "  bandwidth: 1.2 MB/s\n"
                                      "  switch_ports: 4\n"
                                      "  switch_bandwidth: 2 MB/s\n";

static const char bus_file[] =
    "name: bus\n"
    "launcher: smpi\n"
    "groups:\n"
    "  - name: a\n"
    "    nodes: 2\n"
    "    processes: [1]\n"
    "    simulate:\n"
    "      flops: 1 Gf\n"
    "      caches:\n"
    "        - {size: 16 KiB, slowdown: 1.1, gradual: true}\n"
    "        - {size: 1 MiB, slowdown: 1.3, gradual: false}\n"
    "        - {size: 4 MiB, slowdown: 2}\n"
    "  - {name: b, nodes: 2, processes: [1], simulate: {flops: 1 Gf}}\n"
    "network: {topology: bus, latency: 1 ms, bandwidth: 1.2 MB/s}\n";

static const char switches_file[] =
    "name: two\n"
    "launcher: smpi\n"
    "groups:\n"
    "  - {name: a, switch: old, nodes: 1, processes: [1], simulate: {flops: 1 Gf}}\n"
    "  - {name: b, switch: new, nodes: 1, processes: [1], simulate: {flops: 1 Gf}}\n"
    "network:\n"
    "  topology: switches\n"
    "  latency: 50 us\n"
    "  bandwidth: 90 MB/s\n"
    "  trunk: {latency: 20 us, bandwidth: 100 MB/s}\n";

static void reads_a_torus(void **state)
{
    (void)state;
    struct mt_cluster cluster = {0};
    load(&cluster, torus_file);
    const struct mt_network *network = &cluster.network;
    assert_int_equal(network->topology, MT_TOPOLOGY_TORUS);
    assert_true(network->bare);
    assert_close(network->hop_latency, 160e-9, 1e-15);
    assert_close(network->hop_bandwidth, 50e6, 1e-15);
    mt_cluster_clear(&cluster);
}

static void reads_a_multistage_network(void **state)
{
    (void)state;
    struct mt_cluster cluster = {0};
    load(&cluster, multistage_file);
    const struct mt_network *network = &cluster.network;
    assert_int_equal(network->topology, MT_TOPOLOGY_MULTISTAGE);
    assert_false(network->bare);
    assert_int_equal(network->switch_ports, 4);
    assert_close(network->switch_bandwidth, 2e6, 1e-15);
    mt_cluster_clear(&cluster);
}

static void reads_a_bus_and_gradual_caches(void **state)
{
    (void)state;
    struct mt_cluster cluster = {0};
    load(&cluster, bus_file);
    assert_int_equal(cluster.network.topology, MT_TOPOLOGY_BUS);
    const struct mt_cache *caches = cluster.groups[0].simulate.caches;
    assert_true(caches[0].gradual);
    assert_false(caches[1].gradual);
    assert_false(caches[2].gradual);
    mt_cluster_clear(&cluster);
}

static void the_network_is_one_of_switches_unless_given(void **state)
{
    (void)state;
    struct mt_cluster cluster = {0};
    load(&cluster, switches_file);
    assert_int_equal(cluster.network.topology, MT_TOPOLOGY_SWITCHES);
    assert_false(cluster.network.bare);
    mt_cluster_clear(&cluster);
}

static void a_connection_is_full_duplex_unless_given(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool half;
    } cases[] = {{"latency: 50", false},
                 {"duplex: full\n  latency: 50", false},
                 {"duplex: half\n  latency: 50", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text =
            replaced(switches_file, &(struct broken){"latency: 50", cases[i].text, ""});
        struct mt_cluster cluster = {0};
        load(&cluster, text);
        assert_int_equal(cluster.network.half_duplex, cases[i].half);
        mt_cluster_clear(&cluster);
        free(text);
    }
}

static void refuses_broken_rings(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"torus", "tree",
         ":5: 'topology' of 'network' must be one of switches, bus, torus, multistage, "
         "not 'tree'"},
        {"none", "udp", ":6: 'protocol' of 'network' must be tcp or none, not 'udp'"},
        {"  hop: {latency: 160 ns, bandwidth: 50 MB/s}\n", "",
         ":5: missing key 'hop' in 'network': topology torus needs it"},
        {"160 ns", "160 nm", ":9: 'latency' of 'hop' of 'network': "},
        {"50 MB/s", "0 MB/s",
         ":9: 'bandwidth' of 'hop' of 'network' must be more than 0"},
        {", bandwidth: 50 MB/s", "", ":9: missing key 'bandwidth' in 'hop'"},
        {"  topology: torus\n", "", ":8: 'hop' is not for topology switches"},
        {"  hop:", "  switch_ports: 4\n  hop:",
         ":9: 'switch_ports' is not for topology torus"},
        {"  hop:", "  switch_bandwidth: 4 MB/s\n  hop:",
         ":9: 'switch_bandwidth' is not for topology torus"},
        {"  hop:", "  dip: {from: 1 kB, to: 2 kB, slowdown: 2}\n  hop:",
         ":9: 'dip' is not for protocol none"},
        {"groups: [",
         "groups: [{name: io, nodes: 1, processes: [1], simulate: "
         "{flops: 1 Gf}}, ",
         ":5: topology torus is for one group of nodes, not 2"},
    };
    CHECK_BROKEN(load_cluster, torus_file, cases);
}

static void refuses_broken_multistage_networks(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"  switch_ports: 4\n", "",
         ":5: missing key 'switch_ports' in 'network': topology multistage needs it"},
        {"switch_ports: 4", "switch_ports: 1",
         ":9: 'switch_ports' of 'network' must be at least 2, not 1"},
        {"  switch_bandwidth: 2 MB/s\n", "",
         ":5: missing key 'switch_bandwidth' in 'network': topology multistage needs"},
        {"  switch_ports", "  hop: {latency: 1 us, bandwidth: 1 MB/s}\n  switch_ports",
         ":9: 'hop' is not for topology multistage"},
        {"groups: [",
         "groups: [{name: io, nodes: 1, processes: [1], simulate: "
         "{flops: 1 Gf}}, ",
         ":5: topology multistage is for one group of nodes, not 2"},
    };
    CHECK_BROKEN(load_cluster, multistage_file, cases);
}

static void refuses_broken_buses_and_caches(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"gradual: true", "gradual: yes",
         ":10: 'gradual' of entry 1 of 'caches' of 'simulate' of group 'a' must be "
         "true or false, not 'yes'"},
        {"gradual: true", "sudden: true", ":10: unknown key 'sudden' in entry 1"},
        {"1.2 MB/s", "1.2 MB/s, switch_ports: 4",
         ":14: 'switch_ports' is not for topology bus"},
        {"1.2 MB/s", "1.2 MB/s, switch_bandwidth: 1 MB/s",
         ":14: 'switch_bandwidth' is not for topology bus"},
        {"1.2 MB/s", "1.2 MB/s, duplex: half",
         ":14: 'duplex: half' is not for topology bus"},
    };
    CHECK_BROKEN(load_cluster, bus_file, cases);
}

static void refuses_several_switches_but_for_switches(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"switches", "bus",
         ":7: topology bus has no switches for groups to be on, but they are on 2"},
        {"switches", "torus", ":7: topology torus has no switches for groups"},
        {"topology: switches", "hop: {latency: 1 us, bandwidth: 1 MB/s}",
         ":7: 'hop' is not for topology switches"},
        {"topology: switches", "duplex: both",
         ":7: 'duplex' of 'network' must be full or half, not 'both'"},
    };
    CHECK_BROKEN(load_cluster, switches_file, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_torus),
        cmocka_unit_test(reads_a_multistage_network),
        cmocka_unit_test(reads_a_bus_and_gradual_caches),
        cmocka_unit_test(the_network_is_one_of_switches_unless_given),
        cmocka_unit_test(a_connection_is_full_duplex_unless_given),
        cmocka_unit_test(refuses_broken_rings),
        cmocka_unit_test(refuses_broken_multistage_networks),
        cmocka_unit_test(refuses_broken_buses_and_caches),
        cmocka_unit_test(refuses_several_switches_but_for_switches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
