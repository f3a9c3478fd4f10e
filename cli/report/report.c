/* SPDX-License-Identifier: BSD-3-Clause */
/* motley report: what is on the page about a program on a cluster, section by section.
 */
#include "report.h"

#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/common/inputs.h"
#include "cli/lateness/report.h"
#include "cli/plan/map.h"
#include "cli/plan/planning.h"
#include "cli/process/memory.h"
#include "cli/run/submit.h"
#include "lib/input/internal.h"
#include "lib/store/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the page is about. */
struct input {
    struct mt_inputs inputs;     /* owned */
    struct mt_question question; /* but for its size */
    enum mt_model_kind kind;
    const double *sizes; /* borrowed */
    int nsizes;
};

static int fill_map(struct mt_page *page, const struct mt_plan_map *map,
                    struct mt_error *err)
{
    struct mt_page_member diagram = {page, "diagram"};
    struct mt_view view;
    const int status = mt_plan_map_plot(map, mt_page_put_plot, &diagram, err);
    mt_plan_map_view_changes(&view, map);
    mt_page_table(page, "changes", &view);
    mt_plan_map_view_sizes(&view, map);
    mt_page_table(page, "sizes", &view);
    mt_plan_map_print_notes(map, page->lines);
    mt_page_lines(page, "notes");
    return status;
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
        status = fill_map(page, &map, err);
    else if (status == MT_ENOMEM)
        status = mt_fail(err, status, "%s", why.text);
    else {
        mt_page_say(page, "why_not", "There is none: %s.", why.text);
        status = MT_OK;
    }
    mt_plan_map_clear(&map);
    return status;
}

/* How far the models were off a run. */
struct residual {
    const struct mt_measured *run;
    int group; /* the only one; one past the last: several */
    double size, predicted, error;
};

enum { MOST_LISTED = 20 };

static int by_group(const void *a, const void *b)
{
    const struct residual *p = a, *q = b;
    if (p->group != q->group)
        return p->group < q->group ? -1 : 1;
    return (p->size > q->size) - (p->size < q->size);
}

static int by_error(const void *a, const void *b)
{
    const double p = fabs(((const struct residual *)a)->error);
    const double q = fabs(((const struct residual *)b)->error);
    return (p < q) - (p > q);
}

/* Returns how many there are: those of which the models say something. */
static int find_residuals(struct residual *residuals,
                          const struct mt_predictor *predictor)
{
    const int ngroups = predictor->problem.cluster->ngroups;
    int count = 0;
    for (int i = 0; i < predictor->measured.count; i++) {
        const struct mt_measured *run = &predictor->measured.all[i];
        struct mt_prediction prediction;
        if (mt_models_predict(&predictor->problem, &run->configuration, run->size,
                              &prediction, NULL) != MT_OK)
            continue;
        const int group = mt_configuration_only_group(&run->configuration);
        residuals[count++] =
            (struct residual){.run = run,
                              .group = group >= 0 ? group : ngroups,
                              .size = run->size,
                              .predicted = prediction.seconds,
                              .error = prediction.seconds / run->seconds - 1};
    }
    return count;
}

static void plot_residuals(struct mt_page *page, const struct mt_cluster *cluster,
                           const struct residual *residuals, int count)
{
    const struct mt_panel panel = {.y_label = "predicted over measured, %"};
    struct mt_page_chart chart = mt_page_chart_begin(
        page, "diagram",
        &(struct mt_plot){.title = "How far the models are off the runs",
                          .x_label = "problem size N",
                          .log_x = true,
                          .panels = &panel,
                          .count = 1});
    for (int i = 0; i < count; i++) {
        const int g = residuals[i].group;
        if (i == 0 || g != residuals[i - 1].group)
            mt_page_chart_series(&chart,
                                 g < cluster->ngroups ? cluster->groups[g].name
                                                      : "several groups",
                                 MT_SERIES_POINTS, g + (g >= MT_SERIES_BLACK));
        mt_page_chart_point(&chart, residuals[i].size, 100 * residuals[i].error);
    }
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
        mt_view_number(&view, SIZE, residual->size);
        mt_view_number(&view, PREDICTED, residual->predicted);
        mt_view_number(&view, MEASURED, residual->run->seconds);
        mt_view_number(&view, RUNS, residual->run->runs);
        mt_view_number(&view, ERROR, residual->error);
    }
    mt_page_table(page, "worst", &view);
}

