/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common/command.h"
#include "cli/common/inputs.h"
#include "cli/plot/plot.h"
#include "lib/base/options.h"
#include "planning.h"
#include "predictions.h"

#include <stdlib.h>

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

/* What is to be predicted, as tasks without repetitions. */
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

static int show(const struct mt_predictions *predictions, struct mt_error *err)
{
    int status = mt_common.json ? mt_predictions_print_json(predictions, err)
                                : mt_predictions_print(predictions, err);
    if (status == MT_OK && wanted.plot)
        status = mt_predictions_plot(predictions, wanted.plot, err);
    return status;
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
        status = show(&predictions, err);
    mt_predictions_clear(&predictions);
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
