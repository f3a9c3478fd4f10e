/* SPDX-License-Identifier: BSD-3-Clause */
/* motley fit; models as text and as JSON; and the options by which they are fitted. */
#include "fit.h"

#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/common/inputs.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/process/memory.h"
#include "lib/base/argv.h"
#include "lib/base/options.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "motley/store.h"
#include "planning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the options say; popt writes here. */
static struct {
    const char *terms, *sizes;
    int no_split;
    struct mt_number_option glitch_k, glitch_tolerance;
    int refuse_negative;
} wanted = {
    .glitch_k = {.kind = MT_NUMBER_FROM, .most = 1},
    .glitch_tolerance = {.most = MT_MOST_COUNT},
};

struct poptOption mt_fit_option_table[] = {
    {"terms", 0, POPT_ARG_STRING, &wanted.terms, 0,
     "the terms of the models (default: the program's for the kind)", "TERM,TERM"},
    {"no-split", 0, POPT_ARG_NONE, &wanted.no_split, 0,
     "one model for every P, also where the program has a split", NULL},
    {"training-sizes", 0, POPT_ARG_STRING, &wanted.sizes, 0,
     "fit from the runs at these problem sizes alone", "N,N"},
    {"glitch-k", 0, POPT_ARG_STRING, &wanted.glitch_k, MT_OPTION_NUMBER,
     "leave out runs whose speed is at most K times the best at a smaller N (default: "
     "keep all)",
     "K"},
    {"glitch-tolerance", 0, POPT_ARG_STRING, &wanted.glitch_tolerance, MT_OPTION_NUMBER,
     "n-t, p-t: configurations with more glitches get no model (default: 0)", "N"},
    {"refuse-negative", 0, POPT_ARG_NONE, &wanted.refuse_negative, 0,
     "n-t, p-t: refuse models whose first coefficient is negative", NULL},
    POPT_TABLEEND,
};

int mt_fit_options_read(struct mt_fit_options *options, struct mt_error *err)
{
    struct mt_fit_options read = {.no_split = wanted.no_split,
                                  .glitch_k = wanted.glitch_k.value,
                                  .glitch_tolerance =
                                      (int)wanted.glitch_tolerance.value,
                                  .refuse_negative = wanted.refuse_negative};
    struct mt_terms *terms = NULL; /* read here only to say which option is wrong */
    int status = wanted.sizes ? mt_sizes_option(&read.sizes, &read.nsizes,
                                                "--training-sizes", wanted.sizes, err)
                              : MT_OK;
    if (status == MT_OK && wanted.terms)
        status =
            mt_option_blame(mt_terms_parse(&terms, wanted.terms, err), "--terms", err);
    mt_terms_free(terms);
    if (status == MT_OK && wanted.terms)
        read.terms = mt_strdup(wanted.terms);
    if (status == MT_OK)
        *options = read;
    else
        mt_fit_options_clear(&read);
    return status;
}

char *mt_fit_options_text(const struct mt_fit_options *options)
{
    char *text = NULL;
    size_t length;
    FILE *stream = mt_memory_open(&text, &length);
    if (options->terms) {
        fputs(" --terms ", stream);
        mt_print_shell_word(stream, options->terms);
    }
    if (options->no_split)
        fputs(" --no-split", stream);
    for (int i = 0; i < options->nsizes; i++)
        fprintf(stream, "%s%.15g", i ? "," : " --training-sizes ", options->sizes[i]);
    if (options->glitch_k > 0)
        fprintf(stream, " --glitch-k %g", options->glitch_k);
    if (options->glitch_tolerance > 0)
        fprintf(stream, " --glitch-tolerance %d", options->glitch_tolerance);
    if (options->refuse_negative)
        fputs(" --refuse-negative", stream);
    mt_memory_close(stream, &text);
    return text;
}

