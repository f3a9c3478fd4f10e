/* SPDX-License-Identifier: BSD-3-Clause */
/* motley surface evaluate: predicted and measured efficiencies. */
#include "lib/expr/internal.h"
#include "lib/input/internal.h"
#include "lib/surface/internal.h"
#include "surface.h"

#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/process/memory.h"
#include "lib/base/argv.h"

#include <math.h>
#include <stdio.h>

/* Empty if zeroed. */
struct evaluation {
    struct mt_inputs inputs;
    struct mt_surface_input surface;
    struct mt_group_runs runs;
    struct mt_accuracy accuracy;
    char **warnings; /* owned, see argv.h */
};

/* The measured points. */
enum {
    NODES,
    SIZE,
    SECONDS,
    PREDICTED_SECONDS,
    EFFICIENCY,
    PREDICTED_EFFICIENCY,
    ERROR,
    FITS,
    COLUMNS
};
static const struct mt_column columns[COLUMNS] = {
    [NODES] = {"nodes", "nodes", MT_COLUMN_COUNT},
    [SIZE] = {"size", "size", MT_COLUMN_COUNT},
    [SECONDS] = {"seconds", "measured", MT_COLUMN_SECONDS},
    [PREDICTED_SECONDS] = {"predicted_seconds", "predicted", MT_COLUMN_SECONDS},
    [EFFICIENCY] = {"efficiency", "efficiency", MT_COLUMN_NUMBER},
    [PREDICTED_EFFICIENCY] = {"predicted_efficiency", "predicted", MT_COLUMN_NUMBER},
    [ERROR] = {"error_percent", "error", MT_COLUMN_NUMBER},
    [FITS] = {"fits", NULL, MT_COLUMN_FLAG},
};

/* "+1.23 %", but no sign before "0.00 %". */
static void show_error(struct mt_view *view, int column, double error)
{
    const double percent = 100 * error;
    mt_view_show(view, column, fabs(percent) < 0.005 ? "0.00 %%" : "%+.2f %%", percent);
}

static void add_point(struct mt_view *view, const struct mt_measured_point *point)
{
    mt_view_row(view);
    mt_view_number(view, NODES, point->nodes);
    mt_view_number(view, SIZE, point->size);
    mt_view_number(view, SECONDS, point->seconds);
    mt_view_number(view, PREDICTED_SECONDS, point->predicted_seconds);
    mt_view_number(view, EFFICIENCY, point->efficiency);
    mt_view_show(view, EFFICIENCY, "%.4f", point->efficiency);
    mt_view_number(view, PREDICTED_EFFICIENCY, point->predicted_efficiency);
    mt_view_show(view, PREDICTED_EFFICIENCY, "%.4f", point->predicted_efficiency);
    mt_view_number(view, ERROR, 100 * point->error);
    show_error(view, ERROR, point->error);
    mt_view_flag(view, FITS, point->fits);
}

static void fill_worst(struct mt_view *view, const struct mt_accuracy *accuracy)
{
    for (int i = 0; i < accuracy->nworst; i++)
        add_point(view, accuracy->worst[i]);
}

static void print_worst(const struct mt_accuracy *accuracy)
{
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    fill_worst(&view, accuracy);
    mt_view_print(&view, stdout);
}

/* Some points in short. */
enum {
    SOME_NODES,
    SOME_POINTS,
    SOME_MEAN,
    SOME_WORST,
    SOME_WORST_NODES,
    SOME_WORST_SIZE,
    SOME_COLUMNS
};
static const struct mt_column some_columns[SOME_COLUMNS] = {
    [SOME_NODES] = {NULL, "nodes", MT_COLUMN_TEXT},
    [SOME_POINTS] = {"points", "points", MT_COLUMN_COUNT},
    [SOME_MEAN] = {"mean_error_percent", "mean error", MT_COLUMN_NUMBER},
    [SOME_WORST] = {"worst_error_percent", "worst error", MT_COLUMN_NUMBER},
    [SOME_WORST_NODES] = {"worst_nodes", "at nodes", MT_COLUMN_COUNT},
    [SOME_WORST_SIZE] = {"worst_size", "at size", MT_COLUMN_COUNT},
};

static void add_errors(struct mt_view *view, const char *nodes,
                       const struct mt_point_errors *errors)
{
    if (errors->points == 0)
        return;
    mt_view_row(view);
    mt_view_text(view, SOME_NODES, nodes);
    mt_view_number(view, SOME_POINTS, errors->points);
    mt_view_number(view, SOME_MEAN, 100 * errors->mean);
    mt_view_show(view, SOME_MEAN, "%.2f %%", 100 * errors->mean);
    mt_view_number(view, SOME_WORST, 100 * errors->worst->error);
    show_error(view, SOME_WORST, errors->worst->error);
    mt_view_number(view, SOME_WORST_NODES, errors->worst->nodes);
    mt_view_number(view, SOME_WORST_SIZE, errors->worst->size);
}

