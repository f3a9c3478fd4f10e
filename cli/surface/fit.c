/* SPDX-License-Identifier: BSD-3-Clause */
/* motley surface fit: learns a machine from runs; prints it as text and as JSON. */
#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/common/inputs.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/process/memory.h"
#include "lib/base/argv.h"
#include "lib/base/hostlist.h"
#include "lib/machine/internal.h"
#include "surface.h"

#include <errno.h>
#include <hwloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_CACHES = 5 }; /* levels that hwloc knows */

/* Empty if zeroed. */
struct fit_report {
    struct mt_inputs inputs;
    struct mt_machine_fit fit;
    char **measure;     /* owned, see argv.h: the commands that make the wanted runs */
    const char *output; /* borrowed; the machine's file; NULL: none */
};

static void print_header(const struct fit_report *report)
{
    const struct mt_group_runs *runs = &report->fit.runs;
    const struct mt_learned_from *from = &report->fit.learned.from;
    printf("%s on %s: learned from %d run%s%s ", report->inputs.program.name,
           report->fit.machine.name, from->runs, from->runs == 1 ? "" : "s",
           mt_cluster_simulated(&report->inputs.cluster) ? " (simulated)" : "");
    if (runs->count < from->runs)
        printf("at %d points ", runs->count);
    const int least = runs->runs[0].ranks; /* they are sorted by ranks */
    if (least < from->nodes)
        printf("on %d to %d nodes", least, from->nodes);
    else
        printf("on %d node%s", least, least == 1 ? "" : "s");
    if (from->size_low < from->size_high)
        printf(", N %.15g to %.15g\n", from->size_low, from->size_high);
    else
        printf(", N %.15g\n", from->size_low);
    if (runs->processes > 1)
        printf("A node is a process here: there are up to %d on one\n",
               runs->processes);
}

enum {
    PARAMETER_NAME,
    PARAMETER_UNIT,
    PARAMETER_VALUE,
    PARAMETER_LOW,
    PARAMETER_HIGH,
    PARAMETER_INTERVAL,
    PARAMETER_COLUMNS
};
static const struct mt_column parameter_columns[PARAMETER_COLUMNS] = {
    [PARAMETER_NAME] = {"name", "parameter", MT_COLUMN_TEXT},
    [PARAMETER_UNIT] = {"unit", NULL, MT_COLUMN_TEXT},
    [PARAMETER_VALUE] = {"value", "value", MT_COLUMN_NUMBER},
    [PARAMETER_LOW] = {"low", NULL, MT_COLUMN_NUMBER},
    [PARAMETER_HIGH] = {"high", NULL, MT_COLUMN_NUMBER},
    [PARAMETER_INTERVAL] = {NULL, "90 % interval", MT_COLUMN_TEXT},
};

static const char *unit_name(const struct mt_parameter *parameter)
{
    switch (parameter->unit) {
    case MT_PARAMETER_SECONDS:
        return "seconds";
    case MT_PARAMETER_BYTES:
        return "bytes";
    case MT_PARAMETER_BYTES_PER_SECOND:
        return "bytes per second";
    case MT_PARAMETER_NONE:
        break;
    }
    return NULL;
}

static const char *format_value(char buffer[MT_QUANTITY_TEXT],
                                const struct mt_parameter *parameter, double value)
{
    switch (parameter->unit) {
    case MT_PARAMETER_SECONDS:
        return mt_format_seconds(buffer, value);
    case MT_PARAMETER_BYTES:
        return mt_format_bytes(buffer, value);
    case MT_PARAMETER_BYTES_PER_SECOND:
        return mt_format_rate(buffer, value, "B/s");
    case MT_PARAMETER_NONE:
        break;
    }
    snprintf(buffer, MT_QUANTITY_TEXT, "%.4g", value);
    return buffer;
}

static struct mt_view view_parameters(const struct mt_learned *learned)
{
    struct mt_view view = {.columns = parameter_columns, .ncolumns = PARAMETER_COLUMNS};
    for (int i = 0; i < learned->nparameters; i++) {
        const struct mt_parameter *parameter = &learned->parameters[i];
        char value[MT_QUANTITY_TEXT], low[MT_QUANTITY_TEXT], high[MT_QUANTITY_TEXT];
        mt_view_row(&view);
        mt_view_text(&view, PARAMETER_NAME, parameter->name);
        mt_view_text(&view, PARAMETER_UNIT, unit_name(parameter));
        mt_view_number(&view, PARAMETER_VALUE, parameter->value);
        mt_view_show(&view, PARAMETER_VALUE, "%s",
                     format_value(value, parameter, parameter->value));
        mt_view_number(&view, PARAMETER_LOW, parameter->low);
        mt_view_number(&view, PARAMETER_HIGH, parameter->high);
        if (isnan(parameter->low) || isnan(parameter->high))
            mt_view_show(&view, PARAMETER_INTERVAL, "the runs do not say");
        else
            mt_view_show(&view, PARAMETER_INTERVAL, "%s to %s",
                         format_value(low, parameter, fmax(parameter->low, 0)),
                         format_value(high, parameter, parameter->high));
    }
    return view;
}