/* The subject of a model, in `buffer`. */
static const char *subject(char buffer[128], const struct mt_model *model,
                           const char *split)
{
    if (model->configuration)
        return model->configuration;
    char layout[MT_LAYOUT_LENGTH];
    int used = snprintf(buffer, 128, "%s x%s", model->group,
                        mt_layout_format(layout, model->layout));
    if (model->split >= 0 && used < 128)
        snprintf(buffer + used, 128 - (size_t)used,
                 model->split ? " where %s" : " where not (%s)",
                 split ? split : "split");
    return buffer;
}

enum { MODEL, RUNS, SIZES, RANKS, RESIDUAL, CROSS_VALIDATED, COLUMNS };
static const struct mt_column columns[COLUMNS] = {
    [MODEL] = {NULL, "model", MT_COLUMN_TEXT},
    [RUNS] = {NULL, "runs", MT_COLUMN_COUNT},
    [SIZES] = {NULL, "N", MT_COLUMN_COUNT},
    [RANKS] = {NULL, "P", MT_COLUMN_COUNT},
    [RESIDUAL] = {NULL, "residual", MT_COLUMN_PERCENT},
    [CROSS_VALIDATED] = {NULL, "cross-validated", MT_COLUMN_PERCENT},
};

static void print_errors(const struct mt_models *models, const char *split)
{
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    for (int i = 0; i < models->count; i++) {
        const struct mt_model *model = &models->models[i];
        char name[128];
        mt_view_row(&view);
        mt_view_text(&view, MODEL, subject(name, model, split));
        mt_view_number(&view, RUNS, model->runs);
        mt_view_show(&view, SIZES, "%.15g-%.15g", model->size_low, model->size_high);
        mt_view_number(&view, RANKS, model->ranks_low);
        if (model->ranks_low != model->ranks_high)
            mt_view_show(&view, RANKS, "%d-%d", model->ranks_low, model->ranks_high);
        mt_view_number(&view, RESIDUAL, model->residual);
        mt_view_number(&view, CROSS_VALIDATED, model->cross_validated);
    }
    mt_view_print(&view, stdout);
}

/* Whether a text needs parentheses to be a factor. */
static bool is_sum(const char *text)
{
    int depth = 0;
    for (; *text; text++) {
        depth += (*text == '(') - (*text == ')');
        if (depth == 0 && strchr("+-<=>!&|", *text))
            return true;
    }
    return false;
}

/* "7.1e-10 * N^3/P"; for the term 1 only the coefficient. */
static void print_term(double coefficient, const char *term)
{
    printf("%.4g", coefficient);
    if (strcmp(term, "1") != 0)
        printf(is_sum(term) ? " * (%s)" : " * %s", term);
}

/* "7.1e-10 * N^3/P + 3e-08 * N^2"; terms that are not taken are left out. */
static void print_sum(const struct mt_terms *terms, const double *coefficients)
{
    const char *between = "";
    for (int i = 0; i < mt_terms_count(terms); i++) {
        const double c = coefficients[i];
        if (c == 0)
            continue;
        printf("%s", c < 0 ? (*between ? " - " : "-") : between);
        print_term(fabs(c), mt_terms_text(terms, i));
        between = " + ";
    }
    puts(*between ? "" : "0");
}

static void print_formulas(const struct mt_models *models, const char *split)
{
    for (int i = 0; i < models->count; i++) {
        const struct mt_model *model = &models->models[i];
        char name[128];
        printf("\n%s: seconds = ", subject(name, model, split));
        print_sum(model->terms, model->coefficients);
        if (model->reference_terms) {
            printf("    with T = ");
            print_sum(model->reference_terms, model->reference_coefficients);
        }
    }
}

/* Lighter ones are counted. */
static const double least_weight = 0.01;

