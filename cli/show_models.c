/* SPDX-License-Identifier: BSD-3-Clause */
#include "show.h"

#include "command.h"
#include "run_json.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The models of one kind for one program on one cluster. */
struct shown {
    const struct mt_fitted *fitted; /* borrowed */
    struct mt_models models;
    bool simulated; /* some of the runs are */
};

/* "xeon:x2", or the configuration; with the half of P that the split leaves to it. */
static void format_subject(char buffer[256], const struct mt_model *model)
{
    static const char *const halves[] = {"", " (no split)", " (split)"};
    const char *half = halves[model->split + 1];
    if (model->configuration)
        snprintf(buffer, 256, "%s%s", model->configuration, half);
    else
        snprintf(buffer, 256, "%s:x%d%s", model->group, model->processes, half);
}

static void print_product(FILE *stream, double coefficient, const char *term)
{
    if (!strcmp(term, "1"))
        fprintf(stream, "%.4g", coefficient);
    else if (strpbrk(term, "+-<>=!&| "))
        fprintf(stream, "%.4g*(%s)", coefficient, term);
    else
        fprintf(stream, "%.4g*%s", coefficient, term);
}

/* "2e-10*N^3/P + 0.01", without the terms that count for nothing. */
static void print_sum(FILE *stream, const struct mt_terms *terms,
                      const double *coefficients)
{
    bool first = true;
    for (int i = 0; i < mt_terms_count(terms); i++) {
        if (coefficients[i] == 0)
            continue;
        if (!first)
            fputs(" + ", stream);
        print_product(stream, coefficients[i], mt_terms_text(terms, i));
        first = false;
    }
    if (first)
        fputc('0', stream);
}

/* The formula of a model, for the caller to free; NULL: out of memory. */
static char *format_formula(const struct mt_model *model)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    print_sum(stream, model->terms, model->coefficients);
    if (model->reference_terms) {
        fputs("; T = ", stream);
        print_sum(stream, model->reference_terms, model->reference_coefficients);
    }
    if (fclose(stream)) {
        free(text);
        return NULL;
    }
    return text;
}

static void format_share(char buffer[32], double share)
{
    if (isnan(share))
        snprintf(buffer, 32, "-");
    else
        snprintf(buffer, 32, "%.2f %%", 100 * share);
}

static int add_row(struct mt_table *table, const struct mt_model *model,
                   struct mt_error *err)
{
    char subject[256], runs[16], sizes[64], ranks[32], residual[32], error[32];
    char *formula = format_formula(model);
    if (!formula)
        return mt_fail(err, MT_ENOMEM, "no memory to show models");
    format_subject(subject, model);
    snprintf(runs, sizeof runs, "%d", model->runs);
    snprintf(sizes, sizeof sizes, "%.15g-%.15g", model->size_low, model->size_high);
    snprintf(ranks, sizeof ranks, "%d-%d", model->ranks_low, model->ranks_high);
    format_share(residual, model->residual);
    format_share(error, model->cross_validated);
    mt_table_add(table, subject, runs, sizes, ranks, residual, error, formula, NULL);
    free(formula);
    return MT_OK;
}

static int print_text(const struct shown *shown, struct mt_error *err)
{
    const struct mt_models *models = &shown->models;
    struct mt_table table = {0};
    int status = MT_OK;
    printf("%s models of %s on %s%s\n", mt_model_kind_name(models->kind),
           shown->fitted->program, shown->fitted->cluster,
           shown->simulated ? " (simulated)" : "");
    mt_table_add(&table, "for", ">runs", ">N", ">P", ">residual", ">cross-validated",
                 "seconds", NULL);
    for (int i = 0; !status && i < models->count; i++)
        status = add_row(&table, &models->models[i], err);
    if (!status)
        status = mt_table_print(&table, stdout, err);
    for (int i = 0; !status && i < models->nrefused; i++)
        printf("no model for %s: %s\n", models->refused[i].subject,
               models->refused[i].reason);
    for (int i = 0; !status && i < models->ndropped; i++)
        printf("left out: %s at N = %.15g, %.4g s: %s\n",
               models->dropped[i].configuration, models->dropped[i].size,
               models->dropped[i].seconds, models->dropped[i].reason);
    return status;
}

