/* SPDX-License-Identifier: BSD-3-Clause */
#include "cluster_cases.h"
#include "lib/input/internal.h"

#include <sys/stat.h>

static const char real_file[] = "name: lab\n"
                                "launcher: openmpi\n"
                                "remote_shell: ssh -q\n"
                                "groups:\n"
                                "  - name: xeon\n"
                                "    hosts: x[01-03],login\n"
                                "    processes: [2, 1]\n"
                                "    memory: 1 GiB\n"
                                "    price: 0.10\n"
                                "    watts: 180\n"
                                "  - name: celeron\n"
                                "    nodes: 2\n"
                                "    processes: [1]\n"
                                "    network: infiniband\n"
                                "    mix: never\n"
                                "currency: EUR\n";

static const char command_file[] =
    "name: any\n"
    "launcher: command\n"
    "launch: [mpirun, --hostfile, '{hostfile}', -n, '{P}', '{program}']\n"
    "groups: [{name: all, hosts: a, processes: [4]}]\n";

static const char testbed_file[] = "name: bench\n"
                                   "launcher: openmpi\n"
                                   "groups:\n"
                                   "  - name: fast\n"
                                   "    nodes: 2\n"
                                   "    processes: [1]\n"
                                   "    cores: 0.6\n"
                                   "    testbed: {bandwidth: 1 Gbps}\n"
                                   "  - name: slow\n"
                                   "    nodes: 2\n"
                                   "    processes: [1]\n"
                                   "    cores: 0.3\n"
                                   "    testbed: {bandwidth: 10 MB/s}\n";

static void reads_a_real_cluster(void **state)
{
    (void)state;
    struct mt_cluster cluster = {0};
    load(&cluster, real_file);
    assert_string_equal(cluster.name, "lab");
    assert_int_equal(cluster.launcher, MT_LAUNCH_OPENMPI);
    assert_false(mt_cluster_simulated(&cluster));
    assert_string_equal(cluster.remote_shell, "ssh -q");
    assert_string_equal(cluster.currency, "EUR");
    assert_null(cluster.launch);
    assert_int_equal(cluster.ngroups, 2);

    const struct mt_group *xeon = &cluster.groups[0], *celeron = &cluster.groups[1];
    assert_int_equal(xeon->nodes, 4);
    assert_string_equal(xeon->hosts[2], "x03");
    assert_string_equal(xeon->hosts[3], "login");
    assert_int_equal(xeon->nlayouts, 2);
    assert_int_equal(xeon->layouts[0].processes, 1); /* sorted */
    assert_int_equal(xeon->layouts[1].processes, 2);
    assert_close(xeon->memory, 1073741824.0, 0);
    assert_close(xeon->price, 0.1, 0);
    assert_close(xeon->watts, 180.0, 0);
    assert_close(xeon->cores, 0.0, 0);
    assert_null(xeon->network);
    assert_false(xeon->alone);
    assert_string_equal(celeron->network, "infiniband");
    assert_true(celeron->alone);
    assert_false(mt_cluster_is_testbed(&cluster));
    assert_int_equal(celeron->nodes, 2);
    assert_string_equal(celeron->hosts[0], "celeron-1");
    assert_string_equal(celeron->hosts[1], "celeron-2");
    assert_close(celeron->memory, 0.0, 0);
    assert_int_equal(mt_cluster_find_group(&cluster, "celeron"), 1);
    assert_int_equal(mt_cluster_find_group(&cluster, "opteron"), -1);
    mt_cluster_clear(&cluster);
    assert_int_equal(mt_cluster_find_group(&cluster, "celeron"), -1);
}

static void reads_a_launch_template(void **state)
{
    (void)state;
    struct mt_cluster cluster = {0};
    load(&cluster, command_file);
    assert_int_equal(cluster.launcher, MT_LAUNCH_COMMAND);
    assert_string_equal(cluster.launch[0], "mpirun");
    assert_string_equal(cluster.launch[5], "{program}");
    assert_null(cluster.launch[6]);
    mt_cluster_clear(&cluster);
}

