/* SPDX-License-Identifier: BSD-3-Clause */
#include "keys.h"

#include "formula.h"

#include "motley/cluster.h"
#include "motley/configuration.h"
#include "motley/machine.h"
#include "motley/program.h"

#include <float.h>

#define AT(type, member) .offset = offsetof(struct type, member)

static const struct mt_yaml_range at_least_0 = {0, DBL_MAX, "at least 0"};
static const struct mt_yaml_range above_0 = {DBL_TRUE_MIN, DBL_MAX, "more than 0"};
static const struct mt_yaml_range at_least_1 = {1, DBL_MAX, "at least 1"};
static const struct mt_yaml_range above_1 = {1 + DBL_EPSILON, DBL_MAX, "more than 1"};
static const struct mt_yaml_range at_least_2 = {2, DBL_MAX, "at least 2"};
static const struct mt_yaml_range share = {0, 1 - DBL_EPSILON / 2,
                                           "at least 0 and less than 1"};
static const struct mt_yaml_range some_glitches = {1, 1000, "from 1 to 1000"};
static const struct mt_yaml_range some_threads = {1, MT_MOST_THREADS, "from 1 to 4096"};
static const struct mt_yaml_range some_gpus = {0, 1000, "from 0 to 1000"};
static const struct mt_yaml_range some_nodes = {1, MT_MOST_NODES, "from 1 to 1000000"};

/* The words of choices, which NULL ends. */
static const char *launcher(int index)
{
    return index < MT_LAUNCHERS ? mt_launcher_name((enum mt_launcher)index) : NULL;
}

static const char *bind(int index)
{
    return index + 1 < MT_BINDS ? mt_bind_name((enum mt_bind)(index + 1)) : NULL;
}

static const char *topology(int index)
{
    return index <= MT_TOPOLOGY_MULTISTAGE ? mt_topology_name((enum mt_topology)index)
                                           : NULL;
}

static const char *contention(int index)
{
    return index < MT_NCONTENTIONS ? mt_contention_name((enum mt_contention)index)
                                   : NULL;
}

static const char *time_unit(int index)
{
    return index < MT_TIME_UNITS ? mt_time_unit_name((enum mt_time_unit)index) : NULL;
}

/* Clusters. */

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

static const struct mt_yaml_key testbed_keys[] = {
    {"bandwidth", "of a node's link, in each direction", MT_YAML_QUANTITY,
     AT(mt_group, testbed_bandwidth), .required = true, .unit = MT_BANDWIDTH},
    {0},
};

static const struct mt_yaml_list process_counts = {
    .entry = {.type = MT_YAML_INTEGER, .range = &at_least_1},
    .least = 1,
    .most = 1000,
    .size = sizeof(int),
    .count = offsetof(struct mt_group, nprocesses),
};

