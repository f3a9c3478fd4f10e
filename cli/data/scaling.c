/* SPDX-License-Identifier: BSD-3-Clause */
/* 'motley scaling': recommends a number of nodes from a table of runs. */
#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/common/inputs.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/plan/planning.h"
#include "cli/plot/plot.h"
#include "cli/process/memory.h"
#include "formats.h"
#include "lib/base/options.h"
#include "lib/input/internal.h"
#include "lib/store/internal.h"
#include "motley/plan.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Computing centres require 70 % or 75 % before they grant more nodes. */
static const double usual_efficiency = 0.7;

static struct {
    const char *efficiency, *columns, *where, *plot;
    struct mt_number_option confidence;
    int csv;
} wanted = {
    .confidence = {.kind = MT_NUMBER_FROM, .least = 0.5, .most = 0.999, .value = 0.8}};

static const struct poptOption options[] = {
    {"efficiency", 0, POPT_ARG_STRING, &wanted.efficiency, 0,
     "the efficiency that is wanted, as 75% or 0.75 (default: 70%)", "SHARE"},
    {"confidence", 0, POPT_ARG_STRING, &wanted.confidence, MT_OPTION_NUMBER,
     "the chance with which a run is to have it (default: 0.8)", "CHANCE"},
    {"columns", 0, POPT_ARG_STRING, &wanted.columns, 0,
     "which of the file's columns say what, as 'nodes=n,seconds=time:ms'", "LIST"},
    {"where", 0, POPT_ARG_STRING, &wanted.where, 0,
     "take only rows in which the column has that value", "COLUMN=VALUE"},
    {"plot", 0, POPT_ARG_STRING, &wanted.plot, 0,
     "draw speed-up and efficiency into a .svg or .png file, or 'term'", "FILE"},
    {"csv", 0, POPT_ARG_NONE, &wanted.csv, 0, "print all rows as CSV", NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/* The answers, and their runs. */
struct report {
    const char *path;
    struct mt_scaling_question question;
    struct mt_scaling_run *runs; /* owned, as are the names of their groups */
    int count;
    int unfit; /* runs left out because they failed or used several groups */
    bool simulated;
    struct mt_scaling scaling;
};

static void clear_report(struct report *report)
{
    for (int i = 0; i < report->count; i++)
        free(report->runs[i].group);
    free(report->runs);
    mt_scaling_clear(&report->scaling);
}

/* The group of runs that do not say theirs. */
static const char unnamed[] = "-";

/* The name of a group: the program, the cluster and the group, as far as the file names
   them. */
static char *name_group(const struct mt_run *run, const char *group)
{
    const char *words[] = {run->program, run->cluster,
                           strcmp(group, unnamed) != 0 ? group : ""};
    char *name = mt_strdup("");
    for (int i = 0; i < 3; i++) {
        char *shorter = name;
        name =
            mt_asprintf("%s%s%s", shorter, *shorter && *words[i] ? " " : "", words[i]);
        free(shorter);
    }
    return name;
}

static int take_run(struct report *report, const struct mt_run *run,
                    struct mt_error *err)
{
    struct mt_scaling_run taken = {.size = run->size, .seconds = run->seconds};
    char *group = mt_strdup(run->configuration), *colon = strrchr(group, ':');
    char *end = NULL;
    const double nodes = colon ? strtod(colon + 1, &end) : 0;
    const char *layout = end && *end == 'x' ? end + 1 : NULL;
    int status = MT_OK;
    report->simulated |= run->simulated;
    if (run->outcome != MT_RUN_OK || strchr(group, '+')) {
        report->unfit++;
    } else if (!layout || !mt_layout_read(&taken.layout, &layout) || *layout) {
        status =
            mt_fail(err, MT_EPARSE, "%s: configuration '%s' is not like 'xeon:8x2'",
                    report->path, run->configuration);
    } else if (!(nodes >= 1 && nodes <= MT_MOST_NODES && nodes == floor(nodes))) {
        status =
            mt_fail(err, MT_EPARSE,
                    "%s: configuration '%s': nodes are a whole number from 1 to %d",
                    report->path, run->configuration, MT_MOST_NODES);
    } else {
        *colon = '\0';
        taken.nodes = (int)nodes;
        taken.group = name_group(run, group);
        mt_array_extend(&report->runs, report->count, sizeof *report->runs);
        report->runs[report->count++] = taken;
    }
    free(group);
    return status;
}

static int read_runs(struct report *report, FILE *stream, struct mt_error *err)
{
    struct mt_runs runs = {0};
    struct mt_source source = {.stream = stream,
                               .path = report->path,
                               .cluster = "",
                               .program = "",
                               .group = unnamed,
                               .columns = wanted.columns,
                               .where = wanted.where,
                               .bare = true};
    int status = mt_source_read(&source, &runs, err);
    if (ferror(stream)) /* not the reader's error about it */
        status =
            mt_fail(err, MT_EIO, "cannot read '%s': %s", report->path, strerror(errno));
    for (int i = 0; i < runs.count && status == MT_OK; i++)
        status = take_run(report, &runs.runs[i], err);
    if (status == MT_OK && report->count == 0)
        status = mt_fail(err, MT_EPARSE,
                         runs.count > 0 ? "'%s': no run on one group succeeded"
                                        : "no runs in '%s'",
                         report->path);
    mt_runs_clear(&runs);
    return status;
}

static int read_file(struct report *report, const char *path, struct mt_error *err)
{
    report->path = path ? path : "standard input";
    FILE *stream = path ? fopen(path, "r") : stdin;
    if (!stream)
        return mt_fail(err, MT_EIO, "cannot open '%s': %s", path, strerror(errno));
    const int status = read_runs(report, stream, err);
    if (path)
        fclose(stream);
    return status;
}

enum {
    GROUP,
    PROCESSES,
    THREADS,
    GPUS,
    WEAK,
    SIZE,
    NODES,
    MEASURED,
    RUNS,
    SPEEDUP,
    EFFICIENCY,
    PREDICTION,
    CHANCE = PREDICTION + MT_PREDICTION_COLUMNS,
    ANSWER,
    OPEN,
    COLUMNS
};
static const struct mt_column columns[COLUMNS] = {
    [GROUP] = {"group", NULL, MT_COLUMN_TEXT},
    [PROCESSES] = {"processes", NULL, MT_COLUMN_COUNT},
    [THREADS] = {"threads", NULL, MT_COLUMN_COUNT},
    [GPUS] = {"gpus", NULL, MT_COLUMN_COUNT},
    [WEAK] = {"weak", NULL, MT_COLUMN_FLAG},
    [SIZE] = {"size", "N", MT_COLUMN_COUNT},
    [NODES] = {"nodes", "nodes", MT_COLUMN_COUNT},
    [MEASURED] = {"measured", "measured", MT_COLUMN_SECONDS},
    [RUNS] = {"runs", NULL, MT_COLUMN_COUNT},
    [SPEEDUP] = {"speedup", "speed-up", MT_COLUMN_NUMBER},
    [EFFICIENCY] = {"efficiency", "efficiency", MT_COLUMN_PERCENT},
    MT_PREDICTION_COLUMNS_AT(PREDICTION),
    [CHANCE] = {"chance", "chance", MT_COLUMN_PERCENT},
    [ANSWER] = {"answer", NULL, MT_COLUMN_FLAG},
    [OPEN] = {"open", NULL, MT_COLUMN_FLAG},
};

static void add_point(struct mt_view *view, const struct mt_scaling_series *series,
                      const struct mt_scaling_point *point)
{
    char low[MT_QUANTITY_TEXT], high[MT_QUANTITY_TEXT];
    const bool is_answer = point == &series->points[series->answer];
    mt_view_row(view);
    mt_view_text(view, GROUP, series->group);
    mt_view_number(view, PROCESSES, series->layout.processes);
    mt_view_number(view, THREADS, mt_layout_threads(series->layout));
    mt_view_number(view, GPUS, series->layout.gpus);
    mt_view_flag(view, WEAK, series->weak);
    mt_view_number(view, SIZE, point->size);
    mt_view_show(view, SIZE, "%.6g", point->size);
    mt_view_number(view, NODES, point->nodes);
    mt_view_number(view, MEASURED, point->measured);
    mt_view_number(view, RUNS, point->runs);
    mt_view_number(view, SPEEDUP, point->speedup);
    mt_view_number(view, EFFICIENCY, point->efficiency);
    mt_prediction_view(view, PREDICTION, &point->prediction);
    mt_view_show(view, PREDICTION + MT_PREDICTION_INTERVAL, "%s - %s  ",
                 mt_format_seconds(low, point->prediction.low),
                 mt_format_seconds(high, point->prediction.high));
    mt_view_number(view, CHANCE, point->chance);
    mt_view_flag(view, ANSWER, is_answer);
    mt_view_flag(view, OPEN, is_answer && series->open);
    if (point->runs == 0)
        return;
    mt_view_show(view, PREDICTION + MT_PREDICTION_SECONDS, "%s", "");
    mt_view_show(view, PREDICTION + MT_PREDICTION_INTERVAL, "%s", "");
    mt_view_show(view, CHANCE, "%s", "");
    if (point->runs > 1)
        mt_view_show(view, MEASURED, "%d x %s", point->runs,
                     mt_format_seconds(low, point->measured));
}

static void add_series(struct mt_view *view, const struct mt_scaling_series *series)
{
    for (int i = 0; i < series->count; i++)
        add_point(view, series, &series->points[i]);
}

/* The common values of a series' runs, as far as the file gives them. */
static char *title_of(const struct report *report,
                      const struct mt_scaling_series *series)
{
    const struct mt_layout layout = series->layout;
    char *text = NULL;
    size_t length;
    FILE *stream = mt_memory_open(&text, &length);
    fputs(*series->group ? series->group : report->path, stream);
    if (!series->weak && series->size != 1)
        fprintf(stream, ", N = %.15g", series->size);
    if (layout.processes > 1)
        fprintf(stream, ", %d processes a node", layout.processes);
    if (layout.threads > 1)
        fprintf(stream, ", %d threads each", layout.threads);
    if (layout.gpus > 0)
        fprintf(stream, ", %d GPUs each", layout.gpus);
    if (layout.bind != MT_BIND_DEFAULT)
        fprintf(stream, ", bound to %s", mt_bind_name(layout.bind));
    mt_memory_close(stream, &text);
    return text;
}

static void print_answer(const struct report *report,
                         const struct mt_scaling_series *series)
{
    const struct mt_scaling_point *answer = &series->points[series->answer];
    printf("largest number of nodes with at least %.4g %% efficiency: %d%s",
           100 * report->question.efficiency, answer->nodes,
           series->open ? " or more" : "");
    if (answer->runs > 0 && answer->nodes < series->most)
        puts(" (measured)");
    else if (answer->runs > 0)
        printf(" (measured; more are not %.3g %% sure to have it)\n",
               100 * report->question.confidence);
    else
        printf(" (%.0f %% confident%s; measured up to %d)\n", 100 * answer->chance,
               answer->prediction.unseen ? ", a guess" : "", series->most);
}

static void print_series(const struct report *report,
                         const struct mt_scaling_series *series)
{
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    char *title = title_of(report, series);
    printf("%s%s\n", title, report->simulated ? " (simulated)" : "");
    free(title);
    if (series->weak)
        puts("weak scaling, as N grows with the nodes: efficiency is the time on the "
             "fewest nodes over that on n");
    if (series->points[0].nodes > 1)
        printf("speed-up and efficiency are relative to %d nodes\n",
               series->points[0].nodes);
    add_series(&view, series);
    if (!series->weak)
        mt_view_hide(&view, SIZE);
    mt_view_print(&view, stdout);
    print_answer(report, series);
}

static void print_json(const struct report *report, json_t *points)
{
    mt_document_print(
        "motley/scaling", 1,
        json_pack("{s:b, s:o, s:o, s:i, s:o}", "simulated", (int)report->simulated,
                  "efficiency", mt_json_number(report->question.efficiency),
                  "confidence", mt_json_number(report->question.confidence), "left_out",
                  report->unfit + report->scaling.left_out, "points", points),
        stdout);
}

static void print(const struct report *report)
{
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    const bool table = !mt_common.json && !wanted.csv;
    if (wanted.csv)
        mt_view_begin_csv(&view, stdout);
    for (int i = 0; i < report->scaling.count; i++) {
        if (table && i > 0)
            puts("");
        if (table)
            print_series(report, &report->scaling.series[i]);
        else
            add_series(&view, &report->scaling.series[i]);
    }
    if (mt_common.json)
        print_json(report, mt_view_to_json(&view));
    else if (wanted.csv)
        mt_view_end_csv(&view);
}

/* A point of both diagrams. The interval is that of the prediction. */
static void draw_point(struct mt_plot *plot, const struct mt_scaling_point *point,
                       bool predicted)
{
    const struct mt_prediction *prediction = &point->prediction;
    const double seconds = point->runs > 0 ? point->measured : prediction->seconds;
    for (int i = 0; i < MT_MOST_PANELS; i++) {
        const double value = i == 0 ? point->speedup : point->efficiency;
        struct mt_panel *panel = &plot->panels[i];
        if (!predicted)
            mt_panel_point(panel, point->nodes, value);
        else if (mt_panel_point(panel, point->nodes,
                                value * seconds / prediction->seconds))
            mt_panel_interval(panel, value * seconds / prediction->high,
                              value * seconds / prediction->low);
    }
}

static void begin(struct mt_plot *plot, const char *label, enum mt_series_style style,
                  int color)
{
    for (int i = 0; i < MT_MOST_PANELS; i++)
        mt_panel_series(&plot->panels[i], i == 0 ? label : NULL, style, color);
}

static void draw_series(struct mt_plot *plot, const struct report *report, int number)
{
    const struct mt_scaling_series *series = &report->scaling.series[number];
    const struct mt_scaling_point *answer = &series->points[series->answer];
    const double wanted_efficiency = report->question.efficiency;
    char *title = title_of(report, series);
    begin(plot, number == 0 ? "wanted" : NULL, MT_SERIES_HINT, MT_SERIES_BLACK);
    for (int i = 0; i < series->count; i++) {
        const int nodes = series->points[i].nodes;
        mt_panel_point(&plot->panels[0], nodes, nodes * wanted_efficiency);
        mt_panel_point(&plot->panels[1], nodes, wanted_efficiency);
    }
    begin(plot, title, MT_SERIES_LINE, number);
    free(title);
    for (int i = 0; i < series->count; i++)
        draw_point(plot, &series->points[i], true);
    begin(plot, NULL, MT_SERIES_POINTS, number);
    for (int i = 0; i < series->count; i++)
        if (series->points[i].runs > 0)
            draw_point(plot, &series->points[i], false);
    begin(plot, NULL, MT_SERIES_POINTS, MT_SERIES_BLACK);
    draw_point(plot, answer, false);
    mt_panel_name(&plot->panels[0], mt_asprintf("%d", answer->nodes));
}

static int draw(const struct report *report, struct mt_error *err)
{
    struct mt_plot plot = {.x_label = "nodes", .log_x = true, .count = MT_MOST_PANELS};
    const int count = report->scaling.count;
    plot.title = mt_asprintf("Scaling of %s%s", report->path,
                             report->simulated ? " (simulated)" : "");
    plot.subtitle = mt_asprintf("stars: at least %.4g %% efficiency",
                                100 * report->question.efficiency);
    plot.panels[0].y_label = mt_strdup("speed-up");
    plot.panels[0].log_y = true;
    plot.panels[1].y_label = mt_strdup("efficiency");
    for (int i = 0; i < count && i < MT_SERIES_BLACK; i++)
        draw_series(&plot, report, i);
    const int status = mt_plot_draw(&plot, wanted.plot, err);
    mt_plot_clear(&plot);
    return status;
}

static int answer(struct report *report, const char *path, struct mt_error *err)
{
    int status = read_file(report, path, err);
    if (status != MT_OK)
        return status;
    status = mt_scaling_find(&report->scaling, report->runs, report->count,
                             &report->question, err);
    if (status != MT_OK)
        return mt_fail(err, status, "%s: %s", report->path, err->text);
    if (report->unfit > 0)
        fprintf(stderr,
                "motley: left out because they failed or used several groups: "
                "%d runs\n",
                report->unfit);
    if (report->scaling.left_out > 0)
        fprintf(stderr,
                "motley: left out because nothing like them ran on other numbers of "
                "nodes: %d runs\n",
                report->scaling.left_out);
    print(report);
    return wanted.plot ? draw(report, err) : MT_OK;
}

static int run(const char **arguments, struct mt_error *err)
{
    const char *path = arguments[0];
    struct report report = {.question = {.efficiency = usual_efficiency,
                                         .confidence = wanted.confidence.value}};
    int status = MT_OK;
    if (path && arguments[1])
        status = mt_fail(err, MT_EINVAL, "one argument too many: '%s'", arguments[1]);
    else if (!path && isatty(STDIN_FILENO))
        status =
            mt_fail(err, MT_EINVAL, "a file of runs is needed, or '-' to type them");
    else if (wanted.csv && mt_common.json)
        status = mt_fail(err, MT_EINVAL, "--csv and --json exclude each other");
    else if (wanted.csv && wanted.plot && strcmp(wanted.plot, "term") == 0)
        status = mt_fail(err, MT_EINVAL, "--csv and --plot=term exclude each other");
    if (status == MT_OK)
        status = mt_share_option(&report.question.efficiency, "--efficiency",
                                 wanted.efficiency, err);
    if (status == MT_OK && wanted.plot)
        status = mt_plot_check(wanted.plot, mt_common.json, err);
    if (status == MT_OK)
        status = answer(&report, path && strcmp(path, "-") != 0 ? path : NULL, err);
    clear_report(&report);
    return mt_exit_status(status);
}

const struct mt_command mt_command_scaling = {
    .name = "scaling",
    .arguments = "[RUNS]",
    .summary = "How many nodes to ask for, from a table of runs",
    .options = options,
    .run = run,
};
