/* SPDX-License-Identifier: BSD-3-Clause */
/* motley predict: times of several configurations and sizes, with the measured ones, as
   a table, as JSON and as a picture. */
#include "cli/common/command.h"
#include "cli/common/inputs.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/plot/plot.h"
#include "cli/process/memory.h"
#include "lib/base/options.h"
#include "lib/input/internal.h"
#include "motley/design.h"
#include "motley/error.h"
#include "motley/model.h"
#include "planning.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One configuration at one size. */
struct predicted {
    char *configuration; /* owned; canonical text */
    double size;
    bool known;                      /* false: no model has a value there */
    struct mt_prediction prediction; /* for ranking in plans: the measured time */
    struct mt_prediction fitted;     /* what the models say */
    double measured;                 /* median of the runs; NaN: none */
};

/* Empty if zeroed. */
struct predictions {
    const struct mt_predictor *predictor; /* borrowed */
    struct predicted *all;                /* owned; in the order of the tasks */
    int count;
};

static void clear_predictions(struct predictions *predictions)
{
    for (int i = 0; i < predictions->count; i++)
        free(predictions->all[i].configuration);
    free(predictions->all);
    *predictions = (struct predictions){0};
}

static int predict(struct predicted *predicted, const struct mt_predictor *predictor,
                   const struct mt_task *task, struct mt_error *err)
{
    const struct mt_measured *measured =
        mt_measured_at(&predictor->measured, &task->configuration, task->size);
    predicted->configuration = mt_need(
        mt_configuration_format(&task->configuration, predictor->problem.cluster));
    predicted->size = task->size;
    predicted->measured = measured ? measured->seconds : NAN;
    int status = mt_predictor_predict(predictor, &task->configuration, task->size,
                                      &predicted->prediction, err);
    if (status == MT_OK)
        status = mt_models_predict(&predictor->problem, &task->configuration,
                                   task->size, &predicted->fitted, err);
    if (!measured) /* the median rather than what plans expect */
        predicted->prediction.seconds = predicted->fitted.seconds;
    predicted->fitted.unseen = predicted->prediction.unseen;
    predicted->known = status == MT_OK;
    return status;
}

/* Fill in as many predictions as there are tasks; MT_ENOTFOUND when none is known. */
static int fill_in(struct predictions *predictions,
                   const struct mt_predictor *predictor, const struct mt_tasks *tasks,
                   struct mt_error *err)
{
    struct mt_error first = {.status = MT_OK};
    bool some_known = false;
    for (int i = 0; i < tasks->count; i++) {
        struct predicted *predicted = &predictions->all[predictions->count++];
        struct mt_error why;
        const int status = predict(predicted, predictor, &tasks->tasks[i], &why);
        if (status != MT_OK && first.status == MT_OK)
            first = why;
        some_known = some_known || predicted->known;
    }
    return some_known ? MT_OK : mt_fail(err, MT_ENOTFOUND, "%s", first.text);
}

static int make_predictions(struct predictions *predictions,
                            const struct mt_predictor *predictor,
                            const struct mt_tasks *tasks, struct mt_error *err)
{
    struct predictions made = {.predictor = predictor};
    made.all = mt_calloc((size_t)tasks->count + 1, sizeof *made.all);
    const int status = fill_in(&made, predictor, tasks, err);
    if (status == MT_OK)
        *predictions = made;
    else
        clear_predictions(&made);
    return status;
}

enum {
    CONFIGURATION,
    SIZE,
    PREDICTION,
    MEASURED = PREDICTION + MT_PREDICTION_COLUMNS,
    ERROR,
    FITTED,
    COLUMNS
};
static const struct mt_column columns[COLUMNS] = {
    [CONFIGURATION] = {"configuration", "configuration", MT_COLUMN_TEXT},
    [SIZE] = {"size", "N", MT_COLUMN_COUNT},
    MT_PREDICTION_COLUMNS_AT(PREDICTION),
    [MEASURED] = {"measured", "measured", MT_COLUMN_SECONDS},
    [ERROR] = {NULL, "error", MT_COLUMN_CHANGE},
    [FITTED] = {"fitted", NULL, MT_COLUMN_SECONDS},
};

