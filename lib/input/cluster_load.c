/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a cluster file and checks what concerns several keys. */
#include "internal.h"
#include "keys.h"

#include "lib/yaml/yaml_read.h"

#include "lib/base/hostlist.h"
#include "lib/base/text.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The node of a group in the file. */
static int group_node(const struct mt_yaml *yaml, int group)
{
    return mt_yaml_item(yaml, mt_yaml_member(yaml, mt_yaml_root(yaml), "groups"),
                        group);
}

/* The template of launcher `command`. */
static int check_launch(const struct mt_cluster *cluster, const struct mt_yaml *yaml,
                        struct mt_error *err)
{
    const int root = mt_yaml_root(yaml), node = mt_yaml_member(yaml, root, "launch");
    const bool wanted = cluster->launcher == MT_LAUNCH_COMMAND;
    if (!wanted && node)
        return mt_yaml_fail(yaml, node, err, "'launch' is for launcher command only");
    if (!wanted)
        return MT_OK;
    if (!node)
        return mt_yaml_fail(yaml, root, err,
                            "missing key 'launch': launcher command needs it");
    for (char **word = cluster->launch; *word; word++)
        if (strcmp(*word, "{program}") == 0)
            return MT_OK;
    return mt_yaml_fail(yaml, node, err, "'launch' has no word '{program}'");
}

/* Blocks of Unicode without letters: blanks and marks beyond ASCII, some invisible, and
   some similar to the separators in a configuration. */
static bool is_mark(uint32_t code)
{
    static const uint32_t blocks[][2] = {
        {0xA0, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB9},     {0xBB, 0xBF},
        {0xD7, 0xD7},     {0xF7, 0xF7},     {0x2B0, 0x2FF},   {0x2000, 0x206F},
        {0x2190, 0x2BFF}, {0x3000, 0x3004}, {0x3008, 0x303F}, {0xA789, 0xA78A},
        {0xFE00, 0xFE6F}, {0xFEFF, 0xFF0F}, {0xFF1A, 0xFF20}, {0xFF3B, 0xFF40},
        {0xFF5B, 0xFF65}, {0xFFE0, 0xFFFF}};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (blocks[i][0] <= code && code <= blocks[i][1])
            return true;
    return false;
}

/* Valid names of groups: a name is a word in the text of a configuration, is printed,
   and begins the names of unnamed nodes. */
static bool is_group_name(const char *name)
{
    if (name[0] == '-' || name[0] == '.' || strstr(name, ".."))
        return false;
    while (*name) {
        uint32_t code = 0;
        const int bytes =
            mt_text_character(name, strnlen(name, MT_LONGEST_CHARACTER), &code);
        if (bytes <= 0 || mt_text_is_control(code) || is_mark(code) ||
            (bytes == 1 && !isalnum((unsigned char)*name) && !strchr("-_.", *name)))
            return false;
        name += bytes;
    }
    return true;
}

static int check_name(const struct mt_cluster *cluster, int group,
                      const struct mt_yaml *yaml, struct mt_error *err)
{
    const char *name = cluster->groups[group].name;
    const int node = mt_yaml_member(yaml, group_node(yaml, group), "name");
    if (!is_group_name(name))
        return mt_yaml_fail(yaml, node, err,
                            "a group's name has letters, digits, '-', '_' and '.', no "
                            "'..', and does not begin with '-' or '.': '%.60s'",
                            name);
    if (mt_cluster_find_group(cluster, name) < group)
        return mt_yaml_fail(yaml, node, err, "group '%s' comes twice", name);
    return MT_OK;
}

/* The groups up to this one must not have too many nodes. */
static int check_room(const struct mt_cluster *cluster, int group,
                      const struct mt_yaml *yaml, struct mt_error *err)
{
    int64_t nodes = 0;
    for (int i = 0; i <= group; i++)
        nodes += cluster->groups[i].nodes;
    return nodes <= MT_MOST_NODES
               ? MT_OK
               : mt_yaml_fail(yaml, group_node(yaml, group), err,
                              "the groups up to '%.60s' have more than %d nodes",
                              cluster->groups[group].name, MT_MOST_NODES);
}