/* A group may lose all its nodes; the order of the others stays. */
static void leaves_out_nodes(void **state)
{
    (void)state;
    struct mt_cluster cluster = {0};
    load(&cluster, real_file);
    const struct mt_group *xeon = &cluster.groups[0], *celeron = &cluster.groups[1];
    assert_int_equal(mt_cluster_group_of(&cluster, "x02"), 0);
    assert_int_equal(mt_cluster_group_of(&cluster, "x02.site.org"), 0);
    assert_int_equal(mt_cluster_group_of(&cluster, "x0"), -1);
    assert_int_equal(mt_cluster_group_of(&cluster, "x022"), -1);
    assert_true(mt_cluster_leave_out(&cluster, "x02"));
    assert_int_equal(mt_cluster_group_of(&cluster, "x02"), -1);
    assert_false(mt_cluster_leave_out(&cluster, "x02"));
    assert_false(mt_cluster_leave_out(&cluster, "x04"));
    assert_int_equal(xeon->nodes, 3);
    assert_string_equal(xeon->hosts[0], "x01");
    assert_string_equal(xeon->hosts[1], "x03");
    assert_string_equal(xeon->hosts[2], "login");
    assert_true(mt_cluster_leave_out(&cluster, "celeron-1"));
    assert_true(mt_cluster_leave_out(&cluster, "celeron-2"));
    assert_int_equal(celeron->nodes, 0);
    assert_int_equal(celeron->down, 2);
    mt_cluster_clear(&cluster);
}

static void reads_a_testbed(void **state)
{
    (void)state;
    struct mt_cluster cluster = {0};
    load(&cluster, testbed_file);
    assert_true(mt_cluster_is_testbed(&cluster));
    assert_close(cluster.groups[1].cores, 0.3, 0);
    assert_close(cluster.groups[0].testbed_bandwidth, 125e6, 1e-15);
    assert_close(cluster.groups[1].testbed_bandwidth, 1e7, 1e-15);
    mt_cluster_clear(&cluster);
}

static void launchers_have_names(void **state)
{
    (void)state;
    assert_string_equal(mt_launcher_name(MT_LAUNCH_MPICH), "mpich");
    assert_string_equal(mt_launcher_name(MT_LAUNCH_SLURM), "slurm");
    assert_string_equal(mt_launcher_name((enum mt_launcher)99), "unknown launcher");
}

static void refuses_broken_structure(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"launcher:", "wizard: 1\nlauncher:", ":2: unknown key 'wizard'"},
        {"hosts:", "hots:",
         ":6: unknown key 'hots' in group 'xeon'; did you mean 'hosts'?"},
        {"name: lab\n", "", ":1: missing key 'name'"},
        {"  - name: xeon\n    hosts", "  - hosts", ":5: missing key 'name'"},
        {"    processes: [1]\n", "", ":11: missing key 'processes' in group 'celeron'"},
        {"launcher: openmpi\n", "",
         ":1: missing key 'launcher': one of openmpi, mpich, slurm, smpi, command"},
        {"openmpi", "lam",
         ":2: 'launcher' must be one of openmpi, mpich, slurm, smpi, "
         "command, not 'lam'"},
        {"[2, 1]", "[]", ":7: 'processes' of group 'xeon' is empty"},
        {NULL, "name: a\nlauncher: smpi\ngroups: []\n", ":3: 'groups' is empty"},
    };
    CHECK_BROKEN(load_cluster, real_file, cases);
}

