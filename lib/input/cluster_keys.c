/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys of cluster files. */
#include "internal.h"
#include "keys.h"

#include <ctype.h>
#include <string.h>

static const struct mt_yaml_range above_1 = {1 + DBL_EPSILON, DBL_MAX, "more than 1"};
static const struct mt_yaml_range share = {0, 1 - DBL_EPSILON / 2,
                                           "at least 0 and less than 1"};
static const struct mt_yaml_range some_glitches = {1, 1000, "from 1 to 1000"};

/* The words of choices, which NULL ends. */
static const char *launcher(int index)
{
    return index < MT_LAUNCHERS ? mt_launcher_name((enum mt_launcher)index) : NULL;
}

static const char *topology(int index)
{
    return index <= MT_TOPOLOGY_MULTISTAGE ? mt_topology_name((enum mt_topology)index)
                                           : NULL;
}

static const struct mt_yaml_key cache_keys[] = {
    {"size", "bytes that fit", MT_YAML_QUANTITY, AT(mt_cache, bytes), .required = true,
     .unit = MT_BYTES},
    {"slowdown", "time of an operation on more than fits, relative to what fits",
     MT_YAML_NUMBER, AT(mt_cache, slowdown), .required = true, .range = &at_least_1},
    {"gradual", "whether work that is a little too large still finds a part",
     MT_YAML_EITHER, AT(mt_cache, gradual), .either = {"true", "false"}, .yes = "true"},
    {0},
};

static const struct mt_yaml_list caches = {
    .entry = {.type = MT_YAML_MAP, .keys = cache_keys},
    .least = 0,
    .most = 8,
    .size = sizeof(struct mt_cache),
    .count = offsetof(struct mt_simulated_node, ncaches),
};

static const struct mt_yaml_key loopback_keys[] = {
    {"latency", "of a message, with a unit", MT_YAML_QUANTITY,
     AT(mt_simulated_node, loopback_latency), .required = true, .unit = MT_SECONDS},
    {"bandwidth", "in each direction, with a unit", MT_YAML_QUANTITY,
     AT(mt_simulated_node, loopback_bandwidth), .required = true, .unit = MT_BANDWIDTH},
    {0},
};

static const struct mt_yaml_key odd_keys[] = {
    {"node", "its number in the group, from 1 on", MT_YAML_INTEGER,
     AT(mt_odd_node, number), .required = true},
    {"slowdown", "of its cores and memory", MT_YAML_NUMBER, AT(mt_odd_node, slowdown),
     .range = &at_least_1, .otherwise = 1},
    {"link_slowdown", "of its connection", MT_YAML_NUMBER,
     AT(mt_odd_node, link_slowdown), .range = &at_least_1, .otherwise = 1},
    {0},
};

static const struct mt_yaml_key simulate_keys[] = {
    {"flops", "of one core in the best case", MT_YAML_QUANTITY,
     AT(mt_simulated_node, flops), .required = true, .unit = MT_FLOPS},
    {"cores", "processes beyond them share the cores", MT_YAML_INTEGER,
     AT(mt_simulated_node, cores), .range = &at_least_1, .otherwise = 1},
    {"caches", "of each core, from the smallest to the largest", MT_YAML_LIST,
     AT(mt_simulated_node, caches), .list = &caches},
    {"memory_bandwidth", "of the node", MT_YAML_QUANTITY,
     AT(mt_simulated_node, memory_bandwidth), .unit = MT_BANDWIDTH},
    {"oversubscription",
     "share of the speed that is lost when there are more processes than cores",
     MT_YAML_NUMBER, AT(mt_simulated_node, oversubscription), .range = &share},
    {"noise", "relative standard deviation of the compute speed", MT_YAML_NUMBER,
     AT(mt_simulated_node, noise), .range = &share},
    {"loopback", "messages between processes of a node", MT_YAML_MAP,
     .keys = loopback_keys},
    {"odd", "the one node that is not like the others", MT_YAML_MAP,
     AT(mt_simulated_node, odd), .keys = odd_keys},
    {0},
};

