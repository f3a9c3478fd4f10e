/* SPDX-License-Identifier: BSD-3-Clause */
/* motley report: makes the page about a program on a cluster, section by section. */
#include "cli/lateness/report.h"
#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/common/inputs.h"
#include "cli/common/json.h"
#include "cli/launch/job.h"
#include "cli/launch/launcher.h"
#include "cli/launch/script.h"
#include "cli/page/page.h"
#include "cli/plan/fit.h"
#include "cli/plan/front.h"
#include "cli/plan/map.h"
#include "cli/plan/planning.h"
#include "cli/plan/report.h"
#include "cli/process/memory.h"
#include "cli/run/submit.h"
#include "lib/input/internal.h"
#include "lib/plan/internal.h"
#include "lib/store/internal.h"
#include "times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The subject of the page. */
struct input {
    struct mt_inputs inputs;     /* owned */
    struct mt_question question; /* except for its size */
    enum mt_model_kind kind;
    const double *sizes; /* borrowed */
    int nsizes;
};

/* Choices planned for the diagram, and listed in the table. */
enum { PLANNED = 100, LISTED = 10 };
enum { MOST_POINTS = 50 }; /* of a front */

static void say_verdict(struct mt_page *page, const struct mt_plan_report *report)
{
    const struct mt_choice *first = &report->plan->choices[0];
    const struct mt_prediction *prediction = &first->prediction;
    char seconds[MT_QUANTITY_TEXT], low[MT_QUANTITY_TEXT], high[MT_QUANTITY_TEXT];
    char *configuration = mt_need(mt_configuration_format(
        &first->configuration, report->predictor->problem.cluster));
    fprintf(page->lines,
            "%s: %s predicted (90 %% of runs: %s to %s), with %d processes on %d %s",
            configuration, mt_format_seconds(seconds, prediction->seconds),
            mt_format_seconds(low, prediction->low),
            mt_format_seconds(high, prediction->high), first->ranks, first->nodes,
            first->nodes == 1 ? "node" : "nodes");
    mt_plan_print_gains(report, page->lines);
    mt_page_say(page, "verdict", ".");
    free(configuration);
}

/* Keep the text printed into page->lines, or discard it after a failure. */
static void keep_printed(struct mt_page *page, const char *key, int status)
{
    mt_page_text(page, key);
    if (status != MT_OK)
        json_object_del(page->section, key);
}

/* A missing program or launcher is not an error, as the page may be for another place.
   A simulator's command is useless elsewhere. */
static void show_command(struct mt_page *page, const struct mt_launch *launch)
{
    struct mt_job job = {0};
    struct mt_error why;
    if (mt_cluster_simulated(launch->cluster))
        return;
    if (mt_job_make(&job, launch, &why) != MT_OK) {
        mt_page_say(page, "not_launched", "No command starts it: %s.", why.text);
        return;
    }
    char *line = mt_job_format(&job);
    mt_job_clear(&job);
    mt_page_say(page, "launch", "%s", line);
    mt_page_add(page, "in_folder",
                json_boolean(mt_program_has_folder(launch->program)));
    if (strstr(line, launch->hostfile)) {
        const struct mt_launcher_ops *launcher = mt_launcher_of(launch->cluster);
        launcher->write_hostfile(launch, page->lines);
        mt_page_text(page, "hostfile");
    }
    free(line);
}

static void show_script(struct mt_page *page, const struct mt_launch *launch,
                        double seconds)
{
    const struct mt_script script = {.launch = launch, .seconds = seconds};
    struct mt_error why;
    if (mt_script_check(launch->cluster, NULL) == MT_OK)
        keep_printed(page, "sbatch", mt_script_print(&script, page->lines, &why));
}

static void show_launch(struct mt_page *page, const struct mt_plan_report *report)
{
    const struct mt_choice *first = &report->plan->choices[0];
    struct mt_launch launch = {
        .cluster = report->predictor->problem.cluster,
        .program = report->predictor->problem.program,
        .configuration = &first->configuration,
        .size = report->question->size,
        .hostfile = "hostfile",
    };
    show_command(page, &launch);
    launch.script = true;
    show_script(page, &launch, first->prediction.high);
}