/* Errors within and beyond the nodes of the learned runs, and all. */
static void print_summary(const struct evaluation *evaluation)
{
    const struct mt_accuracy *accuracy = &evaluation->accuracy;
    const int most = evaluation->surface.algorithm->learned.nodes;
    struct mt_view view = {.columns = some_columns, .ncolumns = SOME_COLUMNS};
    char within[48], beyond[48];
    snprintf(within, sizeof within, "up to %d: learned on", most);
    snprintf(beyond, sizeof beyond, "beyond %d", most);
    add_errors(&view, within, &accuracy->learned);
    add_errors(&view, beyond, &accuracy->beyond);
    add_errors(&view, "all", &accuracy->all);
    mt_view_print(&view, stdout);
}

/* An object; null without points. */
static json_t *errors_json(const struct mt_point_errors *errors)
{
    struct mt_view view = {.columns = some_columns, .ncolumns = SOME_COLUMNS};
    add_errors(&view, NULL, errors);
    return mt_view_row_to_json(&view);
}

/* A row for each number of nodes, with the best size there. */
enum {
    AT_NODES,
    AT_POINTS,
    AT_MEAN,
    AT_WORST,
    AT_WORST_SIZE,
    AT_ERRORS,
    AT_BEST,
    AT_PREDICTED,
    AT_STEPS,
    AT_LOSS,
    AT_RIDGE,
    AT_COLUMNS
};
static const struct mt_column at_columns[AT_COLUMNS] = {
    [AT_NODES] = {"nodes", "nodes", MT_COLUMN_COUNT},
    [AT_POINTS] = {NULL, "points", MT_COLUMN_COUNT},
    [AT_MEAN] = {NULL, "mean error", MT_COLUMN_NUMBER},
    [AT_WORST] = {NULL, "worst error", MT_COLUMN_NUMBER},
    [AT_WORST_SIZE] = {NULL, "at size", MT_COLUMN_COUNT},
    [AT_ERRORS] = {"errors", NULL, MT_COLUMN_TEXT},
    [AT_BEST] = {NULL, "best size", MT_COLUMN_COUNT},
    [AT_PREDICTED] = {NULL, "predicted", MT_COLUMN_COUNT},
    [AT_STEPS] = {NULL, "steps apart", MT_COLUMN_COUNT},
    [AT_LOSS] = {NULL, "loses", MT_COLUMN_NUMBER},
    [AT_RIDGE] = {"ridge", NULL, MT_COLUMN_TEXT},
};

static json_t *ridge_json(const struct mt_measured_ridge *ridge)
{
    if (!ridge->found)
        return json_null();
    return json_pack("{s:o, s:o, s:i, s:o}", "size", mt_json_number(ridge->size),
                     "predicted_size", mt_json_number(ridge->predicted_size), "steps",
                     ridge->steps, "loss_percent", mt_json_number(100 * ridge->loss));
}

static void fill_nodes(struct mt_view *view, const struct mt_accuracy *accuracy)
{
    for (int i = 0; i < accuracy->nnodes; i++) {
        const struct mt_nodes_accuracy *at = &accuracy->nodes[i];
        const struct mt_measured_ridge *ridge = &at->ridge;
        mt_view_row(view);
        mt_view_number(view, AT_NODES, at->nodes);
        mt_view_number(view, AT_POINTS, at->errors.points);
        mt_view_show(view, AT_MEAN, "%.2f %%", 100 * at->errors.mean);
        show_error(view, AT_WORST, at->errors.worst->error);
        mt_view_number(view, AT_WORST_SIZE, at->errors.worst->size);
        mt_view_json(view, AT_ERRORS, errors_json(&at->errors));
        mt_view_number(view, AT_BEST, ridge->found ? ridge->size : NAN);
        mt_view_number(view, AT_PREDICTED, ridge->found ? ridge->predicted_size : NAN);
        mt_view_number(view, AT_STEPS, ridge->found ? ridge->steps : NAN);
        mt_view_show(view, AT_LOSS, ridge->found ? "%.2f %%" : "-", 100 * ridge->loss);
        mt_view_json(view, AT_RIDGE, ridge_json(ridge));
    }
}

static void print_nodes(const struct mt_accuracy *accuracy)
{
    struct mt_view view = {.columns = at_columns, .ncolumns = AT_COLUMNS};
    fill_nodes(&view, accuracy);
    mt_view_print(&view, stdout);
}

static void print(const struct evaluation *evaluation)
{
    const struct mt_inputs *inputs = &evaluation->inputs;
    printf("%s on %s%s: efficiency predicted by %s of machine %s, at %d points\n\n",
           inputs->program.name, inputs->cluster.name,
           mt_cluster_simulated(&inputs->cluster) ? " (simulated)" : "",
           evaluation->surface.algorithm->name, evaluation->surface.machine.name,
           evaluation->accuracy.count);
    print_summary(evaluation);
    puts("\nFor each number of nodes, and the best of the sizes there");
    print_nodes(&evaluation->accuracy);
    puts("\nThe largest errors");
    print_worst(&evaluation->accuracy);
}