static void fill_view(struct mt_view *view, const struct predictions *predictions)
{
    *view = (struct mt_view){.columns = columns, .ncolumns = COLUMNS};
    for (int i = 0; i < predictions->count; i++) {
        const struct predicted *predicted = &predictions->all[i];
        const struct mt_prediction *fitted = &predicted->fitted;
        mt_view_row(view);
        mt_view_text(view, CONFIGURATION, predicted->configuration);
        mt_view_number(view, SIZE, predicted->size);
        mt_prediction_view(view, PREDICTION,
                           predicted->known ? &predicted->prediction : NULL);
        mt_view_number(view, MEASURED, predicted->measured);
        if (!predicted->known)
            continue;
        mt_prediction_show(view, PREDICTION, fitted);
        mt_view_number(view, FITTED, fitted->seconds);
        mt_view_number(view, ERROR, fitted->seconds / predicted->measured - 1);
    }
}

static void print_table(const struct predictions *predictions)
{
    const struct mt_predictor *predictor = predictions->predictor;
    const struct mt_problem *problem = &predictor->problem;
    struct mt_view view;
    struct mt_prediction_marks marks = {0};
    printf("%s on %s, predicted by %s models%s\n", problem->program->name,
           problem->cluster->name, mt_model_kind_name(predictor->models.kind),
           mt_cluster_simulated(problem->cluster) ? " (simulated)" : "");
    fill_view(&view, predictions);
    mt_view_print(&view, stdout);
    for (int i = 0; i < predictions->count; i++)
        mt_prediction_marks_take(&marks, &predictions->all[i].fitted);
    mt_prediction_marks_print(&marks, stdout);
}

static void print_json(const struct predictions *predictions)
{
    const struct mt_predictor *predictor = predictions->predictor;
    const struct mt_problem *problem = &predictor->problem;
    struct mt_view view;
    fill_view(&view, predictions);
    json_t *list = mt_view_to_json(&view);
    mt_document_print(
        "motley/predict", 1,
        json_pack("{s:s, s:s, s:b, s:s, s:o}", "cluster", problem->cluster->name,
                  "program", problem->program->name, "simulated",
                  (int)mt_cluster_simulated(problem->cluster), "model",
                  mt_model_kind_name(predictor->models.kind), "predictions", list),
        stdout);
}

/* The end of the predictions with the configuration of the one at `first`, which are
   neighbours. */
static int end_of(const struct predictions *predictions, int first)
{
    const char *configuration = predictions->all[first].configuration;
    int end = first + 1;
    while (end < predictions->count &&
           strcmp(predictions->all[end].configuration, configuration) == 0)
        end++;
    return end;
}

/* The predicted times of a configuration as a line, and the measured ones. */
static void draw_line(struct mt_panel *panel, const struct predictions *predictions,
                      int first, int color)
{
    const struct predicted *all = predictions->all;
    const int end = end_of(predictions, first);
    mt_panel_series(panel, all[first].configuration, MT_SERIES_LINE, color);
    for (int i = first; i < end; i++)
        if (all[i].known && mt_panel_point(panel, all[i].size, all[i].fitted.seconds))
            mt_panel_interval(panel, all[i].fitted.low, all[i].fitted.high);
    mt_panel_series(panel, NULL, MT_SERIES_POINTS, color);
    for (int i = first; i < end; i++)
        mt_panel_point(panel, all[i].size, all[i].measured);
}

/* Draw the lines; if there are too many to distinguish, draw a selection as far apart
   as possible, since neighbours differ by a node. */