/* Faster than any link, and the largest rate that tc accepts. */
static const struct mt_yaml_range a_link = {1, 1e12, "from 1 B/s to 8000 Gbps"};

static const struct mt_yaml_key testbed_keys[] = {
    {"bandwidth", "of a node's link, in each direction", MT_YAML_QUANTITY,
     AT(mt_group, testbed_bandwidth), .required = true, .unit = MT_BANDWIDTH,
     .range = &a_link},
    {0},
};

static const struct mt_yaml_list process_counts = {
    .entry = {.type = MT_YAML_INTEGER,
              .offset = offsetof(struct mt_layout, processes),
              .range = &at_least_1},
    .least = 1,
    .most = 1000,
    .size = sizeof(struct mt_layout),
    .count = offsetof(struct mt_group, nlayouts),
};

static const struct mt_yaml_key group_keys[] = {
    {"name", "of the group", MT_YAML_TEXT, AT(mt_group, name), .required = true},
    {"hosts", "names of the nodes, as x[01-08]", MT_YAML_TEXT,
     .offset = MT_YAML_NOWHERE},
    {"nodes", "how many there are, where they need no names", MT_YAML_INTEGER,
     AT(mt_group, nodes), .range = &some_nodes},
    {"processes", "numbers of processes per node that may be tried", MT_YAML_LIST,
     AT(mt_group, layouts), .required = true, .list = &process_counts},
    {"memory", "of a node", MT_YAML_QUANTITY, AT(mt_group, memory), .unit = MT_BYTES},
    {"price", "of a node for an hour", MT_YAML_NUMBER, AT(mt_group, price),
     .range = &at_least_0},
    {"watts", "of a node", MT_YAML_NUMBER, AT(mt_group, watts), .range = &at_least_0},
    {"cores", "of a node, that processes may use", MT_YAML_NUMBER, AT(mt_group, cores),
     .range = &above_0},
    {"gpus", "of a node", MT_YAML_INTEGER, AT(mt_group, gpus), .range = &some_gpus},
    {"hyperthreads", "whether its cores are hardware threads", MT_YAML_EITHER,
     AT(mt_group, hyperthreads), .either = {"yes", "no"}, .yes = "yes"},
    {"testbed", "how the nodes are made on this machine", MT_YAML_MAP,
     .keys = testbed_keys},
    {"network", "name of the network that joins its nodes", MT_YAML_TEXT,
     AT(mt_group, network)},
    {"mix", "whether it may be used together with other groups", MT_YAML_EITHER,
     AT(mt_group, alone), .either = {"allowed", "never"}, .yes = "never"},
    {"partition", "of Slurm that the nodes are asked of", MT_YAML_TEXT,
     AT(mt_group, slurm.partition)},
    {"account", "that Slurm charges", MT_YAML_TEXT, AT(mt_group, slurm.account)},
    {"qos", "quality of service of Slurm", MT_YAML_TEXT, AT(mt_group, slurm.qos)},
    {"constraint", "features that Slurm's nodes must have", MT_YAML_TEXT,
     AT(mt_group, slurm.constraint)},
    {"gres", "what else Slurm is to give of each node, as gpu:2", MT_YAML_TEXT,
     AT(mt_group, slurm.gres)},
    {"switch", "name of the switch that the nodes are connected to", MT_YAML_TEXT,
     .offset = MT_YAML_NOWHERE},
    {"simulate", "how a simulated node behaves", MT_YAML_MAP, AT(mt_group, simulate),
     .keys = simulate_keys},
    {0},
};

static const struct mt_yaml_list groups = {
    .entry = {.type = MT_YAML_MAP, .keys = group_keys},
    .least = 1,
    .most = MT_MAX_GROUPS,
    .size = sizeof(struct mt_group),
    .count = offsetof(struct mt_cluster, ngroups),
};