/* Null if the machine was not learned. */
static json_t *learned_nodes_json(const struct mt_learned_from *learned)
{
    return learned->runs > 0 ? json_integer(learned->nodes) : json_null();
}

static void print_json(const struct evaluation *evaluation)
{
    const struct mt_inputs *inputs = &evaluation->inputs;
    const struct mt_algorithm *algorithm = evaluation->surface.algorithm;
    const struct mt_accuracy *accuracy = &evaluation->accuracy;
    struct mt_view points = {.columns = columns, .ncolumns = COLUMNS};
    struct mt_view worst = {.columns = columns, .ncolumns = COLUMNS};
    struct mt_view nodes = {.columns = at_columns, .ncolumns = AT_COLUMNS};
    for (int i = 0; i < accuracy->count; i++)
        add_point(&points, &accuracy->points[i]);
    fill_worst(&worst, accuracy);
    fill_nodes(&nodes, accuracy);
    mt_document_print(
        "motley/surface-evaluate", 1,
        json_pack(
            "{s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
            "machine", mt_json_text(evaluation->surface.machine.name), "algorithm",
            mt_json_text(algorithm->name), "cluster",
            mt_json_text(inputs->cluster.name), "group",
            mt_json_text(inputs->cluster.groups[evaluation->runs.group].name),
            "program", mt_json_text(inputs->program.name), "simulated",
            (int)mt_cluster_simulated(&inputs->cluster), "learned_nodes",
            learned_nodes_json(&algorithm->learned), "all", errors_json(&accuracy->all),
            "learned", errors_json(&accuracy->learned), "beyond",
            errors_json(&accuracy->beyond), "nodes", mt_view_to_json(&nodes), "worst",
            mt_view_to_json(&worst), "points", mt_view_to_json(&points), "warnings",
            mt_json_texts(evaluation->warnings)),
        stdout);
}

/* Efficiencies can be compared only if both count the same work. */
static int check_work(const struct evaluation *evaluation, struct mt_error *err)
{
    const struct mt_shape *program = &evaluation->inputs.program.shape;
    const struct mt_algorithm *algorithm = evaluation->surface.algorithm;
    if (!program->work || mt_shape_same_work(&algorithm->shape, program))
        return MT_OK;
    return mt_fail(err, MT_EINVAL,
                   "algorithm '%s' of '%s' and program '%s' count different work: '%s' "
                   "and '%s'",
                   algorithm->name, evaluation->surface.machine.name,
                   evaluation->inputs.program.name, mt_expr_text(algorithm->shape.work),
                   mt_expr_text(program->work));
}

static int compare(struct evaluation *evaluation, struct mt_error *err)
{
    struct mt_accuracy *accuracy = &evaluation->accuracy;
    const int status =
        mt_accuracy_find(accuracy, evaluation->surface.surface, &evaluation->runs, err);
    mt_words_append(&evaluation->warnings, evaluation->runs.warnings);
    if (status == MT_OK && accuracy->misfits > 0)
        mt_words_add(&evaluation->warnings,
                     "points beyond the memory of a node of '%s': %d; they are "
                     "not part of the ridge",
                     evaluation->surface.machine.name, accuracy->misfits);
    return status;
}

/* The arguments are MACHINE CLUSTER PROGRAM. */
static int evaluate(struct evaluation *evaluation, const char **arguments,
                    struct mt_error *err)
{
    struct mt_surface_runs runs = {0};
    int status = mt_surface_input(&evaluation->surface, arguments[0], err);
    if (status == MT_OK)
        status = mt_inputs_load(&evaluation->inputs, arguments + 1, err);
    if (status == MT_OK)
        status = check_work(evaluation, err);
    if (status == MT_OK)
        status = mt_surface_runs_read(&runs, &evaluation->inputs,
                                      &evaluation->surface.algorithm->shape, err);
    if (status == MT_OK)
        status = mt_group_runs_take(&evaluation->runs, &runs.samples, &runs.query, err);
    if (status == MT_OK)
        status = compare(evaluation, err);
    mt_surface_runs_clear(&runs);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct evaluation evaluation = {0};
    int status = evaluate(&evaluation, arguments, err);
    if (status == MT_OK) {
        mt_surface_warn(evaluation.warnings);
        if (mt_common.json)
            print_json(&evaluation);
        else
            print(&evaluation);
    }
    mt_argv_free(evaluation.warnings);
    mt_accuracy_clear(&evaluation.accuracy);
    mt_group_runs_clear(&evaluation.runs);
    mt_inputs_clear(&evaluation.inputs);
    mt_surface_input_clear(&evaluation.surface);
    return mt_exit_status(status);
}

static const char *const options[] = {"algorithm", "nodes", "size", "group",
                                      "processes", "db",    "json", NULL};

const struct mt_action mt_surface_evaluate = {
    .name = "evaluate",
    .arguments = "MACHINE[:ALGORITHM] CLUSTER PROGRAM",
    .summary = "compare the predicted efficiency with that of measured runs",
    .least = 3,
    .most = 3,
    .options = options,
    .run = run,
};
