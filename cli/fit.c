/* SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"
#include "models.h"
#include "models_json.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *kind_name;
static double glitch_k;
static int glitch_tolerance;
static int refuse_negative;

static const struct poptOption options[] = {
    {"model", 0, POPT_ARG_STRING, &kind_name, 0,
     "auto, n-t, p-t or np-t (default: auto)", "KIND"},
    {"glitch-k", 0, POPT_ARG_DOUBLE, &glitch_k, 0,
     "leave out runs whose speed is at most K times the best at a smaller N (default: "
     "keep all)",
     "K"},
    {"glitch-tolerance", 0, POPT_ARG_INT, &glitch_tolerance, 0,
     "n-t, p-t: configurations with more glitches get no model (default: 0)", "N"},
    {"refuse-negative", 0, POPT_ARG_NONE, &refuse_negative, 0,
     "n-t, p-t: refuse models whose first coefficient is negative", NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/* What a model is about; the text is `buffer`. */
static const char *subject(char buffer[128], const struct mt_model *model,
                           const struct mt_program *program)
{
    if (model->configuration)
        return model->configuration;
    int used = snprintf(buffer, 128, "%s x%d", model->group, model->processes);
    if (model->split >= 0 && program->split && used < 128)
        snprintf(buffer + used, 128 - (size_t)used,
                 model->split ? " where %s" : " where not (%s)",
                 mt_expr_text(program->split));
    return buffer;
}

static const char *percent(char buffer[16], double share)
{
    if (isnan(share))
        return "-";
    snprintf(buffer, 16, "%.1f %%", 100 * share);
    return buffer;
}

static int print_errors(const struct mt_models *models,
                        const struct mt_program *program, struct mt_error *err)
{
    struct mt_table table = {0};
    mt_table_add(&table, "model", ">runs", ">N", ">P", ">residual", ">cross-validated",
                 NULL);
    for (int i = 0; i < models->count; i++) {
        const struct mt_model *model = &models->models[i];
        char name[128], runs[16], sizes[64], ranks[32], residual[16], validated[16];
        snprintf(runs, sizeof runs, "%d", model->runs);
        snprintf(sizes, sizeof sizes, "%g-%g", model->size_low, model->size_high);
        snprintf(ranks, sizeof ranks,
                 model->ranks_low == model->ranks_high ? "%d" : "%d-%d",
                 model->ranks_low, model->ranks_high);
        mt_table_add(&table, subject(name, model, program), runs, sizes, ranks,
                     percent(residual, model->residual),
                     percent(validated, model->cross_validated), NULL);
    }
    return mt_table_print(&table, stdout, err);
}

/* "7.1e-10 * N^3/P + 3e-08 * N^2"; terms that are not taken are left out. */
static void print_sum(const struct mt_terms *terms, const double *coefficients)
{
    const char *between = "";
    for (int i = 0; i < mt_terms_count(terms); i++) {
        const char *text = mt_terms_text(terms, i);
        const double c = coefficients[i];
        if (c == 0)
            continue;
        const char *sign = c < 0 ? (*between ? " - " : "-") : between;
        printf("%s%.4g", sign, fabs(c));
        if (strcmp(text, "1") != 0)
            printf(strpbrk(text, "+-") ? " * (%s)" : " * %s", text);
        between = " + ";
    }
    puts(*between ? "" : "0");
}

static void print_formulas(const struct mt_models *models,
                           const struct mt_program *program)
{
    for (int i = 0; i < models->count; i++) {
        const struct mt_model *model = &models->models[i];
        char name[128];
        printf("\n%s: seconds = ", subject(name, model, program));
        print_sum(model->terms, model->coefficients);
        if (model->reference_terms) {
            printf("    with T = ");
            print_sum(model->reference_terms, model->reference_coefficients);
        }
    }
}

static void print_left_out(const struct mt_models *models)
{
    if (models->nrefused > 0)
        printf("\nNo model for\n");
    for (int i = 0; i < models->nrefused; i++)
        printf("  %s: %s\n", models->refused[i].subject, models->refused[i].reason);
    if (models->ndropped > 0)
        printf("\nLeft out as glitches\n");
    for (int i = 0; i < models->ndropped; i++) {
        const struct mt_dropped *run = &models->dropped[i];
        char seconds[32];
        printf("  %s, N = %g, %s: %s\n", run->configuration, run->size,
               mt_format_seconds(seconds, run->seconds), run->reason);
    }
}

static int print_models(const struct mt_models *models, const struct mt_inputs *inputs,
                        struct mt_error *err)
{
    if (mt_common.json)
        return mt_models_print_json(models, inputs, err);
    const bool simulated = mt_cluster_simulated(&inputs->cluster);
    printf("%s models of %s on %s%s\n", mt_model_kind_name(models->kind),
           inputs->program.name, inputs->cluster.name, simulated ? " (simulated)" : "");
    if (models->count > 0) {
        const int status = print_errors(models, &inputs->program, err);
        if (status != MT_OK)
            return status;
        print_formulas(models, &inputs->program);
    }
    print_left_out(models);
    return MT_OK;
}

static int read_options(struct mt_fit_options *fit, struct mt_error *err)
{
    *fit = (struct mt_fit_options){.glitch_k = glitch_k,
                                   .glitch_tolerance = glitch_tolerance,
                                   .refuse_negative = refuse_negative};
    if (glitch_k < 0 || isnan(glitch_k))
        return mt_fail(err, MT_EINVAL, "--glitch-k must not be negative: '%g'",
                       glitch_k);
    if (glitch_tolerance < 0)
        return mt_fail(err, MT_EINVAL, "--glitch-tolerance must not be negative: '%d'",
                       glitch_tolerance);
    return kind_name ? mt_model_kind_parse(&fit->kind, kind_name, err) : MT_OK;
}

/* Fit, print what came out and keep it. */
static int fit_inputs(const struct mt_inputs *inputs, const struct mt_fit_options *fit,
                      struct mt_error *err)
{
    struct mt_models models = {0};
    struct mt_error reason;
    int status = mt_models_fit(&models, inputs, fit, &reason);
    if (status != MT_OK && status != MT_ERANK)
        return mt_fail(err, status, "%s", reason.text);
    int printed = print_models(&models, inputs, err);
    if (printed == MT_OK && status == MT_OK)
        printed = mt_models_keep(&models, inputs, err);
    mt_models_clear(&models);
    if (printed != MT_OK)
        return printed;
    return status == MT_OK ? MT_OK : mt_fail(err, status, "%s", reason.text);
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_inputs inputs = {0};
    struct mt_fit_options fit;
    int status = read_options(&fit, err);
    if (status == MT_OK)
        status = mt_inputs_load(&inputs, arguments, err);
    if (status != MT_OK)
        return mt_exit_status(status);
    status = fit_inputs(&inputs, &fit, err);
    mt_inputs_clear(&inputs);
    return mt_exit_status(status);
}

const struct mt_command mt_command_fit = {
    .name = "fit",
    .arguments = "CLUSTER PROGRAM",
    .summary = "Find the run-time models that the runs determine",
    .options = options,
    .run = run,
};