/* The forms that were tried. */
enum {
    TRIAL_CACHES,
    TRIAL_CONTENTION,
    TRIAL_LATENCY,
    TRIAL_HOP,
    TRIAL_HALF,
    TRIAL_LENGTHS,
    TRIAL_OVERLAP,
    TRIAL_EVENS_OUT,
    TRIAL_ERROR,
    TRIAL_CHOSEN,
    TRIAL_COLUMNS
};
static const struct mt_column trial_columns[TRIAL_COLUMNS] = {
    [TRIAL_CACHES] = {"cache_steps", NULL, MT_COLUMN_COUNT},
    [TRIAL_CONTENTION] = {"contention", NULL, MT_COLUMN_TEXT},
    [TRIAL_LATENCY] = {"latency", NULL, MT_COLUMN_FLAG},
    [TRIAL_HOP] = {"hop", NULL, MT_COLUMN_FLAG},
    [TRIAL_HALF] = {"half", NULL, MT_COLUMN_FLAG},
    [TRIAL_LENGTHS] = {"lengths", NULL, MT_COLUMN_FLAG},
    [TRIAL_OVERLAP] = {"overlap", NULL, MT_COLUMN_FLAG},
    [TRIAL_EVENS_OUT] = {"evens_out", NULL, MT_COLUMN_FLAG},
    [TRIAL_ERROR] = {"error_percent", NULL, MT_COLUMN_NUMBER},
    [TRIAL_CHOSEN] = {"chosen", NULL, MT_COLUMN_FLAG},
};

static json_t *trials_json(const struct mt_learned *learned)
{
    struct mt_view view = {.columns = trial_columns, .ncolumns = TRIAL_COLUMNS};
    for (int i = 0; i < learned->ntrials; i++) {
        const struct mt_learn_trial *trial = &learned->trials[i];
        mt_view_row(&view);
        mt_view_number(&view, TRIAL_CACHES, trial->ncaches);
        mt_view_text(&view, TRIAL_CONTENTION, mt_contention_name(trial->contention));
        mt_view_flag(&view, TRIAL_LATENCY, trial->latency);
        mt_view_flag(&view, TRIAL_HOP, trial->hop);
        mt_view_flag(&view, TRIAL_HALF, trial->half);
        mt_view_flag(&view, TRIAL_LENGTHS, trial->lengths);
        mt_view_flag(&view, TRIAL_OVERLAP, trial->overlap);
        mt_view_flag(&view, TRIAL_EVENS_OUT, trial->evens_out);
        mt_view_number(&view, TRIAL_ERROR, 100 * trial->error);
        mt_view_flag(&view, TRIAL_CHOSEN, trial->chosen);
    }
    return mt_view_to_json(&view);
}

enum { WANTED_NODES, WANTED_SIZE, WANTED_WHY, WANTED_COLUMNS };
static const struct mt_column wanted_columns[WANTED_COLUMNS] = {
    [WANTED_NODES] = {"nodes", "nodes", MT_COLUMN_COUNT},
    [WANTED_SIZE] = {"size", "size", MT_COLUMN_COUNT},
    [WANTED_WHY] = {"why", "why", MT_COLUMN_TEXT},
};

static struct mt_view view_wanted(const struct mt_learned *learned)
{
    struct mt_view view = {.columns = wanted_columns, .ncolumns = WANTED_COLUMNS};
    for (int i = 0; i < learned->nwanted; i++) {
        const struct mt_wanted_run *run = &learned->wanted[i];
        mt_view_row(&view);
        mt_view_number(&view, WANTED_NODES, run->ranks);
        mt_view_number(&view, WANTED_SIZE, run->size);
        mt_view_text(&view, WANTED_WHY, run->why);
    }
    return view;
}

/* Whether a command makes each of the wanted runs. */
static bool can_make_all(const struct mt_machine_fit *fit)
{
    for (int i = 0; i < fit->learned.nwanted; i++)
        if (!mt_machine_fit_use(fit, fit->learned.wanted[i].ranks).nodes)
            return false;
    return true;
}