static int draw(const struct predictions *predictions, const char *target,
                struct mt_error *err)
{
    const struct mt_predictor *predictor = predictions->predictor;
    const struct mt_problem *problem = &predictor->problem;
    struct mt_plot plot = {.x_label = "problem size N", .log_x = true, .count = 1};
    int count = 0, drawn = 0;
    for (int i = 0; i < predictions->count; i = end_of(predictions, i))
        count++;
    const int most = count < MT_SERIES_BLACK ? count : MT_SERIES_BLACK;
    plot.title =
        mt_asprintf("%s on %s", problem->program->name, problem->cluster->name);
    plot.subtitle =
        mt_asprintf("%s%d of %d configurations; lines: %s models; points: measured",
                    mt_cluster_simulated(problem->cluster) ? "simulated; " : "", most,
                    count, mt_model_kind_name(predictor->models.kind));
    plot.panels[0].y_label = mt_strdup("seconds");
    plot.panels[0].log_y = true;
    for (int i = 0, k = 0; i < predictions->count; i = end_of(predictions, i), k++)
        if (most == 1 || k * (most - 1) >= drawn * (count - 1))
            draw_line(&plot.panels[0], predictions, i, drawn++);
    const int status = mt_plot_draw(&plot, target, err);
    mt_plot_clear(&plot);
    return status;
}

static struct {
    const char *sizes;
    const char *configurations;
    const char *plot;
} wanted;

static const struct poptOption options[] = {
    {"size", 0, POPT_ARG_STRING, &wanted.sizes, 0,
     "problem sizes (default: those that the program plans for)", "N,N"},
    {"configuration", 0, POPT_ARG_STRING, &wanted.configurations, 0,
     "configurations separated by commas, 'homogeneous' (default), or 'all'", "LIST"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_model_option, 0, NULL, NULL},
    {"plot", 0, POPT_ARG_STRING, &wanted.plot, 0,
     "draw predicted and measured times over N into a .svg or .png file, or 'term'",
     "FILE"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/* List the predictions to make, as tasks without repetitions. */
static int list_tasks(struct mt_tasks *tasks, const struct mt_inputs *inputs,
                      struct mt_error *err)
{
    const struct mt_program *program = &inputs->program;
    double *sizes = NULL;
    int nsizes = 0;
    if (wanted.sizes) {
        const int status =
            mt_sizes_option(&sizes, &nsizes, "--size", wanted.sizes, err);
        if (status != MT_OK)
            return status;
    } else if (program->nplan_sizes == 0) {
        return mt_fail(err, MT_EINVAL,
                       "program '%s' names no sizes to plan for; give some by --size",
                       program->name);
    }
    const struct mt_measurement measurement = {
        .cluster = &inputs->cluster,
        .program = program,
        .configurations = wanted.configurations ? wanted.configurations : "homogeneous",
        .sizes = sizes ? sizes : program->plan_sizes,
        .nsizes = sizes ? nsizes : program->nplan_sizes,
        .repeat = 1};
    const int status = mt_tasks_plan(tasks, &measurement, err);
    free(sizes);
    return wanted.configurations ? mt_option_blame(status, "--configuration", err)
                                 : status;
}

static int show(const struct predictions *predictions, struct mt_error *err)
{
    if (mt_common.json)
        print_json(predictions);
    else
        print_table(predictions);
    return wanted.plot ? draw(predictions, wanted.plot, err) : MT_OK;
}

static int predict_all(const struct mt_inputs *inputs, enum mt_model_kind kind,
                       struct mt_error *err)
{
    struct mt_tasks tasks = {0};
    struct mt_predictor predictor = {0};
    struct predictions predictions = {0};
    int status = list_tasks(&tasks, inputs, err);
    if (status == MT_OK)
        status = mt_planning_load(&predictor, inputs, kind, err);
    if (status == MT_OK)
        status = make_predictions(&predictions, &predictor, &tasks, err);
    if (status == MT_OK)
        status = show(&predictions, err);
    clear_predictions(&predictions);
    mt_predictor_clear(&predictor);
    mt_tasks_clear(&tasks);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_inputs inputs = {0};
    enum mt_model_kind kind;
    int status = mt_model_option_read(&kind, err);
    if (status == MT_OK && wanted.plot)
        status = mt_plot_check(wanted.plot, mt_common.json, err);
    if (status == MT_OK)
        status = mt_inputs_load(&inputs, arguments, err);
    if (status != MT_OK)
        return mt_exit_status(status);
    status = predict_all(&inputs, kind, err);
    mt_inputs_clear(&inputs);
    return mt_exit_status(status);
}

const struct mt_command mt_command_predict = {
    .name = "predict",
    .arguments = "CLUSTER PROGRAM",
    .summary = "Predict the time of configurations and sizes",
    .options = options,
    .run = run,
};
