/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys of machine files. */
#include "internal.h"
#include "lib/input/keys.h"

#include "lib/yaml/formula.h"

/* The words of choices, which NULL ends. */
static const char *contention(int index)
{
    return index < MT_NCONTENTIONS ? mt_contention_name((enum mt_contention)index)
                                   : NULL;
}

static const char *topology(int index)
{
    return index <= MT_TOPOLOGY_MULTISTAGE ? mt_topology_name((enum mt_topology)index)
                                           : NULL;
}

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
    {"near_steps", "those that caches make no difference to", MT_YAML_EXPRESSION,
     AT(mt_algorithm, shape.near_steps), .variables = MT_USES_N | MT_USES_P,
     .counts = true},
    {"working_set", "bytes that a process goes through again and again",
     MT_YAML_EXPRESSION, AT(mt_algorithm, shape.working_set),
     .variables = MT_USES_N | MT_USES_P, .counts = true},
    {"imbalance", "the busiest process's steps over the mean", MT_YAML_EXPRESSION,
     AT(mt_algorithm, shape.imbalance), .variables = MT_USES_N | MT_USES_P,
     .counts = true},
    {"costs", "of a step, before each cache and beyond the last", MT_YAML_LIST,
     AT(mt_algorithm, components.costs), .required = true, .list = &step_costs},
    {"near_cost", "of a step that caches make no difference to", MT_YAML_QUANTITY,
     AT(mt_algorithm, components.near_cost), .unit = MT_SECONDS},
    {"caches", "where steps begin to cost more", MT_YAML_LIST,
     AT(mt_algorithm, components.caches), .list = &cache_steps},
    {0},
};

static const struct mt_yaml_key length_keys[] = {
    {"bytes", "of a message", MT_YAML_QUANTITY, AT(mt_length, bytes), .required = true,
     .unit = MT_BYTES},
    {"as", "bytes that take as long in proportion", MT_YAML_QUANTITY, AT(mt_length, as),
     .required = true, .unit = MT_BYTES, .range = &at_least_0},
    {0},
};

static const struct mt_yaml_list lengths = {
    .entry = {.type = MT_YAML_MAP, .keys = length_keys},
    .least = 0,
    .most = MT_MAX_LENGTHS,
    .size = sizeof(struct mt_length),
    .count = offsetof(struct mt_algorithm, components.nlengths),
    .in_place = true,
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
    {"together", "how many messages are under way together", MT_YAML_EXPRESSION,
     AT(mt_algorithm, shape.together), .variables = MT_USES_P, .counts = true},
    {"shift", "ranks from a sender to its receiver", MT_YAML_EXPRESSION,
     AT(mt_algorithm, shape.shift), .variables = MT_USES_P, .counts = true},
    {"across", "1: of a grid, from column to column", MT_YAML_EXPRESSION,
     AT(mt_algorithm, shape.across), .variables = MT_USES_P, .counts = true},
    {"latency", "of a message", MT_YAML_QUANTITY, AT(mt_algorithm, components.latency),
     .unit = MT_SECONDS, .range = &at_least_0},
    {"hop", "what each node on the way adds", MT_YAML_QUANTITY,
     AT(mt_algorithm, components.hop), .unit = MT_SECONDS, .range = &at_least_0},
    {"lengths", "of messages whose times are not in proportion", MT_YAML_LIST,
     AT(mt_algorithm, components.lengths), .list = &lengths},
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

static const struct mt_yaml_key wiring_keys[] = {
    {"topology", "what the nodes' links lead to", MT_YAML_CHOICE,
     AT(mt_machine, wiring.topology), .choice = topology},
    {"duplex", "whether sending and receiving share the bandwidth", MT_YAML_EITHER,
     AT(mt_machine, wiring.half_duplex), .either = {"full", "half"}, .yes = "half"},
    {"bandwidth", "of a node's connection, by its data sheet", MT_YAML_QUANTITY,
     AT(mt_machine, wiring.bandwidth), .unit = MT_BANDWIDTH},
    {"switch_bandwidth", "of the switch as a whole, by its data sheet",
     MT_YAML_QUANTITY, AT(mt_machine, wiring.switch_bandwidth), .unit = MT_BANDWIDTH},
    {"trunk_bandwidth", "from a switch to the others, by its data sheet",
     MT_YAML_QUANTITY, AT(mt_machine, wiring.trunk_bandwidth), .unit = MT_BANDWIDTH},
    {"switch_ports", "of a multistage network, or for nodes", MT_YAML_INTEGER,
     AT(mt_machine, wiring.ports), .range = &at_least_2},
    {"header", "bytes that the network adds to each message", MT_YAML_QUANTITY,
     AT(mt_machine, wiring.header), .unit = MT_BYTES},
    {0},
};

const struct mt_yaml_key mt_machine_keys[] = {
    {"name", "of the machine", MT_YAML_TEXT, AT(mt_machine, name), .required = true},
    {"nodes", "one process on each", MT_YAML_INTEGER, AT(mt_machine, nodes),
     .required = true, .range = &some_nodes},
    {"speed", "of a node at its best", MT_YAML_QUANTITY, AT(mt_machine, speed),
     .required = true, .unit = MT_FLOPS},
    {"memory", "of a node", MT_YAML_QUANTITY, AT(mt_machine, memory), .unit = MT_BYTES},
    {"network", "how the nodes are connected", MT_YAML_MAP, .keys = wiring_keys},
    {"simulated", "whether the numbers come from a simulated cluster", MT_YAML_EITHER,
     AT(mt_machine, simulated), .either = {"true", "false"}, .yes = "true"},
    {"algorithms", "and what they cost", MT_YAML_LIST, AT(mt_machine, algorithms),
     .required = true, .list = &algorithms},
    {0},
};