static void refuses_impossible_values(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"nodes: 2", "nodes: 0",
         ":12: 'nodes' of group 'celeron' must be from 1 to 1000000, not 0"},
        {"nodes: 2", "nodes: -2", "must be from 1 to 1000000, not -2"},
        {"nodes: 2", "nodes: 1000001", "must be from 1 to 1000000, not 1000001"},
        {"    nodes: 2\n", "",
         ":11: missing key 'hosts' or 'nodes' in group 'celeron'"},
        {"    nodes: 2\n", "    nodes: 2\n    hosts: c1\n",
         ":12: both 'hosts' and 'nodes' in group 'celeron'"},
        {"x[01-03]", "x[01-", ":6: 'hosts' of group 'xeon': "},
        {"x[01-03]", "x[03-01]", ":6: 'hosts' of group 'xeon': "},
        {"login", "x02", ":6: 'hosts' of group 'xeon': "},
        {"nodes: 2", "hosts: c1,login",
         ":12: host 'login' is in group 'xeon' and in 'celeron'"},
        {"[2, 1]", "[2, 0]",
         ":7: entry 2 of 'processes' of group 'xeon' must be at least 1, not 0"},
        {"[2, 1]", "[2, -1]", "must be at least 1, not -1"},
        {"[2, 1]", "[2,\n      2]", ":8: 2 comes twice in 'processes' of group 'xeon'"},
        {"[2, 1]", "[2000000000]", ":5: 'groups' add up to more than 2147483646"},
        {"celeron", "xeon", ":11: group 'xeon' comes twice"},
        {"celeron", "cele:ron", ":11: a group's name has letters, digits, "},
        {"celeron", "cele+ron", "'cele+ron'"},
        {"celeron", "'cele,ron'", "'cele,ron'"},
        {"celeron", "cele ron", "'cele ron'"},
        {"celeron", "'-ron'", "does not begin with '-' or '.': '-ron'"},
        {"celeron", "..", "'..'"},
        {"celeron", "a..b", "'a..b'"},
        {"celeron", "a/b", "'a/b'"},
        {"celeron", "'a;b'", "'a;b'"},
        {"celeron", "'a$(b)'", "'a$(b)'"},
        {"celeron", "\"a\\e[31m\"", "a group's name has letters, digits, "},
        {"celeron", "\"a\\x9bb\"", "a group's name has letters, digits, "},
        {"celeron", "\u00fc",
         ":12: 'nodes' cannot number hosts by the group's name '\u00fc'"},
        {"login", "-login",
         ":6: 'hosts' of group 'xeon': a host name with '..', or '-' or"},
        {"login", "a..b", ":6: 'hosts' of group 'xeon': a host name with '..'"},
        {"login", ".login", ":6: 'hosts' of group 'xeon': a host name with '..'"},
        {"x[01-03],login", "x[1-1000000],y",
         ":6: 'hosts' of group 'xeon': more than 200,000 hosts"},
        {"nodes: 2", "nodes: 999999",
         ":11: the groups up to 'celeron' have more than 1000000 nodes"},
        {"1 GiB", "1", ":8: 'memory' of group 'xeon': "},
        {"1 GiB", "1 elephant", ":8: 'memory' of group 'xeon': "},
        {"1 GiB", "0 GiB",
         ":8: 'memory' of group 'xeon' must be more than 0, not '0 GiB'"},
        {"0.10", "1e13", ":5: 'groups' add up to a price of more than 1e+10 an hour"},
        {"0.10", "-1", ":9: 'price' of group 'xeon' must be at least 0, not -1"},
        {"180", "1e13", ":5: 'groups' add up to more than 1e+10 watts"},
        {"never", "sometimes",
         "'mix' of group 'celeron' must be allowed or never, not 'sometimes'"},
        {"180", "-180", ":10: 'watts' of group 'xeon' must be at least 0, not -180"},
        {"    watts: 180\n", "    simulate: {flops: 1 Gf}\n",
         ":10: 'simulate' in group 'xeon' is for launcher smpi only"},
        {"groups:\n", "network: {latency: 1 us, bandwidth: 1 GB/s}\ngroups:\n",
         ":4: 'network' is for launcher smpi only"},
        {"groups:\n", "glitches: {count: 1, slowdown: 2}\ngroups:\n",
         ":4: 'glitches' is for launcher smpi only"},
        {"    watts: 180\n", "    switch: a\n",
         ":10: 'switch' in group 'xeon' is for launcher smpi only"},
        {"groups:\n", "launch: [a, '{program}']\ngroups:\n",
         ":4: 'launch' is for launcher command only"},
        {"openmpi", "command", ":1: missing key 'launch': launcher command needs it"},
    };
    CHECK_BROKEN(load_cluster, real_file, cases);
}