static void show_times(struct mt_page *page, const struct mt_plan_report *report)
{
    struct mt_plot plot;
    mt_report_times(&plot, report);
    mt_page_plot(page, "times", &plot);
    mt_plot_clear(&plot);
}

static void show_plan(struct mt_page *page, const struct mt_plan_report *report,
                      struct mt_plan *plan)
{
    struct mt_view view;
    say_verdict(page, report);
    show_launch(page, report);
    show_times(page, report);
    plan->count = plan->count < LISTED ? plan->count : LISTED;
    mt_plan_view(&view, report, true);
    mt_page_table(page, "choices", &view);
    mt_plan_print_notes(report, page->lines);
    mt_page_lines(page, "notes");
}

/* The front of time against cost or energy, if the groups have prices or watts. */
static int show_front(struct mt_page *page, const struct mt_predictor *predictor,
                      const struct mt_question *question, struct mt_error *err)
{
    struct mt_front front = {0};
    struct mt_question asked = *question;
    struct mt_error why;
    struct mt_plot plot;
    struct mt_view view;
    asked.top = MOST_POINTS;
    const int status = mt_plan_front(&front, predictor, &asked, &why);
    if (status == MT_ENOMEM)
        return mt_fail(err, status, "%s", why.text);
    if (status != MT_OK)
        return MT_OK; /* no cost to weigh against time */
    const struct mt_front_report report = {
        .predictor = predictor, .question = &asked, .front = &front};
    mt_page_say(page, "front_against", "%s", mt_objective_words(front.against)->what);
    mt_front_plot(&plot, &report);
    mt_page_plot(page, "front", &plot);
    mt_plot_clear(&plot);
    mt_front_view(&view, &report);
    mt_page_table(page, "front_points", &view);
    mt_front_print_notes(&report, page->lines);
    mt_page_lines(page, "front_notes");
    mt_front_clear(&front);
    return MT_OK;
}

/* The section of one size: the plan, its command, times over the nodes, and the
   front. */
static int show_size(struct mt_page *page, const struct mt_predictor *predictor,
                     const struct mt_question *question, struct mt_error *err)
{
    struct mt_plan plan = {0};
    struct mt_question asked = *question;
    struct mt_error why = {0};
    mt_page_size(page, "sizes", question->size);
    asked.top = PLANNED;
    int status = mt_planning_make(&plan, predictor, &asked, false, &why);
    if (status == MT_ENOMEM)
        return mt_fail(err, status, "%s", why.text);
    if (status != MT_OK) {
        mt_page_say(page, "why_not", "No plan: %s.", why.text);
        return MT_OK;
    }
    const struct mt_plan_report report = {
        .predictor = predictor, .question = &asked, .plan = &plan, .on_page = true};
    show_plan(page, &report, &plan);
    if (status == MT_OK)
        status = show_front(page, predictor, question, err);
    mt_plan_clear(&plan);
    return status;
}

static void fill_map(struct mt_page *page, const struct mt_plan_map *map)
{
    struct mt_plot plot;
    struct mt_view view;
    mt_plan_map_plot(&plot, map);
    mt_page_plot(page, "diagram", &plot);
    mt_plot_clear(&plot);
    mt_plan_map_view_changes(&view, map);
    mt_page_table(page, "changes", &view);
    mt_plan_map_view_sizes(&view, map);
    mt_page_table(page, "sizes", &view);
    mt_plan_map_print_notes(map, page->lines);
    mt_page_lines(page, "notes");
}

static int show_map(struct mt_page *page, const struct input *input,
                    const struct mt_predictor *predictor, struct mt_error *err)
{
    struct mt_plan_map map = {0};
    struct mt_error why = {0};
    if (input->nsizes < 2)
        return MT_OK;
    mt_page_section(page, "map");
    int status = mt_plan_map_find(&map, predictor, &input->question, input->sizes,
                                  input->nsizes, &why);
    if (status == MT_OK)
        fill_map(page, &map);
    else if (status == MT_ENOMEM)
        status = mt_fail(err, status, "%s", why.text);
    else {
        mt_page_say(page, "why_not", "None: %s.", why.text);
        status = MT_OK;
    }
    mt_plan_map_clear(&map);
    return status;
}

/* The error of the models at a run. */
struct residual {
    const struct mt_measured *run;
    double predicted, error;
};

enum { MOST_LISTED = 20 };

