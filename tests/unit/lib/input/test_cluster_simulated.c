/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of simulated clusters about nodes and network. */
#include "cluster_cases.h"

static const char simulated_file[] =
    "name: toy\n"
    "launcher: smpi\n"
    "groups:\n"
    "  - name: xeon\n"
    "    nodes: 8\n"
    "    processes: [1, 2]\n"
    "    simulate:\n"
    "      flops: 2.4 Gf\n"
    "      cores: 2\n"
    "      caches:\n"
    "        - {size: 512 KiB, slowdown: 1.3}\n"
    "        - {size: 4 MiB, slowdown: 2}\n"
    "      memory_bandwidth: 2 GB/s\n"
    "      oversubscription: 0.03\n"
    "      noise: 0.01\n"
    "      loopback: {latency: 1 us, bandwidth: 1 GB/s}\n"
    "network: {latency: 50 us, bandwidth: 90 MB/s, switch_bandwidth: 4 GB/s}\n";

static const char switches_file[] =
    "name: two\n"
    "launcher: smpi\n"
    "groups:\n"
    "  - {name: a, switch: old, nodes: 1, processes: [1], simulate: {flops: 1 Gf}}\n"
    "  - {name: b, switch: new, nodes: 1, processes: [1], simulate: {flops: 1 Gf}}\n"
    "  - {name: c, switch: old, nodes: 1, processes: [1], simulate: {flops: 1 Gf}}\n"
    "network:\n"
    "  latency: 50 us\n"
    "  bandwidth: 90 MB/s\n"
    "  trunk: {latency: 20 us, bandwidth: 100 MB/s}\n"
    "glitches: {count: 3, slowdown: 1.5}\n";

static const char flawed_file[] =
    "name: flawed\n"
    "launcher: smpi\n"
    "groups:\n"
    "  - name: a\n"
    "    nodes: 3\n"
    "    processes: [1]\n"
    "    simulate: {flops: 1 Gf, odd: {node: 3, slowdown: 1.5, link_slowdown: 4}}\n"
    "  - {name: b, nodes: 1, processes: [1], simulate: {flops: 1 Gf}}\n"
    "network:\n"
    "  latency: 50 us\n"
    "  bandwidth: 90 MB/s\n"
    "  dip: {from: 32 KiB, to: 64 KiB, slowdown: 3}\n"
    "  offload: true\n"
    "  incast: {nodes: 16, steps: [{from: 4 KiB, delay: 0.2 s}, {from: 64 KiB, delay: "
    "0 s}]}\n";

static void reads_a_simulated_cluster(void **state)
{
    (void)state;
    struct mt_cluster cluster = {0};
    load(&cluster, simulated_file);
    assert_true(mt_cluster_simulated(&cluster));
    const struct mt_simulated_node *node = &cluster.groups[0].simulate;
    assert_close(node->flops, 2.4e9, 1e-15);
    assert_int_equal(node->cores, 2);
    assert_int_equal(node->ncaches, 2);
    assert_close(node->caches[1].bytes, 4194304.0, 0);
    assert_close(node->caches[0].slowdown, 1.3, 0);
    assert_close(node->memory_bandwidth, 2e9, 1e-15);
    assert_close(node->oversubscription, 0.03, 0);
    assert_close(node->noise, 0.01, 0);
    assert_close(node->loopback_latency, 1e-6, 1e-15);
    assert_close(node->loopback_bandwidth, 1e9, 1e-15);
    assert_close(cluster.network.latency, 50e-6, 1e-15);
    assert_close(cluster.network.bandwidth, 90e6, 1e-15);
    assert_close(cluster.network.switch_bandwidth, 4e9, 1e-15);
    assert_int_equal(cluster.network.switches, 1);
    assert_int_equal(cluster.glitches.count, 0);
    mt_cluster_clear(&cluster);
}

static void reads_switches_and_glitches(void **state)
{
    (void)state;
    struct mt_cluster cluster = {0};
    load(&cluster, switches_file);
    assert_int_equal(cluster.network.switches, 2);
    assert_int_equal(cluster.groups[0].network_switch, 0);
    assert_int_equal(cluster.groups[1].network_switch, 1);
    assert_int_equal(cluster.groups[2].network_switch, 0);
    assert_close(cluster.network.trunk_latency, 20e-6, 1e-15);
    assert_close(cluster.network.trunk_bandwidth, 100e6, 1e-15);
    assert_int_equal(cluster.glitches.count, 3);
    assert_close(cluster.glitches.slowdown, 1.5, 0);
    mt_cluster_clear(&cluster);
}