static const struct mt_yaml_key trunk_keys[] = {
    {"latency", "of a message, with a unit", MT_YAML_QUANTITY,
     AT(mt_network, trunk_latency), .required = true, .unit = MT_SECONDS},
    {"bandwidth", "in each direction, with a unit", MT_YAML_QUANTITY,
     AT(mt_network, trunk_bandwidth), .required = true, .unit = MT_BANDWIDTH},
    {0},
};

static const struct mt_yaml_key hop_keys[] = {
    {"latency", "of a message, with a unit", MT_YAML_QUANTITY,
     AT(mt_network, hop_latency), .required = true, .unit = MT_SECONDS},
    {"bandwidth", "in each direction, with a unit", MT_YAML_QUANTITY,
     AT(mt_network, hop_bandwidth), .required = true, .unit = MT_BANDWIDTH},
    {0},
};

static const struct mt_yaml_key dip_keys[] = {
    {"from", "size of message from which on the network is slower", MT_YAML_QUANTITY,
     AT(mt_dip, from), .required = true, .unit = MT_BYTES},
    {"to", "size from which on it is not", MT_YAML_QUANTITY, AT(mt_dip, to),
     .required = true, .unit = MT_BYTES},
    {"slowdown", "of the bandwidth in between", MT_YAML_NUMBER, AT(mt_dip, slowdown),
     .required = true, .range = &above_1},
    {0},
};

static const struct mt_yaml_key incast_step_keys[] = {
    {"from", "size of message from which on it is delayed", MT_YAML_QUANTITY,
     AT(mt_incast_step, from), .required = true, .unit = MT_BYTES},
    {"delay", "of each all-to-all", MT_YAML_QUANTITY, AT(mt_incast_step, delay),
     .required = true, .unit = MT_SECONDS, .range = &at_least_0},
    {0},
};

static const struct mt_yaml_list incast_steps = {
    .entry = {.type = MT_YAML_MAP, .keys = incast_step_keys},
    .least = 1,
    .most = 8,
    .size = sizeof(struct mt_incast_step),
    .count = offsetof(struct mt_incast, nsteps),
};

static const struct mt_yaml_key incast_keys[] = {
    {"nodes", "of a run, from which on all-to-alls lose packets", MT_YAML_INTEGER,
     AT(mt_incast, nodes), .required = true, .range = &at_least_2},
    {"steps", "what that costs, by the size of messages", MT_YAML_LIST,
     AT(mt_incast, steps), .required = true, .list = &incast_steps},
    {0},
};

static const struct mt_yaml_key network_keys[] = {
    {"topology", "what the nodes' links lead to", MT_YAML_CHOICE,
     AT(mt_network, topology), .choice = topology},
    {"protocol", "what a message costs in addition to latency and bandwidth",
     MT_YAML_EITHER, AT(mt_network, bare), .either = {"tcp", "none"}, .yes = "none"},
    {"duplex", "whether sending and receiving share the bandwidth", MT_YAML_EITHER,
     AT(mt_network, half_duplex), .either = {"full", "half"}, .yes = "half"},
    {"latency", "from node to node of a switch", MT_YAML_QUANTITY,
     AT(mt_network, latency), .required = true, .unit = MT_SECONDS},
    {"bandwidth", "of a node's link", MT_YAML_QUANTITY, AT(mt_network, bandwidth),
     .required = true, .unit = MT_BANDWIDTH},
    {"switch_bandwidth", "of a switch as a whole", MT_YAML_QUANTITY,
     AT(mt_network, switch_bandwidth), .unit = MT_BANDWIDTH},
    {"switch_ports", "of a multistage network, or for nodes", MT_YAML_INTEGER,
     AT(mt_network, switch_ports), .range = &at_least_2},
    {"trunk", "between switches", MT_YAML_MAP, .keys = trunk_keys},
    {"hop", "between neighbours of a torus", MT_YAML_MAP, .keys = hop_keys},
    {"dip", "sizes of messages for which the network is slower", MT_YAML_MAP,
     AT(mt_network, dip), .keys = dip_keys},
    {"incast", "all-to-alls that lose packets", MT_YAML_MAP, AT(mt_network, incast),
     .keys = incast_keys},
    {"offload", "whether messages need no processor time", MT_YAML_EITHER,
     AT(mt_network, offload), .either = {"true", "false"}, .yes = "true"},
    {0},
};