static void print_wanted(const struct fit_report *report)
{
    const struct mt_machine_fit *fit = &report->fit;
    if (fit->learned.nwanted == 0)
        return;
    struct mt_view view = view_wanted(&fit->learned);
    puts("\nRuns that would tell more");
    mt_view_print(&view, stdout);
    for (char **command = report->measure; command && *command; command++)
        puts(*command);
    if (!can_make_all(fit))
        printf("Group '%s' has not got the nodes for all of them\n",
               fit->cluster->groups[fit->runs.group].name);
}

static void print_text(const struct fit_report *report)
{
    static const char *const origins[] = {
        [MT_SPEED_GIVEN] = "as --speed says",
        [MT_SPEED_OF_FILE] = "as the machine file says",
        [MT_SPEED_OF_RUNS] = "that of the fastest run",
    };
    const struct mt_machine_fit *fit = &report->fit;
    char speed[MT_QUANTITY_TEXT];
    struct mt_view parameters = view_parameters(&fit->learned);
    print_header(report);
    puts("");
    mt_view_print(&parameters, stdout);
    printf(
        "\nThe best of %d forms: %.2f %% mean error in cross-validation, and %.2f %% "
        "(root mean square) in the fit of all runs\n",
        fit->learned.ntrials, 100 * fit->learned.from.error,
        100 * fit->learned.residual);
    print_wanted(report);
    printf("\nA node at its best: %s, %s\n",
           mt_format_rate(speed, fit->machine.speed, "f"), origins[fit->speed_origin]);
    if (report->output)
        printf("'%s' has it as algorithm '%s'\n", report->output,
               report->inputs.program.name);
}

static json_t *from_json(const struct mt_learned *learned)
{
    const struct mt_learned_from *from = &learned->from;
    return json_pack("{s:i, s:i, s:o, s:o, s:o, s:o}", "runs", from->runs, "nodes",
                     from->nodes, "size_low", mt_json_number(from->size_low),
                     "size_high", mt_json_number(from->size_high), "error_percent",
                     mt_json_number(100 * from->error), "residual_percent",
                     mt_json_number(100 * learned->residual));
}

static void print_json(const struct fit_report *report)
{
    const struct mt_inputs *inputs = &report->inputs;
    const struct mt_machine_fit *fit = &report->fit;
    struct mt_view parameters = view_parameters(&fit->learned);
    struct mt_view wanted = view_wanted(&fit->learned);
    mt_document_print(
        "motley/surface-fit", 2,
        json_pack("{s:o, s:o, s:o, s:o, s:b, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                  "machine", mt_json_text(fit->machine.name), "cluster",
                  mt_json_text(inputs->cluster.name), "group",
                  mt_json_text(inputs->cluster.groups[fit->runs.group].name), "program",
                  mt_json_text(inputs->program.name), "simulated",
                  (int)mt_cluster_simulated(&inputs->cluster), "processes_per_node",
                  fit->runs.processes, "speed", mt_json_number(fit->machine.speed),
                  "learned", from_json(&fit->learned), "parameters",
                  mt_view_to_json(&parameters), "trials", trials_json(&fit->learned),
                  "wanted", mt_view_to_json(&wanted), "measure",
                  mt_json_texts(report->measure), "warnings",
                  mt_json_texts(fit->warnings)),
        stdout);
}

/* Whether the cluster's only node is this machine, and not a simulated one. */
static bool is_here(const struct mt_cluster *cluster)
{
    const struct mt_group *group = &cluster->groups[0];
    return !mt_cluster_simulated(cluster) && cluster->ngroups == 1 &&
           group->nodes == 1 && group->hosts && mt_any_is_this_host(group->hosts, 1);
}

/* The sizes of this machine's data caches, by level. Returns how many there are: none
   if hwloc finds none. */
static int find_caches(double bytes[MAX_CACHES])
{
    static const hwloc_obj_type_t levels[MAX_CACHES] = {
        HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE,
        HWLOC_OBJ_L5CACHE};
    hwloc_topology_t topology;
    int count = 0;
    if (hwloc_topology_init(&topology) < 0)
        return 0;
    const int levels_seen = hwloc_topology_load(topology) == 0 ? MAX_CACHES : 0;
    for (int i = 0; i < levels_seen; i++) {
        hwloc_obj_t cache = hwloc_get_obj_by_type(topology, levels[i], 0);
        if (cache && cache->attr->cache.size > 0)
            bytes[count++] = (double)cache->attr->cache.size;
    }
    hwloc_topology_destroy(topology);
    return count;
}

/* Seek steps at this machine's caches: the largest ones, if there are more than
   steps. */
static void know_caches(struct mt_machine_fit *fit)
{
    double bytes[MAX_CACHES];
    const int count = find_caches(bytes);
    for (int i = count > MT_MAX_CACHE_STEPS ? count - MT_MAX_CACHE_STEPS : 0; i < count;
         i++)
        fit->caches[fit->ncaches++] = bytes[i];
}