/* Nodes without names of their own are called NAME-1, NAME-2, ... */
static int make_hosts(struct mt_group *group, const struct mt_yaml *yaml, int nodes,
                      struct mt_error *err)
{
    enum { MOST_LETTERS = 240 }; /* and the number behind them */
    if (!mt_is_host_name(group->name) || strlen(group->name) > MOST_LETTERS)
        return mt_yaml_fail(yaml, nodes, err,
                            "'nodes' cannot number hosts by the group's name '%.60s': "
                            "name them by 'hosts'",
                            group->name);
    group->hosts = calloc((size_t)group->nodes, sizeof *group->hosts);
    if (!group->hosts)
        return mt_fail(err, MT_ENOMEM, "no memory for %d nodes", group->nodes);
    for (int i = 0; i < group->nodes; i++) {
        char *host;
        if (asprintf(&host, "%s-%d", group->name, i + 1) < 0)
            return mt_fail(err, MT_ENOMEM, "no memory for %d nodes", group->nodes);
        group->hosts[i] = host;
    }
    return MT_OK;
}

static int read_hosts(struct mt_group *group, const struct mt_yaml *yaml, int map,
                      struct mt_error *err)
{
    const int nodes = mt_yaml_member(yaml, map, "nodes");
    const int hosts = mt_yaml_member(yaml, map, "hosts");
    if (!hosts && !nodes)
        return mt_yaml_fail(yaml, map, err,
                            "missing key 'hosts' or 'nodes' in group '%s'",
                            group->name);
    if (hosts && nodes)
        return mt_yaml_fail(yaml, nodes, err, "both 'hosts' and 'nodes' in group '%s'",
                            group->name);
    if (nodes)
        return make_hosts(group, yaml, nodes, err);

    struct mt_hostlist list = {0};
    struct mt_error reason;
    const int status = mt_hostlist_parse(&list, mt_yaml_text(yaml, hosts), &reason);
    if (status == MT_ENOMEM)
        return mt_fail(err, status, "%s", reason.text);
    if (status != MT_OK)
        return mt_yaml_fail(yaml, hosts, err, "'hosts' of group '%s': %s", group->name,
                            reason.text);
    group->hosts = list.hosts;
    group->nodes = list.count;
    return MT_OK;
}

static int compare_layouts(const void *left, const void *right)
{
    const struct mt_layout *a = left, *b = right;
    return mt_layout_compare(*a, *b);
}

static int sort_processes(struct mt_group *group, const struct mt_yaml *yaml, int map,
                          struct mt_error *err)
{
    const int list = mt_yaml_member(yaml, map, "processes");
    for (int i = 0; i < group->nlayouts; i++)
        for (int j = 0; j < i; j++)
            if (group->layouts[j].processes == group->layouts[i].processes)
                return mt_yaml_fail(yaml, mt_yaml_item(yaml, list, i), err,
                                    "%d comes twice in 'processes' of group '%s'",
                                    group->layouts[i].processes, group->name);
    qsort(group->layouts, (size_t)group->nlayouts, sizeof *group->layouts,
          compare_layouts);
    return MT_OK;
}

/* A simulated node has its cores below 'simulate'; a testbed limits them. */
static int check_testbed(const struct mt_group *group, bool simulated,
                         const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    const int cores = mt_yaml_member(yaml, map, "cores");
    const int testbed = mt_yaml_member(yaml, map, "testbed");
    if (cores && simulated)
        return mt_yaml_fail(yaml, cores, err,
                            "'cores' of group '%s' belongs below 'simulate'",
                            group->name);
    if (testbed && simulated)
        return mt_yaml_fail(yaml, testbed, err,
                            "'testbed' in group '%s' is not for launcher smpi",
                            group->name);
    if (testbed && !cores)
        return mt_yaml_fail(yaml, map, err,
                            "missing key 'cores' in group '%s': 'testbed' needs it",
                            group->name);
    return MT_OK;
}