static int by_error(const void *a, const void *b)
{
    const double p = fabs(((const struct residual *)a)->error);
    const double q = fabs(((const struct residual *)b)->error);
    return (p < q) - (p > q);
}

/* Returns the number of runs that the models predict. */
static int find_residuals(struct residual *residuals,
                          const struct mt_predictor *predictor)
{
    int count = 0;
    for (int i = 0; i < predictor->measured.count; i++) {
        const struct mt_measured *run = &predictor->measured.all[i];
        struct mt_prediction prediction;
        if (mt_models_predict(&predictor->problem, &run->configuration, run->size,
                              &prediction, NULL) != MT_OK)
            continue;
        residuals[count++] =
            (struct residual){.run = run,
                              .predicted = prediction.seconds,
                              .error = prediction.seconds / run->seconds - 1};
    }
    return count;
}

enum { CONFIGURATION, SIZE, PREDICTED, MEASURED, RUNS, ERROR, RESIDUAL_COLUMNS };
static const struct mt_column residual_columns[RESIDUAL_COLUMNS] = {
    [CONFIGURATION] = {"configuration", "configuration", MT_COLUMN_TEXT},
    [SIZE] = {"size", "N", MT_COLUMN_COUNT},
    [PREDICTED] = {"seconds", "predicted", MT_COLUMN_SECONDS},
    [MEASURED] = {"measured", "measured", MT_COLUMN_SECONDS},
    [RUNS] = {"runs", "runs", MT_COLUMN_COUNT},
    [ERROR] = {"error", "error", MT_COLUMN_CHANGE},
};

static void list_residuals(struct mt_page *page, const struct mt_cluster *cluster,
                           struct residual *residuals, int count)
{
    struct mt_view view = {.columns = residual_columns, .ncolumns = RESIDUAL_COLUMNS};
    qsort(residuals, (size_t)count, sizeof *residuals, by_error);
    for (int i = 0; i < count && i < MOST_LISTED; i++) {
        const struct residual *residual = &residuals[i];
        mt_view_row(&view);
        mt_view_own_text(
            &view, CONFIGURATION,
            mt_configuration_format(&residual->run->configuration, cluster));
        mt_view_number(&view, SIZE, residual->run->size);
        mt_view_number(&view, PREDICTED, residual->predicted);
        mt_view_number(&view, MEASURED, residual->run->seconds);
        mt_view_number(&view, RUNS, residual->run->runs);
        mt_view_number(&view, ERROR, residual->error);
    }
    mt_page_table(page, "worst", &view);
}

static void show_models(struct mt_page *page, const struct mt_predictor *predictor)
{
    const struct mt_cluster *cluster = predictor->problem.cluster;
    const size_t most = (size_t)predictor->measured.count + 1;
    struct residual *residuals = mt_calloc(most, sizeof *residuals);
    mt_page_section(page, "models");
    const int count = find_residuals(residuals, predictor);
    if (count > 0)
        list_residuals(page, cluster, residuals, count);
    mt_page_add(page, "all", mt_models_list(&predictor->models));
    for (int i = 0; i < predictor->nmissing; i++)
        fprintf(page->lines, "left out, no model: %s: %s\n",
                predictor->missing[i].subject, predictor->missing[i].reason);
    mt_page_lines(page, "left_out");
    free(residuals);
}

enum { FROM, TO, LATENCY, BANDWIDTH, LINK_COLUMNS };
static const struct mt_column link_columns[LINK_COLUMNS] = {
    [FROM] = {"from", "from", MT_COLUMN_TEXT},
    [TO] = {"to", "to", MT_COLUMN_TEXT},
    [LATENCY] = {"latency", "latency", MT_COLUMN_SECONDS},
    [BANDWIDTH] = {"bandwidth", "bandwidth", MT_COLUMN_BANDWIDTH},
};

static void show_links(struct mt_page *page, const struct mt_link_figures *links)
{
    struct mt_view view = {.columns = link_columns, .ncolumns = LINK_COLUMNS};
    if (links->count == 0)
        return;
    mt_page_section(page, "links");
    for (int i = 0; i < links->count; i++) {
        mt_view_row(&view);
        mt_view_text(&view, FROM, links->all[i].from);
        mt_view_text(&view, TO, links->all[i].to);
        mt_view_number(&view, LATENCY, links->all[i].latency);
        mt_view_number(&view, BANDWIDTH, links->all[i].bandwidth);
    }
    mt_page_table(page, "links", &view);
}

