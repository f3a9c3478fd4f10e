/* SPDX-License-Identifier: BSD-3-Clause */
#include "models_print.h"
#include "cli/common/table.h"
#include "fit_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a model is about; the text is `buffer`. */
static const char *subject(char buffer[128], const struct mt_model *model,
                           const char *split)
{
    if (model->configuration)
        return model->configuration;
    int used = snprintf(buffer, 128, "%s x%d", model->group, model->processes);
    if (model->split >= 0 && used < 128)
        snprintf(buffer + used, 128 - (size_t)used,
                 model->split ? " where %s" : " where not (%s)",
                 split ? split : "split");
    return buffer;
}

static const char *percent(char buffer[16], double share)
{
    if (isnan(share))
        return "-";
    snprintf(buffer, 16, "%.1f %%", 100 * share);
    return buffer;
}

static int print_errors(const struct mt_models *models, const char *split,
                        struct mt_error *err)
{
    struct mt_table table = {0};
    mt_table_add(&table, "model", ">runs", ">N", ">P", ">residual", ">cross-validated",
                 NULL);
    for (int i = 0; i < models->count; i++) {
        const struct mt_model *model = &models->models[i];
        char name[128], runs[16], sizes[64], ranks[32], residual[16], validated[16];
        snprintf(runs, sizeof runs, "%d", model->runs);
        snprintf(sizes, sizeof sizes, "%.15g-%.15g", model->size_low, model->size_high);
        snprintf(ranks, sizeof ranks,
                 model->ranks_low == model->ranks_high ? "%d" : "%d-%d",
                 model->ranks_low, model->ranks_high);
        mt_table_add(&table, subject(name, model, split), runs, sizes, ranks,
                     percent(residual, model->residual),
                     percent(validated, model->cross_validated), NULL);
    }
    return mt_table_print(&table, stdout, err);
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

/* "7.1e-10 * N^3/P + 3e-08 * N^2 (serial)"; terms that are not taken are left out.
   `serial` may be NULL. */
static void print_sum(const struct mt_terms *terms, const double *coefficients,
                      const bool *serial)
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
            printf(is_sum(text) ? " * (%s)" : " * %s", text);
        if (serial && serial[i])
            printf(" (serial)");
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
        print_sum(model->terms, model->coefficients, model->serial);
        if (model->reference_terms) {
            printf("    with T = ");
            print_sum(model->reference_terms, model->reference_coefficients, NULL);
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
        printf("  %s, N = %.15g, %s: %s\n", run->configuration, run->size,
               mt_format_seconds(seconds, run->seconds), run->reason);
    }
}

int mt_models_print(const struct mt_models *models,
                    const struct mt_models_origin *origin, struct mt_error *err)
{
    printf("%s models of %s on %s%s\n", mt_model_kind_name(models->kind),
           origin->program, origin->cluster, origin->simulated ? " (simulated)" : "");
    char *options = mt_fit_options_text(&models->options);
    if (!options)
        return mt_fail(err, MT_ENOMEM, "no memory to print models");
    if (*options)
        printf("Fitted with%s\n", options);
    free(options);
    if (models->count > 0) {
        const int status = print_errors(models, origin->split, err);
        if (status != MT_OK)
            return status;
        print_formulas(models, origin->split);
    }
    print_left_out(models);
    return MT_OK;
}