enum { MODEL, LAYOUT, MODEL_RUNS, TERMS, RESIDUAL, CROSS_VALIDATED, MODEL_COLUMNS };
static const struct mt_column model_columns[MODEL_COLUMNS] = {
    [MODEL] = {"group", "group", MT_COLUMN_TEXT},
    [LAYOUT] = {"layout", "a node", MT_COLUMN_TEXT},
    [MODEL_RUNS] = {"runs", "runs", MT_COLUMN_COUNT},
    [TERMS] = {"terms", "terms", MT_COLUMN_TEXT},
    [RESIDUAL] = {"residual", "residual", MT_COLUMN_PERCENT},
    [CROSS_VALIDATED] = {"cross_validated", "cross-validated", MT_COLUMN_PERCENT},
};

static void list_models(struct mt_page *page, const struct mt_models *models)
{
    struct mt_view view = {.columns = model_columns, .ncolumns = MODEL_COLUMNS};
    for (int i = 0; i < models->count; i++) {
        const struct mt_model *model = &models->models[i];
        char layout[MT_LAYOUT_LENGTH];
        mt_view_row(&view);
        mt_view_text(&view, MODEL,
                     model->configuration ? model->configuration : model->group);
        if (!model->configuration)
            mt_view_text(&view, LAYOUT, mt_layout_format(layout, model->layout));
        mt_view_number(&view, MODEL_RUNS, model->runs);
        mt_view_text(&view, TERMS, model->terms_text);
        mt_view_number(&view, RESIDUAL, model->residual);
        mt_view_number(&view, CROSS_VALIDATED, model->cross_validated);
    }
    mt_page_table(page, "all", &view);
}

static void show_models(struct mt_page *page, const struct mt_predictor *predictor)
{
    const struct mt_cluster *cluster = predictor->problem.cluster;
    const size_t most = (size_t)predictor->measured.count + 1;
    struct residual *residuals = mt_calloc(most, sizeof *residuals);
    mt_page_section(page, "models");
    const int count = find_residuals(residuals, predictor);
    qsort(residuals, (size_t)count, sizeof *residuals, by_group);
    if (count > 0) {
        plot_residuals(page, cluster, residuals, count);
        list_residuals(page, cluster, residuals, count);
    }
    list_models(page, &predictor->models);
    for (int i = 0; i < predictor->nmissing; i++)
        fprintf(page->lines, "left out for want of a model: %s: %s\n",
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

enum { RANK, NODE, WAITING, LATE, COST, RANK_COLUMNS };
static const struct mt_column rank_columns[RANK_COLUMNS] = {
    [RANK] = {"rank", "rank", MT_COLUMN_COUNT},
    [NODE] = {"node", "node", MT_COLUMN_TEXT},
    [WAITING] = {"waiting", "waited", MT_COLUMN_SECONDS},
    [LATE] = {"late", "calls late", MT_COLUMN_COUNT},
    [COST] = {"cost", "cost the others", MT_COLUMN_SECONDS},
};

static void show_report(struct mt_page *page, const struct mt_lateness *lateness,
                        const struct mt_report *report)
{
    struct mt_view view = {.columns = rank_columns, .ncolumns = RANK_COLUMNS};
    char date[MT_QUANTITY_TEXT];
    mt_page_section(page, "lateness");
    mt_page_say(page, "run", "The newest report is of %s at N = %.15g, %s UTC%s.",
                lateness->configuration, lateness->size,
                mt_format_date(date, lateness->started),
                lateness->simulated ? " (simulated)" : "");
    mt_page_add(page, "findings", json_deep_copy(report->findings));
    for (int r = 0; r < report->nranks; r++) {
        mt_view_row(&view);
        mt_view_number(&view, RANK, report->ranks[r].rank);
        mt_view_text(&view, NODE, report->ranks[r].node);
        mt_view_number(&view, WAITING, report->ranks[r].waiting);
        mt_view_number(&view, LATE, report->ranks[r].late);
        mt_view_number(&view, COST, report->ranks[r].cost);
    }
    mt_page_table(page, "ranks", &view);
}

static int show_lateness(struct mt_page *page, struct mt_store *store,
                         const struct mt_run_filter *filter, struct mt_error *err)
{
    struct mt_lateness_list list = {0};
    struct mt_report report = {0};
    struct mt_run_filter newest = *filter;
    newest.newest = 1;
    int status = mt_store_latenesses(store, &list, &newest, err);
    if (status == MT_OK && list.count > 0 &&
        mt_report_parse(&report, list.all[0].report, NULL) == MT_OK)
        show_report(page, &list.all[0], &report);
    mt_report_clear(&report);
    mt_lateness_list_clear(&list);
    return status;
}

/* A path without its folders, which are of no use elsewhere. */
static const char *file_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Where all of it comes from. */
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
                    runs.count, file_of(mt_common.db),
                    mt_format_date(first, runs.runs[0].started),
                    mt_format_date(last, runs.runs[runs.count - 1].started), failed,
                    simulated, simulated == 1 ? "is" : "are");
    else
        mt_page_say(page, "runs", "The store '%s' has no runs of '%s' on '%s'.",
                    file_of(mt_common.db), filter->program, filter->cluster);
    mt_page_say(page, "files", "The cluster is described in %s, the program in %s.",
                file_of(input->inputs.cluster.path),
                file_of(input->inputs.program.path));
    mt_runs_clear(&runs);
    return MT_OK;
}