static void reads_a_flawed_cluster(void **state)
{
    (void)state;
    struct mt_cluster cluster = {0};
    load(&cluster, flawed_file);
    const struct mt_odd_node *odd = &cluster.groups[0].simulate.odd;
    assert_int_equal(odd->number, 3);
    assert_close(odd->slowdown, 1.5, 0);
    assert_close(odd->link_slowdown, 4, 0);
    assert_int_equal(cluster.groups[1].simulate.odd.number, 0);
    assert_close(cluster.network.dip.from, 32768.0, 0);
    assert_close(cluster.network.dip.to, 65536.0, 0);
    assert_close(cluster.network.dip.slowdown, 3, 0);
    assert_true(cluster.network.offload);
    const struct mt_incast *incast = &cluster.network.incast;
    assert_int_equal(incast->nodes, 16);
    assert_int_equal(incast->nsteps, 2);
    assert_close(incast->steps[0].from, 4096.0, 0);
    assert_close(incast->steps[0].delay, 0.2, 1e-15);
    assert_close(incast->steps[1].delay, 0, 0);
    mt_cluster_clear(&cluster);
}

static void an_odd_node_is_odd_in_one_way_at_least(void **state)
{
    (void)state;
    struct mt_cluster cluster = {0};
    const struct broken shorter = {", link_slowdown: 4", "", NULL};
    char *text = replaced(flawed_file, &shorter);
    load(&cluster, text);
    assert_close(cluster.groups[0].simulate.odd.link_slowdown, 1, 0);
    mt_cluster_clear(&cluster);
    free(text);
}

static void a_simulated_node_has_one_core_unless_given(void **state)
{
    (void)state;
    struct mt_cluster cluster = {0};
    const struct broken shorter = {"      cores: 2\n", "", NULL};
    char *text = replaced(simulated_file, &shorter);
    load(&cluster, text);
    assert_int_equal(cluster.groups[0].simulate.cores, 1);
    mt_cluster_clear(&cluster);
    free(text);
}

static void refuses_broken_switches_and_glitches(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"switch: new, ", "",
         ":5: 'switch' must be in all groups or in none; group 'b' has none"},
        {"switch: old, ", "",
         ":5: 'switch' must be in all groups or in none; group 'b' has one"},
        {"switch: new", "switch: ''", ":5: 'switch' of group 'b'"},
        {"  trunk: {latency: 20 us, bandwidth: 100 MB/s}\n", "",
         ":8: missing key 'trunk' in 'network': the groups are on 2 switches"},
        {"latency: 20 us, ", "", ":10: missing key 'latency' in 'trunk'"},
        {"100 MB/s", "100 MB", ":10: 'bandwidth' of 'trunk' of 'network': "},
        {"count: 3", "count: 0",
         ":11: 'count' of 'glitches' must be from 1 to 1000, not 0"},
        {"slowdown: 1.5", "slowdown: 1",
         ":11: 'slowdown' of 'glitches' must be more than 1, not 1"},
        {"count: 3, ", "", ":11: missing key 'count' in 'glitches'"},
        {"switch: new", "partition: a, switch: new",
         ":5: 'partition' in group 'b' is not for launcher smpi"},
    };
    CHECK_BROKEN(load_cluster, switches_file, cases);
}

static void refuses_broken_flaws(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"node: 3", "node: 0",
         ":7: 'node' must be the number of a node of the group, 1 to 3, not 0"},
        {"node: 3", "node: 4", "1 to 3, not 4"},
        {"node: 3, ", "", ":7: missing key 'node' in 'odd' of 'simulate'"},
        {", slowdown: 1.5", ", slowdown: 0.5",
         ":7: 'slowdown' of 'odd' of 'simulate' of group 'a' must be at least 1, not "
         "0.5"},
        {"link_slowdown: 4", "link_slowdown: -4",
         ":7: 'link_slowdown' of 'odd' of 'simulate' of group 'a' must be at least 1, "
         "not -4"},
        {", slowdown: 1.5, link_slowdown: 4", "",
         ":7: 'odd' needs a 'slowdown' or a 'link_slowdown' above 1"},
        {"from: 32 KiB, ", "", ":12: missing key 'from' in 'dip' of 'network'"},
        {"32 KiB", "64 KiB", ":12: 'to' must be more than 'from'"},
        {"32 KiB", "32 apples", ":12: 'from' of 'dip' of 'network': "},
        {"64 KiB", "64", ":12: 'to' of 'dip' of 'network': "},
        {"slowdown: 3}", "slowdown: 1}",
         ":12: 'slowdown' of 'dip' of 'network' must be more than 1, not 1"},
        {"nodes: 16, ", "", ":14: missing key 'nodes' in 'incast' of 'network'"},
        {"nodes: 16", "nodes: 1",
         ":14: 'nodes' of 'incast' of 'network' must be at least 2"},
        {"delay: 0.2 s", "delay: -1 s", ":14: 'delay'"},
    };
    CHECK_BROKEN(load_cluster, flawed_file, cases);
}

