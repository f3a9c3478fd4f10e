/* SPDX-License-Identifier: BSD-3-Clause */
/* motley surface: its table of actions and options, and their common input and
   output. */
#include "surface.h"

#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/process/memory.h"
#include "lib/base/number.h"
#include "lib/surface/internal.h"
#include "motley/error.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *mt_surface_label(char label[MT_SURFACE_LABEL],
                             const struct mt_surface *surface)
{
    snprintf(label, MT_SURFACE_LABEL, "%s %s", mt_surface_machine(surface)->name,
             mt_surface_algorithm(surface)->name);
    return label;
}

void mt_surface_print_origin(const struct mt_surface *surface, double nodes,
                             FILE *stream)
{
    const struct mt_machine *machine = mt_surface_machine(surface);
    const struct mt_learned_from *learned = &mt_surface_algorithm(surface)->learned;
    if (nodes > machine->nodes)
        fprintf(stream, "%s has %d nodes: results for more are extrapolated\n",
                machine->name, machine->nodes);
    if (learned->runs == 0)
        return;
    fprintf(stream,
            "%s was learned from %d runs of N = %.15g to %.15g on up to %d nodes",
            machine->name, learned->runs, learned->size_low, learned->size_high,
            learned->nodes);
    if (learned->error > 0)
        fprintf(stream, ", cross-validated error %.1f %%", 100 * learned->error);
    fputs(nodes > learned->nodes ? "; beyond that it is extrapolated\n" : "\n", stream);
}

static json_t *learned_json(const struct mt_learned_from *learned)
{
    if (learned->runs == 0)
        return json_null();
    return json_pack("{s:i, s:i, s:[o, o], s:o}", "runs", learned->runs, "nodes",
                     learned->nodes, "sizes", mt_json_number(learned->size_low),
                     mt_json_number(learned->size_high), "error",
                     mt_json_number(learned->error));
}

json_t *mt_surface_json(const struct mt_surface *surface)
{
    const struct mt_machine *machine = mt_surface_machine(surface);
    const struct mt_algorithm *algorithm = mt_surface_algorithm(surface);
    return json_pack("{s:o, s:o, s:b, s:i, s:o, s:o, s:o}", "machine",
                     mt_json_text(machine->name), "algorithm",
                     mt_json_text(algorithm->name), "simulated",
                     (int)machine->simulated, "machine_nodes", machine->nodes, "speed",
                     mt_json_number(machine->speed), "node_memory",
                     mt_json_number(machine->memory > 0 ? machine->memory : NAN),
                     "learned", learned_json(&algorithm->learned));
}

void mt_surface_warn(char *const *warnings)
{
    for (; warnings && *warnings; warnings++)
        fprintf(stderr, "motley: warning: %s\n", *warnings);
}

struct mt_surface_options mt_surface_options;

/* Load the machine, and find its algorithm; `algorithm` may be NULL. */
static int load(struct mt_surface_input *input, const char *machine,
                const char *algorithm, struct mt_error *err)
{
    char *path = NULL;
    int status = mt_input_path(&path, "machines", machine, err);
    if (status == MT_OK)
        status = mt_machine_load(&input->machine, path, err);
    free(path);
    if (status == MT_OK)
        status = mt_machine_find(&input->algorithm, &input->machine, algorithm, err);
    if (status == MT_OK)
        status =
            mt_surface_make(&input->surface, &input->machine, input->algorithm, err);
    return status;
}

int mt_surface_input(struct mt_surface_input *input, const char *name,
                     struct mt_error *err)
{
    char *machine = mt_strdup(name);
    const char *algorithm = mt_surface_options.algorithm;
    char *colon = strrchr(machine, ':');
    if (colon) {
        *colon = 0;
        algorithm = colon + 1;
    }
    const int status = load(input, machine, algorithm, err);
    free(machine);
    if (status != MT_OK)
        mt_surface_input_clear(input);
    return status;
}

void mt_surface_input_clear(struct mt_surface_input *input)
{
    mt_surface_free(input->surface);
    mt_machine_clear(&input->machine);
    *input = (struct mt_surface_input){0};
}

int mt_surface_axes_read(struct mt_surface_axes *axes, struct mt_error *err)
{
    const struct mt_surface_options *wanted = &mt_surface_options;
    int status = MT_OK;
    if (wanted->nodes)
        status = mt_axis_parse_nodes(&axes->nodes, wanted->nodes, err);
    if (status != MT_OK)
        return mt_fail(err, status, "--nodes %s", err->text);
    if (wanted->sizes)
        status = mt_axis_parse(&axes->sizes, wanted->sizes, err);
    if (status != MT_OK)
        return mt_fail(err, status, "--size %s", err->text);
    return MT_OK;
}

const struct mt_axis *mt_surface_axis(const struct mt_axis *axis)
{
    return axis->count > 0 ? axis : NULL;
}

void mt_surface_axes_clear(struct mt_surface_axes *axes)
{
    mt_axis_clear(&axes->nodes);
    mt_axis_clear(&axes->sizes);
}

