/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common/command.h"
#include "cli/common/document.h"
#include "cli/common/inputs.h"
#include "cli/common/json.h"
#include "fit_options.h"
#include "models.h"
#include "planning.h"

#include "motley/fit.h"
#include "motley/store.h"

static const struct poptOption options[] = {
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_model_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_fit_option_table, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

static int print_models(const struct mt_models *models, const struct mt_inputs *inputs,
                        struct mt_error *err)
{
    const struct mt_program *program = &inputs->program;
    const struct mt_models_origin origin = {
        .cluster = inputs->cluster.name,
        .program = program->name,
        .split = program->split ? mt_expr_text(program->split) : NULL,
        .simulated = mt_cluster_simulated(&inputs->cluster)};
    if (mt_common.json)
        return mt_document_print("motley/fit", 1, mt_models_to_json(models, &origin),
                                 stdout, err);
    return mt_models_print(models, &origin, err);
}

static int fit_samples(struct mt_models *models, const struct mt_inputs *inputs,
                       const struct mt_fit_options *fit, struct mt_error *err)
{
    struct mt_samples samples = {0};
    int status = mt_samples_input(&samples, mt_common.db, inputs, err);
    if (status == MT_OK) {
        mt_planning_say_left_out(&samples, &inputs->cluster);
        status = mt_fit(models, &inputs->cluster, &inputs->program, &samples, fit, err);
    }
    mt_samples_clear(&samples);
    return status;
}

static int keep_models(const struct mt_models *models, const struct mt_inputs *inputs,
                       struct mt_error *err)
{
    struct mt_store *store = NULL;
    int status = mt_store_open(&store, mt_common.db, MT_STORE_WRITE, err);
    if (status == MT_OK)
        status = mt_store_put_models(store, inputs->cluster.name, inputs->program.name,
                                     models, err);
    mt_store_close(store);
    return status;
}

/* Fit, print what came out, which are refusals alone on MT_ERANK, and keep it. */
static int fit_inputs(const struct mt_inputs *inputs, const struct mt_fit_options *fit,
                      struct mt_error *err)
{
    struct mt_models models = {0};
    struct mt_error reason;
    int status = fit_samples(&models, inputs, fit, &reason);
    if (status != MT_OK && status != MT_ERANK)
        return mt_fail(err, status, "%s", reason.text);
    int printed = print_models(&models, inputs, err);
    if (printed == MT_OK && status == MT_OK)
        printed = keep_models(&models, inputs, err);
    mt_models_clear(&models);
    if (printed != MT_OK)
        return printed;
    return status == MT_OK ? MT_OK : mt_fail(err, status, "%s", reason.text);
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_inputs inputs = {0};
    struct mt_fit_options fit = {0};
    int status = mt_fit_options_read(&fit, err);
    if (status == MT_OK)
        status = mt_model_option_read(&fit.kind, err);
    if (status == MT_OK)
        status = mt_inputs_load(&inputs, arguments, err);
    if (status == MT_OK)
        status = fit_inputs(&inputs, &fit, err);
    mt_inputs_clear(&inputs);
    mt_fit_options_clear(&fit);
    return mt_exit_status(status);
}

const struct mt_command mt_command_fit = {
    .name = "fit",
    .arguments = "CLUSTER PROGRAM",
    .summary = "Find the run-time models that the runs determine",
    .options = options,
    .run = run,
};
