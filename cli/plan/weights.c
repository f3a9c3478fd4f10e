/* SPDX-License-Identifier: BSD-3-Clause */
/* motley weights: uneven parts for the ranks of a configuration, also as files that
   programs and partitioners read. */
#include "weights.h"

#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/common/inputs.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/process/memory.h"
#include "cli/run/down.h"
#include "cli/run/submit.h"
#include "lib/base/draft.h"
#include "lib/base/options.h"
#include "lib/input/internal.h"
#include "motley/error.h"
#include "planning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum format {
    FORMAT_LIST,  /* a weight a line */
    FORMAT_METIS, /* for gpmetis -tpwgts: shares of the whole */
    FORMAT_OPENFOAM
};

static int read_configuration(struct mt_configuration *given,
                              const struct mt_inputs *inputs, double size,
                              const char *text, struct mt_error *err)
{
    const int status = mt_configuration_option(given, &inputs->cluster, text, err);
    if (status == MT_OK &&
        !mt_program_valid(&inputs->program, size, mt_configuration_ranks(given)))
        return mt_fail(err, MT_EINVAL,
                       "program '%s' may not run at N = %.15g on '%s': its 'valid' "
                       "excludes it",
                       inputs->program.name, size, text);
    return status;
}

int mt_weighing_make(struct mt_weighing *weighing, const struct mt_inputs *inputs,
                     double size, const char *configuration, struct mt_error *err)
{
    const struct mt_question question = {.size = size};
    struct mt_predictor predictor = {0};
    struct mt_configuration given = {{{0}}};
    int status = configuration
                     ? read_configuration(&given, inputs, size, configuration, err)
                     : MT_OK;
    if (status == MT_OK)
        status = mt_planning_ready(&predictor, inputs, MT_MODEL_AUTO, &question, err);
    if (status == MT_OK)
        status = mt_weights_find(&weighing->weights, &predictor, size,
                                 configuration ? &given : NULL, err);
    if (status == MT_OK)
        status =
            mt_weights_list(&weighing->list, &weighing->ranks, &weighing->weights, err);
    mt_predictor_clear(&predictor);
    return status;
}

void mt_weighing_clear(struct mt_weighing *weighing)
{
    free(weighing->list);
    *weighing = (struct mt_weighing){0};
}

/* The approximate sum of the whole numbers in OpenFOAM's file. */
static const double whole_weights = 1e8;

static const char *const format_names[] = {
    [FORMAT_LIST] = "list", [FORMAT_METIS] = "metis", [FORMAT_OPENFOAM] = "openfoam"};

static int parse_format(enum format *format, const char *name, struct mt_error *err)
{
    for (int i = FORMAT_LIST; i <= FORMAT_OPENFOAM; i++)
        if (strcmp(name, format_names[i]) == 0) {
            *format = (enum format)i;
            return MT_OK;
        }
    return mt_fail(err, MT_EINVAL, "'%s' is neither list, metis nor openfoam", name);
}

static void write_list(const double *weights, int count, FILE *stream)
{
    fputs("# The weight of each rank, in their order.\n", stream);
    for (int i = 0; i < count; i++)
        fprintf(stream, "%.9g\n", weights[i]);
}

/* The parts are numbered from 0; their shares add up to 1. */
static void write_metis(const double *weights, int count, FILE *stream)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += weights[i];
    for (int i = 0; i < count; i++)
        fprintf(stream, "%d = %.12f\n", i, weights[i] / sum);
}

/* Scotch's weights are whole numbers, whose sum has to be below 2^31. */
static void write_openfoam(const double *weights, int count, FILE *stream)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += weights[i];
    fprintf(stream,
            "FoamFile\n{\n    version     2.0;\n    format      ascii;\n"
            "    class       dictionary;\n    object      decomposeParDict;\n}\n\n"
            "numberOfSubdomains %d;\n\nmethod          scotch;\n\n"
            "scotchCoeffs\n{\n    processorWeights\n    (\n",
            count);
    for (int i = 0; i < count; i++)
        fprintf(stream, "        %.0f\n", fmax(1, weights[i] / sum * whole_weights));
    fputs("    );\n}\n", stream);
}

static int write_weights(const double *weights, int count, enum format format,
                         const char *path, struct mt_error *err)
{
    static void (*const writers[])(const double *, int,
                                   FILE *) = {[FORMAT_LIST] = write_list,
                                              [FORMAT_METIS] = write_metis,
                                              [FORMAT_OPENFOAM] = write_openfoam};
    struct mt_draft draft;
    const int status = mt_draft_open(&draft, path, err);
    if (status != MT_OK)
        return status;
    writers[format](weights, count, draft.stream);
    return mt_draft_close(&draft, MT_OK, err);
}

/* What the options say; popt writes here. */
static struct {
    const char *configuration;
    const char *format;
    const char *output;
} wanted;

