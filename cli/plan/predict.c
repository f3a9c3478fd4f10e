/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common/command.h"
#include "cli/common/plot.h"
#include "cli/common/table.h"
#include "models_json.h"
#include "planning.h"
#include "predict_plot.h"
#include "predictions.h"

#include <math.h>
#include <stdlib.h>

static struct {
    const char *sizes;
    const char *configurations;
    const char *kind;
    const char *plot;
} wanted;

static const struct poptOption options[] = {
    {"size", 0, POPT_ARG_STRING, &wanted.sizes, 0,
     "problem sizes (default: those that the program plans for)", "N,N"},
    {"configuration", 0, POPT_ARG_STRING, &wanted.configurations, 0,
     "configurations separated by commas, 'homogeneous' (default), or 'all'", "LIST"},
    {"model", 0, POPT_ARG_STRING, &wanted.kind, 0,
     "auto, n-t, p-t or np-t (default: auto)", "KIND"},
    {"plot", 0, POPT_ARG_STRING, &wanted.plot, 0,
     "draw predicted and measured times over N into a .svg or .png file, or 'term'",
     "FILE"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/* What is to be predicted, as tasks without repetitions. */
static int list_tasks(struct mt_tasks *tasks, const struct mt_inputs *inputs,
                      struct mt_error *err)
{
    const struct mt_program *program = &inputs->program;
    double *sizes = NULL;
    int nsizes = 0;
    if (wanted.sizes) {
        const int status = mt_sizes_parse(&sizes, &nsizes, wanted.sizes, err);
        if (status != MT_OK)
            return status;
    } else if (program->nplan_sizes == 0) {
        return mt_fail(err, MT_EINVAL,
                       "program '%s' names no sizes to plan for; give some by --size",
                       program->name);
    }
    const int status =
        mt_tasks_plan(tasks, &inputs->cluster, program,
                      wanted.configurations ? wanted.configurations : "homogeneous",
                      sizes ? sizes : program->plan_sizes,
                      sizes ? nsizes : program->nplan_sizes, 1, err);
    free(sizes);
    return status;
}

static void add_row(struct mt_table *table, const struct mt_predicted *predicted)
{
    const struct mt_prediction *prediction = &predicted->prediction;
    char size[32], seconds[32] = "-", low[32], high[32], interval[80] = "-",
                   measured[32] = "-", error[32] = "-";
    snprintf(size, sizeof size, "%.15g", predicted->size);
    if (predicted->known) {
        mt_format_seconds(seconds, prediction->seconds);
        snprintf(interval, sizeof interval, "%s - %s%s",
                 mt_format_seconds(low, prediction->low),
                 mt_format_seconds(high, prediction->high),
                 prediction->extrapolated ? " *" : "  ");
    }
    if (!isnan(predicted->measured))
        mt_format_seconds(measured, predicted->measured);
    if (predicted->known && !isnan(predicted->measured))
        snprintf(error, sizeof error, "%+.1f %%",
                 100 * (prediction->seconds / predicted->measured - 1));
    mt_table_add(table, predicted->configuration, size, seconds, interval, measured,
                 error, NULL);
}

static int print_table(const struct mt_predictions *predictions,
                       const struct mt_inputs *inputs, struct mt_error *err)
{
    struct mt_table table = {0};
    bool extrapolated = false;
    printf("%s on %s, predicted by %s models", inputs->program.name,
           inputs->cluster.name, mt_model_kind_name(predictions->kind));
    if (predictions->corrections > 0)
        printf(", corrected by %d runs", predictions->corrections);
    puts(mt_cluster_simulated(&inputs->cluster) ? " (simulated)" : "");
    mt_table_add(&table, "configuration", ">N", ">predicted", ">90 % interval  ",
                 ">measured", ">error", NULL);
    for (int i = 0; i < predictions->count; i++) {
        add_row(&table, &predictions->all[i]);
        extrapolated |= predictions->all[i].prediction.extrapolated;
    }
    const int status = mt_table_print(&table, stdout, err);
    if (status == MT_OK && extrapolated)
        puts("* N or P lies outside the runs behind the model");
    return status;
}

static int show(const struct mt_predictions *predictions,
                const struct mt_inputs *inputs, struct mt_error *err)
{
    const int status = mt_common.json
                           ? mt_predictions_print_json(predictions, inputs, err)
                           : print_table(predictions, inputs, err);
    if (status != MT_OK || !wanted.plot)
        return status;
    return mt_predictions_plot(predictions, inputs, wanted.plot, err);
}

static int predict(const struct mt_inputs *inputs, enum mt_model_kind kind,
                   struct mt_error *err)
{
    struct mt_tasks tasks = {0};
    struct mt_predictor predictor = {0};
    struct mt_predictions predictions = {0};
    int status = list_tasks(&tasks, inputs, err);
    if (status == MT_OK)
        status = mt_planning_load(&predictor, inputs, kind, err);
    if (status == MT_OK)
        status = mt_predictions_make(&predictions, &predictor, &tasks, err);
    if (status == MT_OK)
        status = show(&predictions, inputs, err);
    mt_predictions_clear(&predictions);
    mt_predictor_clear(&predictor);
    mt_tasks_clear(&tasks);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_inputs inputs = {0};
    enum mt_model_kind kind = MT_MODEL_AUTO;
    int status = wanted.kind ? mt_model_kind_parse(&kind, wanted.kind, err) : MT_OK;
    if (status == MT_OK && wanted.plot)
        status = mt_plot_check(wanted.plot, mt_common.json, err);
    if (status == MT_OK)
        status = mt_inputs_load(&inputs, arguments, err);
    if (status != MT_OK)
        return mt_exit_status(status);
    status = predict(&inputs, kind, err);
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