/* The odd node must be one of the group's, and differ from the others. */
static int check_odd(const struct mt_odd_node *odd, int nodes,
                     const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    if (map && (odd->number < 1 || odd->number > nodes))
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "node"), err,
                            "'node' must be the number of a node of the group, 1 to "
                            "%d, not %d",
                            nodes, odd->number);
    if (map && odd->slowdown == 1 && odd->link_slowdown == 1)
        return mt_yaml_fail(yaml, map, err,
                            "'odd' needs a 'slowdown' or a 'link_slowdown' above 1");
    return MT_OK;
}

static int check_simulate(const struct mt_group *group, bool simulated,
                          const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    const int simulate = mt_yaml_member(yaml, map, "simulate");
    const int caches = mt_yaml_member(yaml, simulate, "caches");
    if (simulated && !simulate)
        return mt_yaml_fail(
            yaml, map, err,
            "missing key 'simulate' in group '%s': launcher smpi needs it",
            group->name);
    if (!simulated && simulate)
        return mt_yaml_fail(yaml, simulate, err,
                            "'simulate' in group '%s' is for launcher smpi only",
                            group->name);
    for (int i = 1; i < group->simulate.ncaches; i++)
        if (group->simulate.caches[i].bytes <= group->simulate.caches[i - 1].bytes)
            return mt_yaml_fail(
                yaml, mt_yaml_member(yaml, mt_yaml_item(yaml, caches, i), "size"), err,
                "'caches' must go from the smallest to the largest");
    return check_odd(&group->simulate.odd, group->nodes, yaml,
                     mt_yaml_member(yaml, simulate, "odd"), err);
}

static int complete_group(struct mt_cluster *cluster, int i, const struct mt_yaml *yaml,
                          struct mt_error *err)
{
    const int map = group_node(yaml, i);
    const bool simulated = mt_cluster_simulated(cluster);
    struct mt_group *group = &cluster->groups[i];
    int status = check_name(cluster, i, yaml, err);
    if (status == MT_OK)
        status = check_room(cluster, i, yaml, err);
    if (status == MT_OK)
        status = read_hosts(group, yaml, map, err);
    if (status == MT_OK)
        status = check_room(cluster, i, yaml, err);
    if (status == MT_OK)
        status = sort_processes(group, yaml, map, err);
    if (status == MT_OK)
        status = check_simulate(group, simulated, yaml, map, err);
    if (status == MT_OK)
        status = check_testbed(group, simulated, yaml, map, err);
    if (status == MT_OK)
        status = mt_slurm_request_check(group, simulated, yaml, map, err);
    return status;
}