static void print_hypotheses(const struct mt_explanation *explanation)
{
    double rest = 0;
    int others = 0;
    puts("\nHypotheses of what the time is made of, by their probability");
    for (int i = 0; i < explanation->count; i++) {
        const struct mt_weighted_hypothesis *hypothesis = &explanation->hypotheses[i];
        if (hypothesis->weight >= least_weight) {
            printf("  %3.0f %%  %s\n", 100 * hypothesis->weight, hypothesis->text);
            continue;
        }
        rest += hypothesis->weight;
        others++;
    }
    if (others > 0)
        printf("  %3.0f %%  %d more\n", 100 * rest, others);
}

/* Print a summary of auto models; none for models from the store, which have no
   hypotheses. */
static void print_explanation(const struct mt_models *models)
{
    struct mt_explanation explanation = {0};
    if (mt_models_explain(&explanation, models, NULL) != MT_OK)
        return;
    print_hypotheses(&explanation);
    printf("At N = %.15g, P = %d: %.0f %% compute, %.0f %% serial work, %.0f %% "
           "messages\n",
           explanation.size, explanation.ranks, 100 * explanation.compute,
           100 * explanation.serial, 100 * explanation.messages);
    printf("The time may be off by %.2g %% for each doubling of P away from the runs; "
           "runs scatter by %.2g %%\n",
           100 * explanation.discrepancy, 100 * explanation.noise);
    mt_explanation_clear(&explanation);
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
        printf("  %s, N = %.15g, %s: %s\n", run->configuration, run->size,
               mt_format_seconds(seconds, run->seconds), run->reason);
    }
}

void mt_models_print(const struct mt_models *models,
                     const struct mt_models_origin *origin)
{
    printf("%s models of %s on %s%s\n", mt_model_kind_name(models->kind),
           origin->program, origin->cluster, origin->simulated ? " (simulated)" : "");
    char *options = mt_fit_options_text(&models->options);
    if (*options)
        printf("Fitted with%s\n", options);
    free(options);
    if (models->count > 0) {
        print_errors(models, origin->split);
        if (models->kind == MT_MODEL_AUTO)
            print_explanation(models);
        else
            print_formulas(models, origin->split);
    }
    print_left_out(models);
}

/* A list of {term, coefficient}; NULL without terms. */
static json_t *terms_json(const struct mt_terms *terms, const double *coefficients)
{
    if (!terms)
        return NULL;
    json_t *list = json_array();
    for (int i = 0; i < mt_terms_count(terms); i++)
        json_array_append_new(list, json_pack("{s:s, s:o}", "term",
                                              mt_terms_text(terms, i), "coefficient",
                                              mt_json_number(coefficients[i])));
    return list;
}

static json_t *model_json(const struct mt_model *model)
{
    return json_pack(
        "{s:s*, s:s*, s:i, s:i, s:s*, s:i, s:i, s:i, s:[o,o], s:[i,i], s:o, s:o, s:o*, "
        "s:o*}",
        "configuration", model->configuration, "group", model->group, "processes",
        model->layout.processes, "threads", mt_layout_threads(model->layout), "bind",
        model->layout.bind != MT_BIND_DEFAULT ? mt_bind_name(model->layout.bind) : NULL,
        "gpus", model->layout.gpus, "split", model->split, "runs", model->runs, "sizes",
        mt_json_number(model->size_low), mt_json_number(model->size_high), "ranks",
        model->ranks_low, model->ranks_high, "residual",
        mt_json_number(model->residual), "cross_validated",
        mt_json_number(model->cross_validated), "terms",
        terms_json(model->terms, model->coefficients), "reference",
        terms_json(model->reference_terms, model->reference_coefficients));
}

static json_t *options_json(const struct mt_fit_options *options)
{
    return json_pack("{s:s?, s:b, s:o, s:o, s:i, s:b}", "terms", options->terms,
                     "no_split", (int)options->no_split, "training_sizes",
                     mt_json_numbers(options->sizes, options->nsizes), "glitch_k",
                     mt_json_number(options->glitch_k), "glitch_tolerance",
                     options->glitch_tolerance, "refuse_negative",
                     (int)options->refuse_negative);
}