/* Whether some layout is more than a number of processes. */
static bool any_detailed(const struct mt_cluster *cluster)
{
    for (int g = 0; g < cluster->ngroups; g++)
        for (int i = 0; i < cluster->groups[g].nlayouts; i++) {
            const struct mt_layout *layout = &cluster->groups[g].layouts[i];
            if (layout->threads > 0 || layout->gpus > 0 ||
                layout->bind != MT_BIND_DEFAULT)
                return true;
        }
    return false;
}

/* Who gets a page has not read the manual. */
static void explain(struct mt_page *page, const struct mt_cluster *cluster)
{
    const char *group = cluster->groups[0].name;
    mt_page_say(
        page, "explanation",
        "'%s:3x2' is 3 nodes of the group %s with 2 processes on each%s. P is the "
        "number of processes.",
        group, group,
        any_detailed(cluster)
            ? "; t4 behind that is 4 threads in each process, g1 a GPU for "
              "each, and @core how they are bound"
            : "");
}

static int show_plans(struct mt_page *page, const struct input *input,
                      const struct mt_predictor *predictor, struct mt_error *err)
{
    int status = MT_OK;
    explain(page, &input->inputs.cluster);
    for (int i = 0; i < input->nsizes && status == MT_OK; i++) {
        struct mt_question question = input->question;
        question.size = input->sizes[i];
        status = mt_report_size(page, predictor, &question, err);
    }
    if (status == MT_OK)
        status = show_map(page, input, predictor, err);
    if (status == MT_OK)
        show_models(page, predictor);
    return status;
}

/* What there is to say without models. */
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

/* Put all on the page. What is missing, as runs or models, the page says, with what to
   do. */
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
     "replace a file that is no page of motley, too", NULL},
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

static int write_page(const struct input *input, struct mt_page *page,
                      struct mt_error *err)
{
    char *title;
    title =
        mt_asprintf("%s on %s", input->inputs.program.name, input->inputs.cluster.name);
    const int status = mt_page_finish(page, title, wanted.file, wanted.force, err);
    free(title);
    return status;
}

static int make(struct input *input, struct mt_error *err)
{
    struct mt_page page = {0};
    mt_submit_collect(&input->inputs);
    int status = mt_planning_cluster(&input->inputs.cluster, err);
    if (status == MT_OK)
        mt_page_begin(&page, "motley/report", 1);
    if (status == MT_OK)
        status = fill_sections(&page, input, err);
    if (status == MT_OK)
        status = write_page(input, &page, err);
    mt_page_clear(&page);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct input input = {0};
    double *sizes = NULL;
    int status = mt_inputs_check(arguments, err);
    if (status == MT_OK)
        status = mt_page_check_target(wanted.file, err);
    if (status == MT_OK)
        status = mt_planning_read_sizes(&sizes, &input.nsizes, err);
    input.sizes = sizes;
    if (status == MT_OK)
        status = mt_planning_read_limits(&input.question, &input.kind, err);
    if (status == MT_OK)
        status = mt_inputs_load(&input.inputs, arguments, err);
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
    .summary = "Write a page about plans, to send to somebody",
    .options = options,
    .run = run,
};