static int show_lateness(struct mt_page *page, struct mt_store *store,
                         const struct mt_run_filter *filter, struct mt_error *err)
{
    struct mt_lateness_list list = {0};
    struct mt_report report = {0};
    struct mt_run_filter newest = *filter;
    char date[MT_QUANTITY_TEXT];
    newest.newest = 1;
    const int status = mt_store_latenesses(store, &list, &newest, err);
    if (status == MT_OK && list.count > 0 &&
        mt_report_parse(&report, list.all[0].report, NULL) == MT_OK) {
        const struct mt_lateness *lateness = &list.all[0];
        mt_page_section(page, "lateness");
        mt_page_say(page, "run", "The newest report is of %s at N = %.15g, %s UTC%s.",
                    lateness->configuration, lateness->size,
                    mt_format_date(date, lateness->started),
                    lateness->simulated ? " (simulated)" : "");
        mt_page_add(page, "findings", json_deep_copy(report.findings));
    }
    mt_report_clear(&report);
    mt_lateness_list_clear(&list);
    return status;
}

/* The sources of the page, without folders, which are useless elsewhere. */
static int show_origin(struct mt_page *page, const struct input *input,
                       const struct mt_run_filter *filter, struct mt_store *store,
                       struct mt_error *err)
{
    struct mt_runs runs = {0};
    int failed = 0, simulated = 0;
    char first[MT_QUANTITY_TEXT], last[MT_QUANTITY_TEXT];
    const int status = mt_store_runs(store, &runs, filter, err);
    if (status != MT_OK)
        return status;
    mt_page_section(page, "origin");
    for (int i = 0; i < runs.count; i++) {
        failed += runs.runs[i].outcome != MT_RUN_OK;
        simulated += runs.runs[i].simulated;
    }
    if (runs.count > 0)
        mt_page_say(page, "runs",
                    "%d runs in the store '%s', from %s to %s UTC: %d failed, %d %s "
                    "simulated.",
                    runs.count, basename(mt_common.db),
                    mt_format_date(first, runs.runs[0].started),
                    mt_format_date(last, runs.runs[runs.count - 1].started), failed,
                    simulated, simulated == 1 ? "is" : "are");
    else
        mt_page_say(page, "runs", "The store '%s' has no runs of '%s' on '%s'.",
                    basename(mt_common.db), filter->program, filter->cluster);
    mt_page_say(page, "files", "The cluster is described in %s, the program in %s.",
                basename(input->inputs.cluster.path),
                basename(input->inputs.program.path));
    mt_runs_clear(&runs);
    return MT_OK;
}

static int show_plans(struct mt_page *page, const struct input *input,
                      const struct mt_predictor *predictor, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < input->nsizes && status == MT_OK; i++) {
        struct mt_question question = input->question;
        question.size = input->sizes[i];
        status = show_size(page, predictor, &question, err);
    }
    if (status == MT_OK)
        status = show_map(page, input, predictor, err);
    if (status == MT_OK)
        show_models(page, predictor);
    return status;
}

/* The page without models. */
static void show_nothing(struct mt_page *page, const struct input *input,
                         const struct mt_error *why)
{
    mt_page_section(page, "missing");
    mt_page_say(page, "why", "%s.", why->text);
    mt_page_say(page, "what_to_do",
                "Measure first: 'motley measure %s %s', then make this page again.",
                input->inputs.cluster.path, input->inputs.program.path);
}

static void begin(struct mt_page *page, const struct input *input)
{
    const bool simulated = mt_cluster_simulated(&input->inputs.cluster);
    json_object_set_new(page->data, "simulated", json_boolean(simulated));
    json_object_set_new(page->data, "cluster", json_string(input->inputs.cluster.name));
    json_object_set_new(page->data, "program", json_string(input->inputs.program.name));
    if (input->inputs.cluster.currency)
        json_object_set_new(page->data, "currency",
                            json_string(input->inputs.cluster.currency));
    if (input->inputs.cluster.note)
        mt_page_say(page, "note", "%s", input->inputs.cluster.note);
}