/* NULL: the models are not auto models, or come from the store. */
static json_t *explanation_json(const struct mt_models *models)
{
    struct mt_explanation explanation = {0};
    if (mt_models_explain(&explanation, models, NULL) != MT_OK)
        return json_null();
    json_t *hypotheses = json_array();
    for (int i = 0; i < explanation.count; i++)
        json_array_append_new(
            hypotheses,
            json_pack("{s:s, s:o}", "hypothesis", explanation.hypotheses[i].text,
                      "weight", mt_json_number(explanation.hypotheses[i].weight)));
    json_t *json = json_pack(
        "{s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:o}", "hypotheses", hypotheses,
        "discrepancy", mt_json_number(explanation.discrepancy), "noise",
        mt_json_number(explanation.noise), "size", mt_json_number(explanation.size),
        "ranks", explanation.ranks, "compute", mt_json_number(explanation.compute),
        "serial", mt_json_number(explanation.serial), "messages",
        mt_json_number(explanation.messages));
    mt_explanation_clear(&explanation);
    return json;
}

static json_t *refusal_json(const struct mt_refusal *refusal)
{
    return json_pack("{s:s, s:s}", "subject", refusal->subject, "reason",
                     refusal->reason);
}

static json_t *dropped_json(const struct mt_dropped *run)
{
    return json_pack("{s:s, s:o, s:o, s:s}", "configuration", run->configuration,
                     "size", mt_json_number(run->size), "seconds",
                     mt_json_number(run->seconds), "reason", run->reason);
}

json_t *mt_models_list(const struct mt_models *models)
{
    json_t *list = json_array();
    for (int i = 0; i < models->count; i++)
        json_array_append_new(list, model_json(&models->models[i]));
    return list;
}

json_t *mt_models_to_json(const struct mt_models *models,
                          const struct mt_models_origin *origin)
{
    json_t *refused = json_array(), *dropped = json_array();
    for (int i = 0; i < models->nrefused; i++)
        json_array_append_new(refused, refusal_json(&models->refused[i]));
    for (int i = 0; i < models->ndropped; i++)
        json_array_append_new(dropped, dropped_json(&models->dropped[i]));
    return json_pack("{s:s, s:s, s:b, s:s, s:I, s:o, s:o, s:o, s:o, s:o}", "cluster",
                     origin->cluster, "program", origin->program, "simulated",
                     (int)origin->simulated, "model", mt_model_kind_name(models->kind),
                     "newest_run", (json_int_t)models->newest_run, "options",
                     options_json(&models->options), "models", mt_models_list(models),
                     "explanation", explanation_json(models), "refused", refused,
                     "dropped", dropped);
}

static const struct poptOption options[] = {
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_model_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_fit_option_table, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

static void print_models(const struct mt_models *models, const struct mt_inputs *inputs)
{
    const struct mt_program *program = &inputs->program;
    const struct mt_models_origin origin = {
        .cluster = inputs->cluster.name,
        .program = program->name,
        .split = program->split ? mt_expr_text(program->split) : NULL,
        .simulated = mt_cluster_simulated(&inputs->cluster)};
    if (mt_common.json)
        mt_document_print("motley/fit", 1, mt_models_to_json(models, &origin), stdout);
    else
        mt_models_print(models, &origin);
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

/* Fit, print the results (refusals only on MT_ERANK), and store them. */
static int fit_inputs(const struct mt_inputs *inputs, const struct mt_fit_options *fit,
                      struct mt_error *err)
{
    struct mt_models models = {0};
    struct mt_error reason;
    int status = fit_samples(&models, inputs, fit, &reason);
    if (status != MT_OK && status != MT_ERANK)
        return mt_fail(err, status, "%s", reason.text);
    print_models(&models, inputs);
    status = status == MT_OK ? keep_models(&models, inputs, err)
                             : mt_fail(err, status, "%s", reason.text);
    mt_models_clear(&models);
    return status;
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
