/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys of program files. */
#include "internal.h"
#include "keys.h"

#include "lib/yaml/formula.h"
#include "template.h"

static const struct mt_yaml_range some_threads = {1, MT_MOST_THREADS, "from 1 to 4096"};

/* The words of choices, which NULL ends. */
static const char *bind(int index)
{
    return index + 1 < MT_BINDS ? mt_bind_name((enum mt_bind)(index + 1)) : NULL;
}

static const char *time_unit(int index)
{
    return index < MT_TIME_UNITS ? mt_time_unit_name((enum mt_time_unit)index) : NULL;
}

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
    {"near_steps", "those that caches make no difference to", MT_YAML_EXPRESSION,
     AT(mt_program, shape.near_steps), .variables = MT_USES_N | MT_USES_P,
     .counts = true},
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
    {"together", "how many messages are under way together", MT_YAML_EXPRESSION,
     AT(mt_program, shape.together), .variables = MT_USES_P, .counts = true},
    {"shift", "ranks from a sender to its receiver", MT_YAML_EXPRESSION,
     AT(mt_program, shape.shift), .variables = MT_USES_P, .counts = true},
    {"across", "1: of a grid, from column to column", MT_YAML_EXPRESSION,
     AT(mt_program, shape.across), .variables = MT_USES_P, .counts = true},
    {0},
};

static const struct mt_yaml_key term_keys[] = {
    {"n-t", "terms of N", MT_YAML_EXPRESSIONS, AT(mt_program, terms_nt),
     .variables = MT_USES_N},
    {"p-t", "terms of P, and of T, the seconds of the N-T model", MT_YAML_EXPRESSIONS,
     AT(mt_program, terms_pt), .variables = MT_USES_P | MT_USES_T},
    {"np-t", "terms of N and P", MT_YAML_EXPRESSIONS, AT(mt_program, terms_npt),
     .variables = MT_USES_N | MT_USES_P},
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
    .entry = {.type = MT_YAML_ARGV, .check = mt_template_check},
    .least = 1,
    .most = 100,
    .size = sizeof(char **),
    .count = offsetof(struct mt_program, nprepare),
};

static const struct mt_yaml_list cleanups = {
    .entry = {.type = MT_YAML_ARGV, .check = mt_template_check},
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
    {"command", "that runs it", MT_YAML_ARGV, AT(mt_program, command), .required = true,
     .check = mt_template_check},
    {"simulated", "the command on a simulated cluster", MT_YAML_ARGV,
     AT(mt_program, simulated), .check = mt_template_check},
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
     AT(mt_program, split), .variables = MT_USES_P},
    {"surface", "what its surface is made of", MT_YAML_MAP, .keys = surface_keys},
    {"terms", "of the models", MT_YAML_MAP, .keys = term_keys},
    {"threads", "that a process may have", MT_YAML_LIST, AT(mt_program, threads),
     .form = "a whole number from 1 to 4096, a list of them, or a range as 1-16",
     .list = &thread_counts},
    {"input", "files that it reads", MT_YAML_LIST, AT(mt_program, inputs),
     .list = &inputs},
    {"workdir", "the folder that it runs in", MT_YAML_TEXT, AT(mt_program, workdir)},
    {"env", "variables of its environment", MT_YAML_SETTINGS, AT(mt_program, env),
     .check = mt_template_check},
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