/* Fill the page. It names missing runs or models, with a remedy. */
static int fill_sections(struct mt_page *page, const struct input *input,
                         struct mt_error *err)
{
    const struct mt_run_filter filter = {.cluster = input->inputs.cluster.name,
                                         .program = input->inputs.program.name};
    struct mt_predictor predictor = {0};
    struct mt_store *store = NULL;
    struct mt_error why = {0};
    begin(page, input);
    int status = mt_question_check(&input->question, &input->inputs.cluster, err);
    if (status == MT_OK)
        status = mt_store_open(&store, mt_common.db, MT_STORE_READ, err);
    if (status != MT_OK)
        return status;
    status = mt_planning_load(&predictor, &input->inputs, input->kind, &why);
    if (status == MT_OK)
        status = show_plans(page, input, &predictor, err);
    else if (status == MT_ENOTFOUND || status == MT_ERANK) {
        show_nothing(page, input, &why);
        status = MT_OK;
    } else
        status = mt_fail(err, status, "%s", why.text);
    if (status == MT_OK) {
        show_links(page, &predictor.samples.links);
        status = show_lateness(page, store, &filter, err);
    }
    if (status == MT_OK)
        status = show_origin(page, input, &filter, store, err);
    mt_store_close(store);
    mt_predictor_clear(&predictor);
    return status;
}

/* What the options say; popt writes here. */
static struct {
    const char *file;
    int force;
} wanted;

static const struct poptOption options[] = {
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_planning_sizes_option, 0, NULL, NULL},
    {"output", 'o', POPT_ARG_STRING, &wanted.file, 0, "the page, an HTML file", "FILE"},
    {"force", 0, POPT_ARG_NONE, &wanted.force, 0,
     "also replace a file that is not a page of motley", NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_planning_options, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

static int choose_sizes(struct input *input, struct mt_error *err)
{
    const struct mt_program *program = &input->inputs.program;
    if (input->nsizes > 0)
        return MT_OK;
    if (program->nplan_sizes == 0)
        return mt_fail(err, MT_EINVAL,
                       "program '%s' names no sizes to plan for; give some by --size",
                       program->name);
    input->nsizes = program->nplan_sizes;
    input->sizes = program->plan_sizes;
    return MT_OK;
}

/* Write the page, or with --json print its data. */
static int put_out(const struct input *input, const struct mt_page *page,
                   struct mt_error *err)
{
    if (mt_common.json) {
        mt_document_print("motley/report", 2, json_incref(page->data), stdout);
        return MT_OK;
    }
    char *title =
        mt_asprintf("%s on %s", input->inputs.program.name, input->inputs.cluster.name);
    const struct mt_page_file file = {.layout = "report",
                                      .title = title,
                                      .path = wanted.file,
                                      .force = wanted.force != 0};
    const int status = mt_page_write(&file, page->data, err);
    free(title);
    return status;
}

static int make(struct input *input, struct mt_error *err)
{
    struct mt_page page;
    mt_page_begin(&page);
    int status = fill_sections(&page, input, err);
    if (status == MT_OK)
        status = put_out(input, &page, err);
    mt_page_clear(&page);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct input input = {0};
    double *sizes = NULL;
    int status = mt_inputs_check(arguments, err);
    if (status == MT_OK && mt_common.json && wanted.file)
        status = mt_fail(err, MT_EINVAL, "--json and --output exclude each other");
    else if (status == MT_OK && !mt_common.json)
        status = mt_page_check_path(wanted.file, err);
    if (status == MT_OK)
        status = mt_planning_read_sizes(&sizes, &input.nsizes, err);
    input.sizes = sizes;
    if (status == MT_OK)
        status = mt_planning_read_limits(&input.question, &input.kind, err);
    if (status == MT_OK)
        status = mt_planning_inputs(&input.inputs, arguments, err);
    if (status == MT_OK)
        status = choose_sizes(&input, err);
    if (status == MT_OK)
        status = make(&input, err);
    mt_inputs_clear(&input.inputs);
    free(sizes);
    return status == MT_OK ? EXIT_FINE : mt_exit_status(status);
}

const struct mt_command mt_command_report = {
    .name = "report",
    .arguments = "CLUSTER PROGRAM",
    .summary = "Write a page about plans, to send to others",
    .options = options,
    .run = run,
};