static const struct mt_yaml_key group_keys[] = {
    {"name", "of the group", MT_YAML_TEXT, AT(mt_group, name), .required = true},
    {"hosts", "names of the nodes, as x[01-08]", MT_YAML_TEXT,
     .offset = MT_YAML_NOWHERE},
    {"nodes", "how many there are, where they need no names", MT_YAML_INTEGER,
     AT(mt_group, nodes), .range = &some_nodes},
    {"processes", "numbers of processes per node that may be tried", MT_YAML_LIST,
     AT(mt_group, processes), .required = true, .list = &process_counts},
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

static const struct mt_yaml_key network_keys[] = {
    {"topology", "what the nodes' links lead to", MT_YAML_CHOICE,
     AT(mt_network, topology), .choice = topology},
    {"protocol", "what a message costs beside latency and bandwidth", MT_YAML_EITHER,
     AT(mt_network, bare), .either = {"tcp", "none"}, .yes = "none"},
    {"duplex", "whether sending and receiving share the bandwidth", MT_YAML_EITHER,
     AT(mt_network, half_duplex), .either = {"full", "half"}, .yes = "half"},
    {"latency", "from node to node of a switch", MT_YAML_QUANTITY,
     AT(mt_network, latency), .required = true, .unit = MT_SECONDS},
    {"bandwidth", "of a node's link", MT_YAML_QUANTITY, AT(mt_network, bandwidth),
     .required = true, .unit = MT_BANDWIDTH},
    {"switch_bandwidth", "of a switch as a whole", MT_YAML_QUANTITY,
     AT(mt_network, switch_bandwidth), .unit = MT_BANDWIDTH},
    {"switch_ports", "of a switch of a multistage network", MT_YAML_INTEGER,
     AT(mt_network, switch_ports), .range = &at_least_2},
    {"trunk", "between switches", MT_YAML_MAP, .keys = trunk_keys},
    {"hop", "between neighbours of a torus", MT_YAML_MAP, .keys = hop_keys},
    {"dip", "sizes of messages for which the network is slower", MT_YAML_MAP,
     AT(mt_network, dip), .keys = dip_keys},
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
    {"currency", "of the prices", MT_YAML_TEXT, AT(mt_cluster, currency)},
    {"groups", "of equal nodes", MT_YAML_LIST, AT(mt_cluster, groups), .required = true,
     .list = &groups},
    {"network", "of a simulated cluster", MT_YAML_MAP, AT(mt_cluster, network),
     .keys = network_keys},
    {"glitches", "pairs (N, P) at which programs are slower", MT_YAML_MAP,
     AT(mt_cluster, glitches), .keys = glitch_keys},
    {0},
};

/* Programs. */

static const struct mt_yaml_key time_keys[] = {
    {"match", "pattern whose first group is the time", MT_YAML_TEXT,
     AT(mt_program, time_match), .required = true},
    {"unit", "of that time", MT_YAML_CHOICE, AT(mt_program, time_unit),
     .choice = time_unit},
    {"file", "in which it stands", MT_YAML_TEXT, AT(mt_program, result_file)},
    {0},
};

static const struct mt_yaml_key rate_keys[] = {
    {"match", "pattern whose first group is the rate", MT_YAML_TEXT,
     AT(mt_program, rate_match), .required = true},
    {"unit", "of that rate, as GFLOPS", MT_YAML_TEXT, AT(mt_program, rate_unit),
     .required = true},
    {"work", "of a run, that the rate is of", MT_YAML_EXPRESSION,
     AT(mt_program, rate_work), .variables = MT_USES_N | MT_USES_P, .counts = true},
    {"file", "in which it stands", MT_YAML_TEXT, AT(mt_program, result_file)},
    {0},
};

static const struct mt_yaml_list measure_sizes = {
    .entry = {.type = MT_YAML_NUMBER, .range = &above_0},
    .least = 1,
    .most = 1000,
    .size = sizeof(double),
    .count = offsetof(struct mt_program, nmeasure_sizes),
};

static const struct mt_yaml_list plan_sizes = {
    .entry = {.type = MT_YAML_NUMBER, .range = &above_0},
    .least = 1,
    .most = 1000,
    .size = sizeof(double),
    .count = offsetof(struct mt_program, nplan_sizes),
};

static const struct mt_yaml_key size_keys[] = {
    {"measure", "sizes N to measure, ascending", MT_YAML_LIST,
     AT(mt_program, measure_sizes), .required = true, .list = &measure_sizes},
    {"plan", "sizes N to plan for, ascending", MT_YAML_LIST, AT(mt_program, plan_sizes),
     .list = &plan_sizes},
    {0},
};

/* One process is on each node there. */
static const struct mt_yaml_key surface_keys[] = {
    {"steps", "that a process computes", MT_YAML_EXPRESSION,
     AT(mt_program, shape.steps), .variables = MT_USES_N | MT_USES_P, .counts = true},
    {"working_set", "bytes that a process goes through again and again",
     MT_YAML_EXPRESSION, AT(mt_program, shape.working_set),
     .variables = MT_USES_N | MT_USES_P, .counts = true},
    {"imbalance", "the busiest process's steps over the mean", MT_YAML_EXPRESSION,
     AT(mt_program, shape.imbalance), .variables = MT_USES_N | MT_USES_P,
     .counts = true},
    {"messages", "that a process handles one after the other", MT_YAML_EXPRESSION,
     AT(mt_program, shape.messages), .variables = MT_USES_N | MT_USES_P,
     .counts = true},
    {"bytes", "of such a message, of the longest where they differ", MT_YAML_EXPRESSION,
     AT(mt_program, shape.bytes), .variables = MT_USES_N | MT_USES_P, .counts = true},
    {"mean_bytes", "of the messages under way together", MT_YAML_EXPRESSION,
     AT(mt_program, shape.mean_bytes), .variables = MT_USES_N | MT_USES_P,
     .counts = true},
    {0},
};

static const struct mt_yaml_key term_keys[] = {
    {"n-t", "terms of N", MT_YAML_EXPRESSIONS, AT(mt_program, terms_nt),
     .variables = MT_USES_N},
    {"p-t", "terms of P, and of T, the seconds of the N-T model", MT_YAML_EXPRESSIONS,
     AT(mt_program, terms_pt), .variables = MT_USES_P | MT_USES_T},
    {"np-t", "terms of N and P", MT_YAML_EXPRESSIONS, AT(mt_program, terms_npt),
     .variables = MT_USES_N | MT_USES_P},
    {"auto", "terms of N, P and M", MT_YAML_EXPRESSIONS, AT(mt_program, terms_auto),
     .variables = MT_USES_N | MT_USES_P | MT_USES_M},
    {0},
};

static const struct mt_yaml_key input_keys[] = {
    {"file", "its path in the run's folder", MT_YAML_TEXT, AT(mt_input_file, file),
     .required = true},
    {"template", "the path of its text", MT_YAML_TEXT, AT(mt_input_file, source)},
    {"content", "its text", MT_YAML_TEXT, AT(mt_input_file, content)},
    {0},
};

static const struct mt_yaml_list inputs = {
    .entry = {.type = MT_YAML_MAP, .keys = input_keys},
    .least = 1,
    .most = 100,
    .size = sizeof(struct mt_input_file),
    .count = offsetof(struct mt_program, ninputs),
};

static const struct mt_yaml_list preparations = {
    .entry = {.type = MT_YAML_ARGV},
    .least = 1,
    .most = 100,
    .size = sizeof(char **),
    .count = offsetof(struct mt_program, nprepare),
};

static const struct mt_yaml_list cleanups = {
    .entry = {.type = MT_YAML_ARGV},
    .least = 1,
    .most = 100,
    .size = sizeof(char **),
    .count = offsetof(struct mt_program, ncleanup),
};

static const struct mt_yaml_list bind_list = {
    .entry = {.type = MT_YAML_CHOICE, .choice = bind},
    .least = 1,
    .most = MT_BINDS,
    .size = sizeof(enum mt_bind),
    .count = offsetof(struct mt_program, nbinds),
};

static const struct mt_yaml_list gpu_counts = {
    .entry = {.type = MT_YAML_INTEGER, .range = &some_gpus},
    .least = 1,
    .most = 100,
    .size = sizeof(int),
    .count = offsetof(struct mt_program, ngpus),
    .spread = true,
};

static const struct mt_yaml_list thread_counts = {
    .entry = {.type = MT_YAML_INTEGER, .range = &some_threads},
    .least = 1,
    .most = 100,
    .size = sizeof(int),
    .count = offsetof(struct mt_program, nthreads),
    .spread = true,
};

const struct mt_yaml_key mt_program_keys[] = {
    {"name", "of the program", MT_YAML_TEXT, AT(mt_program, name), .required = true},
    {"command", "that runs it", MT_YAML_ARGV, AT(mt_program, command),
     .required = true},
    {"simulated", "the command on a simulated cluster", MT_YAML_ARGV,
     AT(mt_program, simulated)},
    {"time", "how the time of a run is read", MT_YAML_MAP, .keys = time_keys,
     .word = "wall", .form = "wall or {match: PATTERN}"},
    {"rate", "how the rate of a run is read", MT_YAML_MAP, .keys = rate_keys},
    {"sizes", "of the problem", MT_YAML_MAP, .required = true, .keys = size_keys},
    {"work", "operations of a run", MT_YAML_EXPRESSION, AT(mt_program, work),
     .variables = MT_USES_N | MT_USES_P, .counts = true},
    {"memory", "bytes that a process needs", MT_YAML_EXPRESSION, AT(mt_program, memory),
     .variables = MT_USES_N | MT_USES_P | MT_USES_M, .counts = true},
    {"valid", "which (N, P) may run", MT_YAML_EXPRESSION, AT(mt_program, valid),
     .variables = MT_USES_N | MT_USES_P},
    {"split", "P that get models of their own", MT_YAML_EXPRESSION,
     AT(mt_program, split), .variables = MT_USES_N | MT_USES_P},
    {"surface", "what its surface is made of", MT_YAML_MAP, .keys = surface_keys},
    {"terms", "of the models", MT_YAML_MAP, .keys = term_keys},
    {"threads", "that a process may have", MT_YAML_LIST, AT(mt_program, threads),
     .form = "a whole number from 1 to 4096, a list of them, or a range as 1-16",
     .list = &thread_counts},
    {"input", "files that it reads", MT_YAML_LIST, AT(mt_program, inputs),
     .list = &inputs},
    {"workdir", "the folder that it runs in", MT_YAML_TEXT, AT(mt_program, workdir)},
    {"env", "variables of its environment", MT_YAML_SETTINGS, AT(mt_program, env)},
    {"prepare", "commands before each run", MT_YAML_LIST, AT(mt_program, prepare),
     .list = &preparations},
    {"cleanup", "commands after each run", MT_YAML_LIST, AT(mt_program, cleanup),
     .list = &cleanups},
    {"gpus", "that a process may have", MT_YAML_LIST, AT(mt_program, gpus),
     .form = "a whole number from 0 to 1000, a list of them, or a range as 1-4",
     .list = &gpu_counts},
    {"bind", "how processes may be bound", MT_YAML_LIST, AT(mt_program, binds),
     .list = &bind_list},
    {"repeat", "runs of each measured point", MT_YAML_INTEGER, AT(mt_program, repeat),
     .range = &at_least_1, .otherwise = 1},
    {"timeout", "of a run", MT_YAML_QUANTITY, AT(mt_program, timeout),
     .unit = MT_SECONDS, .otherwise = 3600},
    {0},
};

/* Machines. */

static const struct mt_yaml_key cache_step_keys[] = {
    {"hit", "working set up to which nothing misses", MT_YAML_QUANTITY,
     AT(mt_cache_step, hit), .required = true, .unit = MT_BYTES},
    {"miss", "working set from which on everything misses", MT_YAML_QUANTITY,
     AT(mt_cache_step, miss), .required = true, .unit = MT_BYTES},
    {0},
};

static const struct mt_yaml_list cache_steps = {
    .entry = {.type = MT_YAML_MAP, .keys = cache_step_keys},
    .least = 0,
    .most = MT_MAX_CACHE_STEPS,
    .size = sizeof(struct mt_cache_step),
    .count = offsetof(struct mt_algorithm, components.ncaches),
    .in_place = true,
};

static const struct mt_yaml_list step_costs = {
    .entry = {.type = MT_YAML_QUANTITY, .unit = MT_SECONDS},
    .least = 1,
    .most = MT_MAX_CACHE_STEPS + 1,
    .size = sizeof(double),
    .count = MT_YAML_NOWHERE,
    .in_place = true,
};

static const struct mt_yaml_key compute_keys[] = {
    {"steps", "that a process computes", MT_YAML_EXPRESSION,
     AT(mt_algorithm, shape.steps), .variables = MT_USES_N | MT_USES_P, .counts = true},
    {"working_set", "bytes that a process goes through again and again",
     MT_YAML_EXPRESSION, AT(mt_algorithm, shape.working_set),
     .variables = MT_USES_N | MT_USES_P, .counts = true},
    {"imbalance", "the busiest process's steps over the mean", MT_YAML_EXPRESSION,
     AT(mt_algorithm, shape.imbalance), .variables = MT_USES_N | MT_USES_P,
     .counts = true},
    {"costs", "of a step, before each cache and beyond the last", MT_YAML_LIST,
     AT(mt_algorithm, components.costs), .required = true, .list = &step_costs},
    {"caches", "where steps begin to cost more", MT_YAML_LIST,
     AT(mt_algorithm, components.caches), .list = &cache_steps},
    {0},
};

static const struct mt_yaml_key bandwidth_keys[] = {
    {"base", "of short messages between two processes", MT_YAML_QUANTITY,
     AT(mt_bandwidth, base), .required = true, .unit = MT_BANDWIDTH},
    {"half", "size of message at which it is down to half", MT_YAML_QUANTITY,
     AT(mt_bandwidth, half), .unit = MT_BYTES},
    {"contention", "how processes get in each other's way", MT_YAML_CHOICE,
     AT(mt_bandwidth, contention), .choice = contention},
    {"strength", "of some contentions", MT_YAML_NUMBER, AT(mt_bandwidth, strength),
     .range = &at_least_0},
    {"exponent", "of some contentions", MT_YAML_NUMBER, AT(mt_bandwidth, exponent),
     .range = &at_least_0},
    {"evens_out", "whether the mean of unequal messages counts", MT_YAML_EITHER,
     AT(mt_bandwidth, evens_out), .either = {"true", "false"}, .yes = "true"},
    {0},
};

static const struct mt_yaml_key communication_keys[] = {
    {"messages", "that a process handles one after the other", MT_YAML_EXPRESSION,
     AT(mt_algorithm, shape.messages), .required = true,
     .variables = MT_USES_N | MT_USES_P, .counts = true},
    {"bytes", "of such a message, of the longest where they differ", MT_YAML_EXPRESSION,
     AT(mt_algorithm, shape.bytes), .required = true,
     .variables = MT_USES_N | MT_USES_P, .counts = true},
    {"mean_bytes", "of the messages under way together", MT_YAML_EXPRESSION,
     AT(mt_algorithm, shape.mean_bytes), .variables = MT_USES_N | MT_USES_P,
     .counts = true},
    {"latency", "of a message", MT_YAML_QUANTITY, AT(mt_algorithm, components.latency),
     .unit = MT_SECONDS, .range = &at_least_0},
    {"bandwidth", "of the network", MT_YAML_MAP, AT(mt_algorithm, components.bandwidth),
     .keys = bandwidth_keys},
    {"overlap", "whether messages travel while the process computes", MT_YAML_EITHER,
     AT(mt_algorithm, components.overlap), .either = {"true", "false"}, .yes = "true"},
    {0},
};

/* The smallest and the largest, which are neighbours in the struct. */
_Static_assert(offsetof(struct mt_learned_from, size_high) ==
                   offsetof(struct mt_learned_from, size_low) + sizeof(double),
               "two sizes");
static const struct mt_yaml_list learned_sizes = {
    .entry = {.type = MT_YAML_NUMBER, .range = &above_0},
    .least = 2,
    .most = 2,
    .size = sizeof(double),
    .count = MT_YAML_NOWHERE,
    .in_place = true,
};

static const struct mt_yaml_key learned_keys[] = {
    {"runs", "that the numbers were learned from", MT_YAML_INTEGER,
     AT(mt_algorithm, learned.runs), .required = true, .range = &at_least_1},
    {"nodes", "the most that a run used", MT_YAML_INTEGER,
     AT(mt_algorithm, learned.nodes), .required = true, .range = &at_least_1},
    {"sizes", "of the runs, the smallest and the largest", MT_YAML_LIST,
     AT(mt_algorithm, learned.size_low), .required = true, .list = &learned_sizes},
    {"error", "mean relative error in cross-validation", MT_YAML_NUMBER,
     AT(mt_algorithm, learned.error), .required = true, .range = &at_least_0},
    {0},
};

static const struct mt_yaml_key algorithm_keys[] = {
    {"name", "of the algorithm", MT_YAML_TEXT, AT(mt_algorithm, name),
     .required = true},
    {"work", "operations of a run", MT_YAML_EXPRESSION, AT(mt_algorithm, shape.work),
     .required = true, .variables = MT_USES_N, .counts = true},
    {"memory", "bytes that a process needs", MT_YAML_EXPRESSION,
     AT(mt_algorithm, shape.memory), .variables = MT_USES_N | MT_USES_P,
     .counts = true},
    {"valid", "which (N, P) may run", MT_YAML_EXPRESSION, AT(mt_algorithm, shape.valid),
     .variables = MT_USES_N | MT_USES_P},
    {"compute", "what a step costs", MT_YAML_MAP, .required = true,
     .keys = compute_keys},
    {"communication", "what messages cost", MT_YAML_MAP, .keys = communication_keys},
    {"learned", "the runs that this was learned from", MT_YAML_MAP,
     .keys = learned_keys},
    {0},
};

static const struct mt_yaml_list algorithms = {
    .entry = {.type = MT_YAML_MAP, .keys = algorithm_keys},
    .least = 1,
    .most = 32,
    .size = sizeof(struct mt_algorithm),
    .count = offsetof(struct mt_machine, nalgorithms),
};

const struct mt_yaml_key mt_machine_keys[] = {
    {"name", "of the machine", MT_YAML_TEXT, AT(mt_machine, name), .required = true},
    {"nodes", "one process on each", MT_YAML_INTEGER, AT(mt_machine, nodes),
     .required = true, .range = &some_nodes},
    {"speed", "of a node at its best", MT_YAML_QUANTITY, AT(mt_machine, speed),
     .required = true, .unit = MT_FLOPS},
    {"memory", "of a node", MT_YAML_QUANTITY, AT(mt_machine, memory), .unit = MT_BYTES},
    {"simulated", "whether the numbers come from a simulated cluster", MT_YAML_EITHER,
     AT(mt_machine, simulated), .either = {"true", "false"}, .yes = "true"},
    {"algorithms", "and what they cost", MT_YAML_LIST, AT(mt_machine, algorithms),
     .required = true, .list = &algorithms},
    {0},
};