static const struct mt_yaml_key glitch_keys[] = {
    {"count", "pairs (N, P) of each program", MT_YAML_INTEGER, AT(mt_glitches, count),
     .required = true, .range = &some_glitches},
    {"slowdown", "of the computation there", MT_YAML_NUMBER, AT(mt_glitches, slowdown),
     .required = true, .range = &above_1},
    {0},
};

static const char *const launch_placeholders[] = {"{P}",     "{threads}", "{hostfile}",
                                                  "{hosts}", "{program}", NULL};

const struct mt_yaml_key mt_cluster_keys[] = {
    {"name", "of the cluster", MT_YAML_TEXT, AT(mt_cluster, name), .required = true},
    {"launcher", "what starts programs", MT_YAML_CHOICE, AT(mt_cluster, launcher),
     .required = true, .choice = launcher},
    {"launch", "the command of launcher command", MT_YAML_ARGV, AT(mt_cluster, launch),
     .placeholders = launch_placeholders},
    {"remote_shell", "how a node is reached", MT_YAML_TEXT,
     AT(mt_cluster, remote_shell)},
    {"mpi", "how Slurm's srun starts MPI programs, as pmix", MT_YAML_TEXT,
     AT(mt_cluster, mpi)},
    {"currency", "of the prices", MT_YAML_TEXT, AT(mt_cluster, currency)},
    {"note", "what readers of a page have to know", MT_YAML_TEXT, AT(mt_cluster, note)},
    {"groups", "of equal nodes", MT_YAML_LIST, AT(mt_cluster, groups), .required = true,
     .list = &groups},
    {"network", "of a simulated cluster", MT_YAML_MAP, AT(mt_cluster, network),
     .keys = network_keys},
    {"glitches", "pairs (N, P) at which programs are slower", MT_YAML_MAP,
     AT(mt_cluster, glitches), .keys = glitch_keys},
    {0},
};

enum { LONGEST = 255 };

/* A key, and the characters that its values may have in addition to letters, digits,
   '-', '_', '.', ',', '@' and '+'. */
struct rule {
    const char *key, *value, *marks;
};

static bool is_value(const char *text, const char *marks)
{
    if (text[0] == '-' || strnlen(text, LONGEST + 1) > LONGEST)
        return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && !strchr("-_.,@+", *text) &&
            !strchr(marks, *text))
            return false;
    return true;
}

int mt_slurm_request_check(const struct mt_group *group, bool simulated,
                           const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    const struct mt_slurm_request *request = &group->slurm;
    const struct rule rules[] = {{"partition", request->partition, ""},
                                 {"account", request->account, ""},
                                 {"qos", request->qos, ""},
                                 {"constraint", request->constraint, "&|*()[]"},
                                 {"gres", request->gres, ":=/"}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct rule *rule = &rules[i];
        const int node = mt_yaml_member(yaml, map, rule->key);
        if (rule->value && simulated)
            return mt_yaml_fail(yaml, node, err,
                                "'%s' in group '%s' is not for launcher smpi",
                                rule->key, group->name);
        if (rule->value && !is_value(rule->value, rule->marks))
            return mt_yaml_fail(yaml, node, err,
                                "'%s' of group '%s' has letters, digits and -_.,@+%s "
                                "only, and does not begin with '-': '%.60s'",
                                rule->key, group->name, rule->marks, rule->value);
    }
    return MT_OK;
}