/* It becomes a word of srun's. */
static int check_mpi(const struct mt_cluster *cluster, const struct mt_yaml *yaml,
                     struct mt_error *err)
{
    static const char marks[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_.-";
    const int node = mt_yaml_member(yaml, mt_yaml_root(yaml), "mpi");
    if (cluster->mpi && cluster->launcher != MT_LAUNCH_SLURM)
        return mt_yaml_fail(yaml, node, err, "'mpi' is for launcher slurm only");
    if (cluster->mpi && cluster->mpi[strspn(cluster->mpi, marks)])
        return mt_yaml_fail(yaml, node, err,
                            "'mpi' is a word that srun --mpi=list prints, not '%.60s'",
                            cluster->mpi);
    return MT_OK;
}

/* P is an int everywhere, and P + 1 must fit, too. */
enum { MOST_RANKS = INT_MAX - 1 };
/* Plans count an hour's price and watts in millionths, and these times processes. */
static const double most_price = 1e10, most_watts = 1e10;

static int check_totals(const struct mt_cluster *cluster, const struct mt_yaml *yaml,
                        struct mt_error *err)
{
    const int groups = mt_yaml_member(yaml, mt_yaml_root(yaml), "groups");
    int64_t ranks = 0;
    double price = 0, watts = 0;
    for (int i = 0; i < cluster->ngroups; i++) {
        const struct mt_group *group = &cluster->groups[i];
        ranks += (int64_t)group->nodes * group->layouts[group->nlayouts - 1].processes;
        price += group->nodes * group->price;
        watts += group->nodes * group->watts;
        /* A cluster is a testbed as a whole, or not at all. */
        if (mt_cluster_is_testbed(cluster) && group->testbed_bandwidth == 0)
            return mt_yaml_fail(yaml, group_node(yaml, i), err,
                                "missing key 'testbed' in group '%s': other groups "
                                "have it",
                                group->name);
    }
    if (ranks > MOST_RANKS)
        return mt_yaml_fail(yaml, groups, err,
                            "'groups' add up to more than %d processes", MOST_RANKS);
    if (price > most_price)
        return mt_yaml_fail(yaml, groups, err,
                            "'groups' add up to a price of more than %.0e an hour",
                            most_price);
    if (watts > most_watts)
        return mt_yaml_fail(yaml, groups, err,
                            "'groups' add up to more than %.0e watts", most_watts);
    return MT_OK;
}

struct named_host {
    const char *name; /* borrowed */
    int group;
};

static int compare_hosts(const void *a, const void *b)
{
    const struct named_host *first = a, *second = b;
    const int order = strcmp(first->name, second->name);
    return order ? order : first->group - second->group;
}

/* No host may be in two groups; the host list checks a single group. */
static int check_hosts(const struct mt_cluster *cluster, const struct mt_yaml *yaml,
                       struct mt_error *err)
{
    size_t total = 0, used = 0;
    if (cluster->ngroups == 1)
        return MT_OK;
    for (int i = 0; i < cluster->ngroups; i++)
        total += (size_t)cluster->groups[i].nodes;
    struct named_host *hosts = calloc(total + 1, sizeof *hosts);
    if (!hosts)
        return mt_fail(err, MT_ENOMEM, "no memory for %zu hosts", total);
    for (int i = 0; i < cluster->ngroups; i++)
        for (int j = 0; j < cluster->groups[i].nodes; j++)
            hosts[used++] = (struct named_host){cluster->groups[i].hosts[j], i};
    qsort(hosts, total, sizeof *hosts, compare_hosts);