static json_t *terms_to_json(const struct mt_terms *terms, const double *coefficients)
{
    json_t *list = json_array();
    for (int i = 0; i < mt_terms_count(terms); i++) {
        json_t *term = json_pack("{s:s, s:o}", "term", mt_terms_text(terms, i),
                                 "coefficient", mt_json_number(coefficients[i]));
        if (json_array_append_new(list, term)) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *model_to_json(const struct mt_model *model)
{
    json_t *reference = NULL;
    if (model->reference_terms)
        reference =
            terms_to_json(model->reference_terms, model->reference_coefficients);
    return json_pack(
        "{s:s*, s:s*, s:i, s:i, s:i, s:o, s:o, s:i, s:i, s:o, s:o, s:o, s:o*}",
        "configuration", model->configuration, "group", model->group, "processes",
        model->processes, "split", model->split, "runs", model->runs, "size_low",
        mt_json_number(model->size_low), "size_high", mt_json_number(model->size_high),
        "ranks_low", model->ranks_low, "ranks_high", model->ranks_high, "residual",
        mt_json_number(model->residual), "cross_validated",
        mt_json_number(model->cross_validated), "terms",
        terms_to_json(model->terms, model->coefficients), "reference_terms", reference);
}

/* The object is released when it cannot be completed. */
static json_t *shown_to_json(const struct shown *shown)
{
    const struct mt_models *models = &shown->models;
    json_t *list = json_array(), *refused = json_array(), *dropped = json_array();
    int failed = 0;
    for (int i = 0; i < models->count; i++)
        failed |= json_array_append_new(list, model_to_json(&models->models[i]));
    for (int i = 0; i < models->nrefused; i++)
        failed |= json_array_append_new(
            refused, json_pack("{s:s, s:s}", "subject", models->refused[i].subject,
                               "reason", models->refused[i].reason));
    for (int i = 0; i < models->ndropped; i++)
        failed |= json_array_append_new(
            dropped, json_pack("{s:s, s:o, s:o, s:s}", "configuration",
                               models->dropped[i].configuration, "size",
                               mt_json_number(models->dropped[i].size), "seconds",
                               mt_json_number(models->dropped[i].seconds), "reason",
                               models->dropped[i].reason));
    if (failed) {
        json_decref(list);
        json_decref(refused);
        json_decref(dropped);
        return NULL;
    }
    return json_pack("{s:s, s:s, s:s, s:b, s:I, s:o, s:o, s:o}", "cluster",
                     shown->fitted->cluster, "program", shown->fitted->program, "kind",
                     mt_model_kind_name(models->kind), "simulated", shown->simulated,
                     "newest_run", (json_int_t)models->newest_run, "models", list,
                     "refused", refused, "dropped", dropped);
}

static int print_json(const struct shown *shown, int count, struct mt_error *err)
{
    json_t *list = json_array(), *object = NULL;
    bool simulated = false;
    int failed = 0;
    for (int i = 0; i < count; i++) {
        simulated = simulated || shown[i].simulated;
        failed |= json_array_append_new(list, shown_to_json(&shown[i]));
    }
    if (failed)
        json_decref(list);
    else
        object = json_pack("{s:b, s:o}", "simulated", simulated, "fits", list);
    return mt_json_print(object, stdout, err);
}

/* Models are as simulated as the runs behind them. */
static int find_simulated(struct mt_store *store, struct shown *shown,
                          struct mt_error *err)
{
    struct mt_runs runs = {0};
    const struct mt_run_filter filter = {.cluster = shown->fitted->cluster,
                                         .program = shown->fitted->program,
                                         .succeeded_only = true};
    int status = mt_store_runs(store, &runs, &filter, err);
    for (int i = 0; i < runs.count; i++)
        shown->simulated = shown->simulated || runs.runs[i].simulated;
    mt_runs_clear(&runs);
    return status;
}

static int print_all(const struct shown *shown, int count, struct mt_error *err)
{
    if (mt_common.json)
        return print_json(shown, count, err);
    int status = MT_OK;
    for (int i = 0; !status && i < count; i++) {
        if (i > 0)
            putchar('\n');
        status = print_text(&shown[i], err);
    }
    return status;
}

static int load_shown(struct shown *shown, struct mt_store *store,
                      const struct mt_fitted *fitted, struct mt_error *err)
{
    shown->fitted = fitted;
    int status = mt_store_get_models(store, fitted->cluster, fitted->program,
                                     fitted->kind, &shown->models, err);
    if (!status)
        status = find_simulated(store, shown, err);
    return status;
}

int mt_show_models(struct mt_store *store, const struct mt_stored *stored,
                   struct mt_error *err)
{
    struct mt_fitted_list list = {0};
    int status = mt_store_fitted(store, &list, stored->cluster, stored->program, err);
    if (status)
        return status;
    struct shown *shown = calloc((size_t)list.count + 1, sizeof *shown);
    if (!shown) {
        mt_fitted_clear(&list);
        return mt_fail(err, MT_ENOMEM, "no memory to show models");
    }
    for (int i = 0; !status && i < list.count; i++)
        status = load_shown(&shown[i], store, &list.fitted[i], err);
    if (!status)
        status = print_all(shown, list.count, err);
    for (int i = 0; i < list.count; i++)
        mt_models_clear(&shown[i].models);
    free(shown);
    mt_fitted_clear(&list);
    return status;
}