/* The settings for Slurm become options of srun and lines of a script for sbatch. */
static void refuses_broken_requests(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"watts: 180", "partition: '-p'",
         ":10: 'partition' of group 'xeon' has letters, digits and -_.,@+ only, and "
         "does not begin with '-': '-p'"},
        {"watts: 180", "partition: 'new old'", "'new old'"},
        {"watts: 180", "partition: ':'", ":10: 'partition' of group 'xeon' has "},
        {"watts: 180", "partition: ''", ":10: 'partition' of group 'xeon'"},
        {"watts: 180", "account: \"a\\nb\"", ":10: 'account' of group 'xeon' has "},
        {"watts: 180", "qos: 'a;b'", ":10: 'qos' of group 'xeon' has "},
        {"watts: 180", "constraint: 'a\"b'", ":10: 'constraint' of group 'xeon' has "},
        {"watts: 180", "gres: 'gpu:$(a)'", ":10: 'gres' of group 'xeon' has "},
        {"watts: 180", "gres: 'gpu:2 #'", ":10: 'gres' of group 'xeon' has "},
        {"watts: 180", "gres: [gpu]", ":10: 'gres' of group 'xeon' must be "},
    };
    CHECK_BROKEN(load_cluster, real_file, cases);
}

static void reads_what_is_asked_of_slurm(void **state)
{
    (void)state;
    struct mt_cluster cluster = {0};
    static const char file[] =
        "name: site\nlauncher: slurm\ngroups:\n"
        "  - {name: new, hosts: 'n[1-2]', processes: [1], partition: 'fast,long',\n"
        "     account: phys-1, qos: high, constraint: '(a&b)|c*2',\n"
        "     gres: 'gpu:a100:2,fs/x=1'}\n"
        "  - {name: old, hosts: d1, processes: [1]}\n";
    load(&cluster, file);
    const struct mt_slurm_request *slurm = &cluster.groups[0].slurm;
    assert_string_equal(slurm->partition, "fast,long");
    assert_string_equal(slurm->account, "phys-1");
    assert_string_equal(slurm->qos, "high");
    assert_string_equal(slurm->constraint, "(a&b)|c*2");
    assert_string_equal(slurm->gres, "gpu:a100:2,fs/x=1");
    assert_null(cluster.groups[1].slurm.partition);
    mt_cluster_clear(&cluster);
}

static void refuses_broken_testbeds(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"cores: 0.6", "cores: 0", ":7: 'cores' of group 'fast' must be more than 0"},
        {"    cores: 0.3\n", "",
         ":9: missing key 'cores' in group 'slow': 'testbed' needs it"},
        {"    testbed: {bandwidth: 1 Gbps}\n", "",
         ":4: missing key 'testbed' in group 'fast': other groups have it"},
        {"1 Gbps", "1 Gf", ":8: 'bandwidth' of 'testbed' of group 'fast': "},
        {"{bandwidth: 1 Gbps}", "{}", ":8: missing key 'bandwidth'"},
        {"openmpi", "smpi", "missing key 'simulate'"},
    };
    CHECK_BROKEN(load_cluster, testbed_file, cases);
}

static void refuses_broken_templates(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"'{P}'", "'{N}'", ":3: unknown placeholder '{N}' in 'launch'"},
        {"'{P}'", "'x={ranks}'", ":3: unknown placeholder '{ranks}' in 'launch'"},
        {", '{program}'", "", ":3: 'launch' has no word '{program}'"},
        {"mpirun", "''", ":3: 'launch' begins with an empty word"},
        {"mpirun", "", ":3: not YAML"},
    };
    CHECK_BROKEN(load_cluster, command_file, cases);
}

static void refuses_too_many_groups(void **state)
{
    (void)state;
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    fputs("name: a\nlauncher: mpich\ngroups:\n", stream);
    for (int i = 0; i <= MT_MAX_GROUPS; i++)
        fprintf(stream, "- {name: g%d, nodes: 1, processes: [1]}\n", i);
    fclose(stream);
    const char *path = write_text(text);
    expect_refused(load_cluster, path, ":4: 'groups' has 33 entries, more than 32");
    unlink(path);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_real_cluster),
        cmocka_unit_test(reads_a_launch_template),
        cmocka_unit_test(leaves_out_nodes),
        cmocka_unit_test(reads_a_testbed),
        cmocka_unit_test(launchers_have_names),
        cmocka_unit_test(refuses_broken_structure),
        cmocka_unit_test(refuses_impossible_values),
        cmocka_unit_test(refuses_broken_testbeds),
        cmocka_unit_test(reads_what_is_asked_of_slurm),
        cmocka_unit_test(refuses_broken_requests),
        cmocka_unit_test(refuses_broken_templates),
        cmocka_unit_test(refuses_too_many_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