/* Read the machine file of --output, if it exists. */
static int read_machine(struct mt_machine *machine, const char *path,
                        struct mt_error *err)
{
    if (!path || access(path, F_OK) != 0)
        return MT_OK;
    /* Renaming over a file needs a writable folder only, but a read-only file should
       stay. */
    if (access(path, W_OK) != 0)
        return mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
    const int status = mt_machine_load(machine, path, err);
    if (status != MT_OK)
        return mt_fail(err, status, "--output: the existing file is unchanged: %s",
                       err->text);
    return MT_OK;
}

static int learn(struct fit_report *report, struct mt_error *err)
{
    const struct mt_surface_options *options = &mt_surface_options;
    struct mt_surface_runs runs = {0};
    double speed = 0;
    report->output = options->output;
    int status = mt_positive_option(&speed, "--speed", options->speed, MT_FLOPS, err);
    if (status == MT_OK)
        status = read_machine(&report->fit.machine, options->output, err);
    if (status == MT_OK)
        status = mt_surface_runs_read(&runs, &report->inputs,
                                      &report->inputs.program.shape, err);
    if (status == MT_OK && is_here(&report->inputs.cluster))
        know_caches(&report->fit);
    if (status == MT_OK)
        status =
            mt_machine_fit_make(&report->fit, &runs.samples, &runs.query, speed, err);
    mt_surface_runs_clear(&runs);
    return status;
}

/* "512,1024": the wanted sizes on this number of ranks. */
static char *list_sizes(const struct mt_learned *learned, int ranks)
{
    char *text;
    size_t length;
    FILE *stream = mt_memory_open(&text, &length);
    const char *separator = "";
    for (int i = 0; i < learned->nwanted; i++) {
        if (learned->wanted[i].ranks != ranks)
            continue;
        fprintf(stream, "%s%.15g", separator, learned->wanted[i].size);
        separator = ",";
    }
    mt_memory_close(stream, &text);
    return text;
}

/* The command that makes the wanted runs on `ranks` ranks, if the group has them. */
static void add_command(struct fit_report *report, int ranks, const char **arguments)
{
    const struct mt_machine_fit *fit = &report->fit;
    const struct mt_use use = mt_machine_fit_use(fit, ranks);
    char **words = NULL;
    if (!use.nodes)
        return;
    char *sizes = list_sizes(&fit->learned, ranks);
    if (strcmp(mt_common.db, "motley.db") != 0)
        mt_words_add_all(&words, "--db", mt_common.db, NULL);
    mt_words_add(&words, "--configuration");
    mt_words_add(&words, "%s:%dx%d", fit->cluster->groups[fit->runs.group].name,
                 use.nodes, use.layout.processes);
    mt_words_add_all(&words, "--sizes", sizes, arguments[0], arguments[1], NULL);
    char *line = mt_need(mt_argv_format(words));
    mt_words_add(&report->measure, "motley measure %s", line);
    free(line);
    free(sizes);
    mt_argv_free(words);
}

static bool is_first_of_ranks(const struct mt_learned *learned, int i)
{
    for (int j = 0; j < i; j++)
        if (learned->wanted[j].ranks == learned->wanted[i].ranks)
            return false;
    return true;
}

static void list_commands(struct fit_report *report, const char **arguments)
{
    const struct mt_learned *learned = &report->fit.learned;
    for (int i = 0; i < learned->nwanted; i++)
        if (is_first_of_ranks(learned, i))
            add_command(report, learned->wanted[i].ranks, arguments);
}

static int run(const char **arguments, struct mt_error *err)
{
    struct fit_report report = {0};
    int status = mt_inputs_load(&report.inputs, arguments, err);
    if (status == MT_OK)
        status = learn(&report, err);
    if (status == MT_OK)
        list_commands(&report, arguments);
    if (status == MT_OK && report.output)
        status = mt_machine_fit_write(&report.fit, report.output, err);
    if (status == MT_OK) {
        mt_surface_warn(report.fit.warnings);
        if (mt_common.json)
            print_json(&report);
        else
            print_text(&report);
    }
    mt_argv_free(report.measure);
    mt_machine_fit_clear(&report.fit);
    mt_inputs_clear(&report.inputs);
    return mt_exit_status(status);
}

static const char *const options[] = {"nodes",  "size", "group", "processes", "speed",
                                      "output", "db",   "json",  NULL};

const struct mt_action mt_surface_fit = {
    .name = "fit",
    .arguments = "CLUSTER PROGRAM",
    .summary = "learn what computation and messages cost from runs on few nodes",
    .least = 2,
    .most = 2,
    .options = options,
    .run = run,
};