int mt_surface_levels_read(struct mt_surface_levels *levels, struct mt_error *err)
{
    const char *text = mt_surface_options.efficiency;
    if (!text)
        return MT_OK;
    levels->values = mt_calloc(strlen(text) + 1, sizeof *levels->values);
    const char *at = text;
    do {
        double level;
        const char *end = mt_number_read(at, &level);
        if (!end || (*end && (*end != ',' || !end[1])) || !(level > 0) || level > 1)
            return mt_fail(err, MT_EINVAL,
                           "--efficiency '%s': efficiencies are above 0 and at most 1, "
                           "as '0.5,0.8'",
                           text);
        levels->values[levels->count++] = level;
        at = *end ? end + 1 : end;
    } while (*at);
    return MT_OK;
}

void mt_surface_levels_clear(struct mt_surface_levels *levels)
{
    free(levels->values);
    *levels = (struct mt_surface_levels){0};
}

int mt_surface_base_read(double *base, struct mt_error *err)
{
    const char *text = mt_surface_options.base;
    const int status = text ? mt_axis_parse_single(base, text, err) : MT_OK;
    return status == MT_OK ? MT_OK : mt_fail(err, status, "--base %s", err->text);
}

int mt_surface_need_sizes(int status, struct mt_error *err)
{
    if (status != MT_EINVAL || mt_surface_options.sizes)
        return status;
    return mt_fail(err, status, "--size is needed: %s", err->text);
}

/* `text` may be NULL: all. */
static int read_ranges(struct mt_ranges *ranges, const char *option, const char *text,
                       struct mt_error *err)
{
    const int status = text ? mt_ranges_parse(ranges, text, err) : MT_OK;
    return status == MT_OK ? MT_OK
                           : mt_fail(err, status, "--%s: %s", option, err->text);
}

int mt_surface_runs_read(struct mt_surface_runs *runs, const struct mt_inputs *inputs,
                         const struct mt_shape *shape, struct mt_error *err)
{
    const struct mt_surface_options *options = &mt_surface_options;
    struct mt_group_runs_query *query = &runs->query;
    *query = (struct mt_group_runs_query){.cluster = &inputs->cluster,
                                          .program = &inputs->program,
                                          .shape = shape,
                                          .group = options->group};
    int status = read_ranges(&query->processes, "processes",
                             options->processes ? options->processes : "1", err);
    if (status == MT_OK)
        status = read_ranges(&query->nodes, "nodes", options->nodes, err);
    if (status == MT_OK)
        status = read_ranges(&query->sizes, "size", options->sizes, err);
    if (status == MT_OK)
        status = mt_samples_input(&runs->samples, mt_common.db, inputs, err);
    return status;
}

void mt_surface_runs_clear(struct mt_surface_runs *runs)
{
    mt_ranges_clear(&runs->query.processes);
    mt_ranges_clear(&runs->query.nodes);
    mt_ranges_clear(&runs->query.sizes);
    mt_samples_clear(&runs->samples);
}

static const struct poptOption options[] = {
    {"algorithm", 0, POPT_ARG_STRING, &mt_surface_options.algorithm, 0,
     "which of the machine's algorithms (default: the first)", "NAME"},
    {"nodes", 0, POPT_ARG_STRING, &mt_surface_options.nodes, 0,
     "numbers of nodes: a number, a list, or FROM:TO", "NODES"},
    {"size", 0, POPT_ARG_STRING, &mt_surface_options.sizes, 0,
     "problem sizes: a number, a list, or FROM:TO", "SIZES"},
    {"base", 0, POPT_ARG_STRING, &mt_surface_options.base, 0,
     "predict, report: the speed-ups over one node at this size", "N"},
    {"efficiency", 0, POPT_ARG_STRING, &mt_surface_options.efficiency, 0,
     "predict, report: the sizes that reach these efficiencies, such as 0.5,0.8",
     "E,E"},
    {"plot", 0, POPT_ARG_STRING, &mt_surface_options.plot, 0,
     "predict, compare: draw a map of the efficiency into a .svg or .png file, or "
     "'term'",
     "FILE"},
    {"group", 0, POPT_ARG_STRING, &mt_surface_options.group, 0,
     "fit, evaluate: runs on nodes of this group (default: the only one)", "GROUP"},
    {"processes", 0, POPT_ARG_STRING, &mt_surface_options.processes, 0,
     "fit, evaluate: runs with M processes on a node (default: 1)", "M"},
    {"speed", 0, POPT_ARG_STRING, &mt_surface_options.speed, 0,
     "fit: the speed of a node at its best, such as 2.78Mf (default: of the best run)",
     "SPEED"},
    {"output", 'o', POPT_ARG_STRING, &mt_surface_options.output, 0,
     "fit: write the machine file here; report: the page, an HTML file", "FILE"},
    {"force", 0, POPT_ARG_NONE, &mt_surface_options.force, 0,
     "report: also replace a file that is not a page of motley", NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/* In the order in which the help lists them. */
static const struct mt_action *const actions[] = {
    &mt_surface_predict, &mt_surface_report,   &mt_surface_compare,
    &mt_surface_fit,     &mt_surface_evaluate, NULL,
};

static int run(const char **arguments, struct mt_error *err)
{
    return mt_action_run("surface", actions, options, arguments, err);
}

static void print_actions(void)
{
    mt_actions_print(actions);
}

const struct mt_command mt_command_surface = {
    .name = "surface",
    .arguments = "ACTION ARGUMENT...",
    .summary = "Predict a program's efficiency on machines of any size",
    .options = options,
    .run = run,
    .print_more_help = print_actions,
};