    int status = MT_OK;
    for (size_t i = 1; i < total && status == MT_OK; i++)
        if (strcmp(hosts[i - 1].name, hosts[i].name) == 0)
            status = mt_yaml_fail(
                yaml, mt_yaml_member(yaml, group_node(yaml, hosts[i].group), "hosts"),
                err, "host '%.60s' is in group '%.40s' and in '%.40s'", hosts[i].name,
                cluster->groups[hosts[i - 1].group].name,
                cluster->groups[hosts[i].group].name);
    free(hosts);
    return status;
}

/* Number the switches in the order in which the groups name them. */
static int number_switch(struct mt_cluster *cluster, int group,
                         const struct mt_yaml *yaml, struct mt_error *err)
{
    const int map = group_node(yaml, group);
    const int node = mt_yaml_member(yaml, map, "switch");
    const int first = mt_yaml_member(yaml, group_node(yaml, 0), "switch");
    if (node && !mt_cluster_simulated(cluster))
        return mt_yaml_fail(yaml, node, err,
                            "'switch' in group '%s' is for launcher smpi only",
                            cluster->groups[group].name);
    if (!node != !first)
        return mt_yaml_fail(yaml, map, err,
                            "'switch' must be in all groups or in none; group '%s' "
                            "has %s",
                            cluster->groups[group].name, node ? "one" : "none");
    for (int i = 0; i < group; i++) {
        const int other = mt_yaml_member(yaml, group_node(yaml, i), "switch");
        if (!node || strcmp(mt_yaml_text(yaml, node), mt_yaml_text(yaml, other)) == 0) {
            cluster->groups[group].network_switch = cluster->groups[i].network_switch;
            return MT_OK;
        }
    }
    cluster->groups[group].network_switch = cluster->network.switches++;
    return MT_OK;
}

static int check_trunk(const struct mt_network *network, const struct mt_yaml *yaml,
                       int map, struct mt_error *err)
{
    const int trunk = mt_yaml_member(yaml, map, "trunk"),
              ports = mt_yaml_member(yaml, map, "switch_ports");
    if (network->switches > 1 && !trunk)
        return mt_yaml_fail(yaml, map, err,
                            "missing key 'trunk' in 'network': the groups are on %d "
                            "switches",
                            network->switches);
    if (network->switches == 1 && trunk && !ports)
        return mt_yaml_fail(yaml, trunk, err,
                            "'trunk' is for nodes on several switches only");
    if (ports && !trunk && network->topology == MT_TOPOLOGY_SWITCHES)
        return mt_yaml_fail(yaml, map, err,
                            "missing key 'trunk' in 'network': with 'switch_ports' the "
                            "nodes are on several switches");
    return MT_OK;
}

static int check_dip(const struct mt_network *network, const struct mt_yaml *yaml,
                     int map, struct mt_error *err)
{
    const int dip = mt_yaml_member(yaml, map, "dip");
    if (dip && network->bare)
        return mt_yaml_fail(yaml, dip, err, "'dip' is not for protocol none");
    if (dip && network->dip.to <= network->dip.from)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, dip, "to"), err,
                            "'to' must be more than 'from'");
    return MT_OK;
}

static int check_duplex(const struct mt_network *network, const struct mt_yaml *yaml,
                        int map, struct mt_error *err)
{
    if (network->half_duplex && network->topology != MT_TOPOLOGY_SWITCHES)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "duplex"), err,
                            "'duplex: half' is not for topology %s",
                            mt_topology_name(network->topology));
    return MT_OK;
}

/* Whether the key is there if, and only if, the topology has it. */
static int check_key(const char *key, bool wanted, const char *topology,
                     const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    const int member = mt_yaml_member(yaml, map, key);
    if (wanted && !member)
        return mt_yaml_fail(yaml, map, err,
                            "missing key '%s' in 'network': topology %s needs it", key,
                            topology);
    if (!wanted && member)
        return mt_yaml_fail(yaml, member, err, "'%s' is not for topology %s", key,
                            topology);
    return MT_OK;
}

static int check_keys(const struct mt_network *network, const struct mt_yaml *yaml,
                      int map, struct mt_error *err)
{
    const char *name = mt_topology_name(network->topology);
    const bool multistage = network->topology == MT_TOPOLOGY_MULTISTAGE;
    int status =
        check_key("hop", network->topology == MT_TOPOLOGY_TORUS, name, yaml, map, err);
    if (network->topology == MT_TOPOLOGY_SWITCHES)
        return status;
    if (status == MT_OK)
        status = check_key("switch_ports", multistage, name, yaml, map, err);
    if (status == MT_OK)
        status = check_key("switch_bandwidth", multistage, name, yaml, map, err);
    return status;
}

/* A torus, a multistage network and switches of equal size need one group, whose nodes
   are numbered throughout. */
static int check_groups(const struct mt_cluster *cluster, const struct mt_yaml *yaml,
                        int map, struct mt_error *err)
{
    const enum mt_topology topology = cluster->network.topology;
    const int node = mt_yaml_member(yaml, map, "topology");
    if (topology != MT_TOPOLOGY_SWITCHES && cluster->network.switches > 1)
        return mt_yaml_fail(yaml, node, err,
                            "topology %s has no switches for groups to be on, but they "
                            "are on %d",
                            mt_topology_name(topology), cluster->network.switches);
    if ((topology == MT_TOPOLOGY_TORUS || topology == MT_TOPOLOGY_MULTISTAGE) &&
        cluster->ngroups > 1)
        return mt_yaml_fail(yaml, node, err,
                            "topology %s is for one group of nodes, not %d",
                            mt_topology_name(topology), cluster->ngroups);
    if (topology == MT_TOPOLOGY_SWITCHES && cluster->network.switch_ports > 0 &&
        cluster->ngroups > 1)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "switch_ports"), err,
                            "'switch_ports' is for one group of nodes, not %d",
                            cluster->ngroups);
    return MT_OK;
}