static const struct poptOption options[] = {
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_planning_size_option, 0, NULL, NULL},
    {"configuration", 0, POPT_ARG_STRING, &wanted.configuration, 0,
     "the weights of this one instead of the best one", "CONFIGURATION"},
    {"output", 0, POPT_ARG_STRING, &wanted.output, 0,
     "write the weight of each rank into a file", "FILE"},
    {"format", 0, POPT_ARG_STRING, &wanted.format, 0,
     "of that file: list (default), metis or openfoam", "FORMAT"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/* The answer and its question. All borrowed. */
struct report {
    const struct mt_inputs *inputs;
    const struct mt_weighing *weighing;
    double size;
};

static double weight_of(const struct mt_weighing *weighing, int group)
{
    return weighing->weights.share[group] * weighing->ranks;
}

enum { GROUP, NODES, PROCESSES, WEIGHT, SHARE, GROUP_SHARE, FULL, COLUMNS };
static const struct mt_column columns[COLUMNS] = {
    [GROUP] = {"group", "group", MT_COLUMN_TEXT},
    [NODES] = {"nodes", "nodes", MT_COLUMN_COUNT},
    [PROCESSES] = {"processes", "processes", MT_COLUMN_COUNT},
    [WEIGHT] = {"weight", "weight of a rank", MT_COLUMN_NUMBER},
    [SHARE] = {"share", "its share", MT_COLUMN_PERCENT},
    [GROUP_SHARE] = {"group_share", "the group's", MT_COLUMN_PERCENT},
    [FULL] = {"full", NULL, MT_COLUMN_FLAG},
};

static struct mt_view view_groups(const struct report *report)
{
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    const struct mt_weights *weights = &report->weighing->weights;
    for (int g = 0; g < report->inputs->cluster.ngroups; g++) {
        const struct mt_use *use = &weights->configuration.use[g];
        char layout[MT_LAYOUT_LENGTH];
        if (use->nodes == 0)
            continue;
        const double weight = weight_of(report->weighing, g);
        mt_view_row(&view);
        mt_view_text(&view, GROUP, report->inputs->cluster.groups[g].name);
        mt_view_number(&view, NODES, use->nodes);
        mt_view_number(&view, PROCESSES, use->layout.processes);
        mt_view_show(&view, PROCESSES, "%s", mt_layout_format(layout, use->layout));
        mt_view_number(&view, WEIGHT, weight);
        mt_view_show(&view, WEIGHT, "%.4g%s", weight, weights->full[g] ? " !" : "");
        mt_view_number(&view, SHARE, weights->share[g]);
        mt_view_show(&view, SHARE, "%.3g %%", 100 * weights->share[g]);
        mt_view_number(&view, GROUP_SHARE,
                       weights->share[g] * use->nodes * use->layout.processes);
        mt_view_flag(&view, FULL, weights->full[g]);
    }
    return view;
}

/* Gain in speed over the best plan without weights; NaN if none. */
static double gain_of(const struct mt_weights *weights)
{
    return weights->even.nodes > 0
               ? weights->even.prediction.seconds / weights->prediction.seconds - 1
               : NAN;
}

static void print_times(const struct report *report, const char *configuration,
                        const char *even)
{
    const struct mt_weights *weights = &report->weighing->weights;
    const struct mt_prediction *p = &weights->prediction;
    char seconds[MT_QUANTITY_TEXT], low[MT_QUANTITY_TEXT], high[MT_QUANTITY_TEXT],
        gain[MT_QUANTITY_TEXT];
    printf("configuration   %s, P = %d\n", configuration, report->weighing->ranks);
    printf("predicted       %s (90 %%: %s - %s)%s\n",
           mt_format_seconds(seconds, p->seconds), mt_format_seconds(low, p->low),
           mt_format_seconds(high, p->high),
           p->unseen         ? ", a guess: nothing like it was run"
           : p->extrapolated ? ", extrapolated"
                             : "");
    if (weights->even_there.seconds > 0)
        printf("evenly divided  %s\n",
               mt_format_seconds(seconds, weights->even_there.seconds));
    else
        puts("evenly divided  - (it does not fit into the memory so)");
    if (weights->even.nodes > 0)
        printf("best even plan  %s: %s; gain %s\n",
               mt_format_seconds(seconds, weights->even.prediction.seconds), even,
               mt_format_change(gain, gain_of(weights)));
    else
        puts("best even plan  - (none fits)");
}

/* With uncertain models, the gain of weights, or the loss of other nodes, may be within
   the error. */
static void print_doubt(const struct mt_weights *weights)
{
    const struct mt_prediction *p = &weights->prediction;
    if (weights->even.nodes == 0 || !(p->high / p->low >= MT_WIDE_INTERVAL))
        return;
    const char *doubt =
        gain_of(weights) > 0
            ? "whether these weights gain anything is open; run the best even plan, too"
            : "whether these nodes are the best is open; run other plans, too";
    printf("the ends of the interval are a factor of %.1f apart: %s\n",
           p->high / p->low, doubt);
}

static void print_notes(const struct report *report)
{
    const struct mt_weights *weights = &report->weighing->weights;
    bool any_full = false;
    for (int g = 0; g < MT_MAX_GROUPS; g++)
        any_full = any_full || weights->full[g];
    if (any_full)
        puts("! no larger share fits into the memory of its nodes");
    print_doubt(weights);
    if (wanted.configuration)
        return;
    if (weights->exact)
        printf("the best of %.12g configurations, all of which were tried\n",
               weights->configurations);
    else
        printf("the best that was found, of %.3g configurations: there may be better "
               "ones\n",
               weights->configurations);
}

static void print_text(const struct report *report, const char *configuration,
                       const char *even)
{
    const struct mt_inputs *inputs = report->inputs;
    struct mt_view view = view_groups(report);
    printf("%s on %s, N = %.15g, with weights by auto models%s\n", inputs->program.name,
           inputs->cluster.name, report->size,
           mt_cluster_simulated(&inputs->cluster) ? " (simulated)" : "");
    print_times(report, configuration, even);
    putchar('\n');
    mt_view_print(&view, stdout);
    print_notes(report);
    if (wanted.output)
        printf("written: %s\n", wanted.output);
}

static void print_json(const struct report *report, const char *configuration,
                       const char *even)
{
    const struct mt_inputs *inputs = report->inputs;
    const struct mt_weights *weights = &report->weighing->weights;
    const double even_there = weights->even_there.seconds;
    struct mt_view view = view_groups(report);
    json_t *best = even ? json_pack("{s:s, s:o}", "configuration", even, "seconds",
                                    mt_json_number(weights->even.prediction.seconds))
                        : json_null();
    json_t *object = json_pack(
        "{s:b, s:s, s:s, s:o, s:s, s:i, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:s?}",
        "simulated", (int)mt_cluster_simulated(&inputs->cluster), "cluster",
        inputs->cluster.name, "program", inputs->program.name, "size",
        mt_json_number(report->size), "configuration", configuration, "ranks",
        report->weighing->ranks, "even_there",
        mt_json_number(even_there > 0 ? even_there : NAN), "even", best, "gain",
        mt_json_number(gain_of(weights)), "exact", (int)weights->exact,
        "configurations", mt_json_number(weights->configurations), "groups",
        mt_view_to_json(&view), "weights",
        mt_json_numbers(report->weighing->list, report->weighing->ranks), "output",
        wanted.output);
    mt_json_merge(object, mt_prediction_json(&weights->prediction));
    mt_document_print("motley/weights", 1, object, stdout);
}

static void show(const struct report *report)
{
    const struct mt_cluster *cluster = &report->inputs->cluster;
    const struct mt_weights *weights = &report->weighing->weights;
    char *even = NULL;
    char *configuration =
        mt_need(mt_configuration_format(&weights->configuration, cluster));
    if (weights->even.nodes > 0)
        even = mt_need(mt_configuration_format(&weights->even.configuration, cluster));
    if (mt_common.json)
        print_json(report, configuration, even);
    else
        print_text(report, configuration, even);
    free(configuration);
    free(even);
}

static int find_and_show(const struct mt_inputs *inputs, double size,
                         enum format format, struct mt_error *err)
{
    struct mt_weighing weighing = {0};
    const struct report report = {inputs, &weighing, size};
    int status = mt_weighing_make(&weighing, inputs, size, wanted.configuration, err);
    if (status == MT_OK && wanted.output)
        status =
            write_weights(weighing.list, weighing.ranks, format, wanted.output, err);
    if (status == MT_OK)
        show(&report);
    mt_weighing_clear(&weighing);
    return status;
}

static int read_format(enum format *format, struct mt_error *err)
{
    *format = FORMAT_LIST;
    if (!wanted.format)
        return MT_OK;
    if (!wanted.output)
        return mt_fail(err, MT_EINVAL,
                       "--format is that of a file: name it by --output FILE");
    return mt_option_blame(parse_format(format, wanted.format, err), "--format", err);
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_inputs inputs = {0};
    struct mt_question question;
    enum mt_model_kind kind;
    enum format format;
    int status = mt_inputs_check(arguments, err);
    if (status == MT_OK)
        status = mt_planning_read(&question, &kind, err);
    if (status == MT_OK)
        status = read_format(&format, err);
    if (status == MT_OK)
        status = mt_planning_inputs(&inputs, arguments, err);
    if (status == MT_OK)
        status = find_and_show(&inputs, question.size, format, err);
    mt_inputs_clear(&inputs);
    return mt_exit_status(status);
}

const struct mt_command mt_command_weights = {
    .name = "weights",
    .arguments = "CLUSTER PROGRAM",
    .summary = "Divide the work unevenly, so that all ranks end together",
    .options = options,
    .run = run,
};