static void refuses_broken_simulations(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"    simulate:\n", "    simulat:\n",
         ":7: unknown key 'simulat' in group 'xeon'; did you mean 'simulate'?"},
        {"cores: 2", "core: 2", ":9: unknown key 'core' in 'simulate' of group 'xeon'"},
        {"cores: 2", "cores: 0",
         ":9: 'cores' of 'simulate' of group 'xeon' must be at least 1, not 0"},
        {"      flops: 2.4 Gf\n", "",
         ":8: missing key 'flops' in 'simulate' of group 'xeon'"},
        {"2.4 Gf", "2.4 GB", ":8: 'flops' of 'simulate' of group 'xeon': "},
        {"2.4 Gf", "-1 Gf", ":8: 'flops' of 'simulate' of group 'xeon': "},
        {"4 MiB", "4 KiB", ":12: 'caches' must go from the smallest to the largest"},
        {"slowdown: 2}", "slowdown: 0.5}",
         ":12: 'slowdown' of entry 2 of 'caches' of 'simulate' of group 'xeon' must be "
         "at least 1, not 0.5"},
        {", slowdown: 2}", "}",
         ":12: missing key 'slowdown' in entry 2 of 'caches' of 'simulate' of group"},
        {"0.03", "1",
         ":14: 'oversubscription' of 'simulate' of group 'xeon' must be at least 0 and "
         "less than 1, not 1"},
        {"0.01", "-0.1",
         ":15: 'noise' of 'simulate' of group 'xeon' must be at least 0 and less than "
         "1, not -0.1"},
        {"1 us", "1 ut",
         ":16: 'latency' of 'loopback' of 'simulate' of group 'xeon': "},
        {"90 MB/s", "90 MB", ":17: 'bandwidth' of 'network': "},
        {"switch_bandwidth", "switch", ":17: unknown key 'switch' in 'network'"},
        {"switch_bandwidth: 4 GB/s", "trunk: {latency: 1 us, bandwidth: 1 GB/s}",
         ":17: 'trunk' is for nodes on several switches only"},
        {"network: {latency: 50 us, bandwidth: 90 MB/s, switch_bandwidth: 4 GB/s}\n",
         "", ":1: missing key 'network': launcher smpi needs it"},
        {"    simulate:\n      flops: 2.4 Gf\n      cores: 2\n      caches:\n"
         "        - {size: 512 KiB, slowdown: 1.3}\n"
         "        - {size: 4 MiB, slowdown: 2}\n      memory_bandwidth: 2 GB/s\n"
         "      oversubscription: 0.03\n      noise: 0.01\n"
         "      loopback: {latency: 1 us, bandwidth: 1 GB/s}\n",
         "", ":4: missing key 'simulate' in group 'xeon': launcher smpi needs it"},
    };
    CHECK_BROKEN(load_cluster, simulated_file, cases);
}

/* Whatever a slip of the editor makes of a file: an error or a cluster, never a crash.
 */
static void survives_any_damage(void **state)
{
    (void)state;
    static const char letters[] = "{}[]:,-&*!|>'\"%@`#?\n\t 0aN\0\377";
    const size_t length = strlen(simulated_file);
    unsigned random = 1;
    for (int i = 0; i < 400; i++) {
        char text[sizeof simulated_file];
        memcpy(text, simulated_file, sizeof text);
        for (int j = 0; j <= i % 3; j++) {
            random = random * 1103515245u + 12345u;
            text[(random >> 8) % length] =
                letters[(random >> 20) % (sizeof letters - 1)];
        }
        const char *path = write_bytes(text, length);
        struct mt_cluster cluster = {0};
        struct mt_error err = {0};
        if (mt_cluster_load(&cluster, path, &err))
            assert_contains(err.text, path);
        mt_cluster_clear(&cluster);
        unlink(path);
    }
}

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

static const char switches_file_topology[] =
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
    load(&cluster, switches_file_topology);
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
        char *text = replaced(switches_file_topology,
                              &(struct broken){"latency: 50", cases[i].text, ""});
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
    CHECK_BROKEN(load_cluster, switches_file_topology, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_simulated_cluster),
        cmocka_unit_test(reads_switches_and_glitches),
        cmocka_unit_test(reads_a_flawed_cluster),
        cmocka_unit_test(an_odd_node_is_odd_in_one_way_at_least),
        cmocka_unit_test(refuses_broken_flaws),
        cmocka_unit_test(a_simulated_node_has_one_core_unless_given),
        cmocka_unit_test(refuses_broken_simulations),
        cmocka_unit_test(refuses_broken_switches_and_glitches),
        cmocka_unit_test(survives_any_damage),
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