static int complete_network(struct mt_cluster *cluster, const struct mt_yaml *yaml,
                            struct mt_error *err)
{
    const int root = mt_yaml_root(yaml), map = mt_yaml_member(yaml, root, "network");
    const struct mt_network *network = &cluster->network;
    const bool simulated = mt_cluster_simulated(cluster);
    if (simulated && !map)
        return mt_yaml_fail(yaml, root, err,
                            "missing key 'network': launcher smpi needs it");
    if (!simulated && map)
        return mt_yaml_fail(yaml, map, err, "'network' is for launcher smpi only");
    int status = MT_OK;
    for (int i = 0; i < cluster->ngroups && status == MT_OK; i++)
        status = number_switch(cluster, i, yaml, err);
    if (status != MT_OK || !map)
        return status;
    status = check_trunk(network, yaml, map, err);
    if (status == MT_OK)
        status = check_duplex(network, yaml, map, err);
    if (status == MT_OK)
        status = check_groups(cluster, yaml, map, err);
    if (status == MT_OK)
        status = check_keys(network, yaml, map, err);
    if (status == MT_OK)
        status = check_dip(network, yaml, map, err);
    return status;
}

static int check_glitches(const struct mt_cluster *cluster, const struct mt_yaml *yaml,
                          struct mt_error *err)
{
    const int glitches = mt_yaml_member(yaml, mt_yaml_root(yaml), "glitches");
    if (glitches && !mt_cluster_simulated(cluster))
        return mt_yaml_fail(yaml, glitches, err,
                            "'glitches' is for launcher smpi only");
    return MT_OK;
}

/* Checks that concern several keys. */
static int complete_cluster(struct mt_cluster *cluster, const struct mt_yaml *yaml,
                            struct mt_error *err)
{
    int status = mt_yaml_check_line(yaml, "name", err);
    if (status == MT_OK)
        status = mt_yaml_check_line(yaml, "currency", err);
    if (status == MT_OK)
        status = check_launch(cluster, yaml, err);
    if (status == MT_OK)
        status = check_mpi(cluster, yaml, err);
    for (int i = 0; i < cluster->ngroups && status == MT_OK; i++)
        status = complete_group(cluster, i, yaml, err);
    if (status == MT_OK)
        status = check_totals(cluster, yaml, err);
    if (status == MT_OK)
        status = check_hosts(cluster, yaml, err);
    if (status == MT_OK)
        status = complete_network(cluster, yaml, err);
    if (status == MT_OK)
        status = check_glitches(cluster, yaml, err);
    return status;
}

int mt_cluster_load(struct mt_cluster *cluster, const char *path, struct mt_error *err)
{
    struct mt_cluster loaded = {.path = strdup(path)};
    struct mt_yaml *yaml = NULL;
    int status = MT_OK;
    if (!loaded.path)
        status = mt_fail(err, MT_ENOMEM, "no memory to read '%s'", path);
    if (status == MT_OK)
        status = mt_yaml_open(&yaml, path, err);
    if (status == MT_OK)
        status = mt_yaml_read(&loaded, yaml, mt_cluster_keys, err);
    if (status == MT_OK)
        status = complete_cluster(&loaded, yaml, err);
    mt_yaml_close(yaml);
    if (status == MT_OK)
        *cluster = loaded;
    else
        mt_cluster_clear(&loaded);
    return status;
}
