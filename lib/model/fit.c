/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits models of a kind: their terms, and the default kind. */
#include "fit.h"
#include "internal.h"
#include "lib/base/array.h"
#include "posterior.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Terms of a program as text, or the defaults where it has none. */
static char *join_or(const struct mt_terms *terms, const char *defaults)
{
    char *text = NULL;
    size_t length;
    if (!terms)
        return strdup(defaults);
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    for (int i = 0; i < mt_terms_count(terms); i++)
        fprintf(stream, "%s%s", i > 0 ? ", " : "", mt_terms_text(terms, i));
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

char *mt_fit_formulas(const struct mt_program *program,
                      const struct mt_fit_options *options, struct mt_error *err)
{
    char *text = NULL;
    if (options->terms)
        text = strdup(options->terms);
    else if (options->kind == MT_MODEL_AUTO)
        text = strdup(program->work ? mt_expr_text(program->work) : "");
    else if (options->kind == MT_MODEL_NT)
        text = join_or(program->terms_nt, mt_default_terms_nt);
    else if (options->kind == MT_MODEL_PT)
        text = join_or(program->terms_pt, mt_default_terms_pt);
    else
        text = join_or(program->terms_npt, mt_default_terms_npt);
    if (!text)
        mt_fail(err, MT_ENOMEM, "no memory for the terms of a model");
    return text;
}

bool mt_fit_splits(const struct mt_program *program,
                   const struct mt_fit_options *options)
{
    return program->split && !options->no_split && options->kind != MT_MODEL_AUTO;
}

int mt_models_add(struct mt_models *models, struct mt_model *model,
                  struct mt_error *err)
{
    const int status = mt_array_grow(&models->models, models->count,
                                     sizeof *models->models, "models", err);
    if (status != MT_OK)
        return status;
    models->models[models->count++] = *model;
    *model = (struct mt_model){0};
    return MT_OK;
}

/* The runs behind a group with a layout of its nodes, and their errors: by the fit, and
   in cross-validation. */
static int add_class(const struct mt_fit_task *task, const char *group, int speed,
                     const double *left_out, struct mt_error *err)
{
    const struct mt_posterior *posterior = task->models->posterior;
    struct mt_model model = {.split = -1, .layout = posterior->speeds[speed].layout};
    double squares = 0, squares_left_out = 0;
    int cells = 0;
    for (int i = 0; i < posterior->cells.count; i++) {
        const struct mt_cell *cell = &posterior->cells.all[i];
        const struct mt_point *point = &posterior->points[i];
        bool uses = false;
        for (int k = 0; k < point->nportions; k++)
            uses |= point->portions[k].own == speed;
        if (!uses)
            continue;
        const int ranks = (int)point->ranks;
        const double error = expm1(cell->y - mt_posterior_mean(posterior, point));
        model.size_low = cells ? fmin(model.size_low, cell->size) : cell->size;
        model.size_high = fmax(model.size_high, cell->size);
        model.ranks_low = cells && model.ranks_low < ranks ? model.ranks_low : ranks;
        model.ranks_high = model.ranks_high > ranks ? model.ranks_high : ranks;
        model.runs += cell->runs;
        squares += error * error;
        squares_left_out += expm1(left_out[i]) * expm1(left_out[i]);
        cells++;
    }
    model.residual = sqrt(squares / cells);
    model.cross_validated =
        posterior->cells.count > 1 ? sqrt(squares_left_out / cells) : NAN;
    model.group = strdup(group);
    int status = model.group ? mt_models_add(task->models, &model, err)
                             : mt_fail(err, MT_ENOMEM, "no memory for the models");
    mt_model_clear(&model);
    return status;
}

static int fit_auto(const struct mt_fit_task *task, struct mt_error *err)
{
    struct mt_models *models = task->models;
    const int count = task->count;
    const struct mt_runs_origin origin = {task->program, task->cluster, task->links,
                                          &models->modes};
    struct mt_sample *samples = calloc((size_t)count, sizeof *samples);
    double *left_out = calloc((size_t)count, sizeof *left_out);
    models->posterior = calloc(1, sizeof *models->posterior);
    int status = MT_OK;
    if (!samples || !left_out || !models->posterior)
        status = mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", count);
    for (int i = 0; i < count && status == MT_OK; i++)
        samples[i] = *task->runs[i].sample;
    if (status == MT_OK)
        status = mt_posterior_init(models->posterior, &origin, samples, count, err);
    if (status == MT_OK && !models->posterior->recalled) {
        free(models->modes.values);
        models->modes = (struct mt_modes){0};
        status = mt_posterior_modes(&models->modes, models->posterior, err);
    }
    if (status == MT_OK)
        status = mt_posterior_left_out(models->posterior, left_out, NULL, err);
    for (int g = 0; g < task->cluster->ngroups; g++)
        for (int i = 0; status == MT_OK && i < models->posterior->nspeeds; i++)
            if (models->posterior->speeds[i].group == models->posterior->groups[g])
                status =
                    add_class(task, task->cluster->groups[g].name, i, left_out, err);
    free(samples);
    free(left_out);
    return status;
}

/* The error when no model could be fitted. */
static int all_refused(const struct mt_models *models, struct mt_error *err)
{
    const char *kind = mt_model_kind_name(models->kind);
    if (models->nrefused == 0)
        return mt_fail(err, MT_ERANK, "no runs that %s models can be fitted from",
                       kind);
    return mt_fail(err, MT_ERANK, "no %s model: '%s': %s%s", kind,
                   models->refused[0].subject, models->refused[0].reason,
                   models->nrefused > 1 ? " (and others)" : "");
}

/* The variables that terms of a kind may depend on, in the order of enum mt_variable.
 */
static const char variables[] = "NPMT";
static const char *const allowed[MT_NMODEL_KINDS] = {
    [MT_MODEL_NT] = "N", [MT_MODEL_PT] = "PT", [MT_MODEL_NPT] = "NP"};

static int check_terms(const struct mt_fit_options *options, struct mt_error *err)
{
    struct mt_terms *terms = NULL;
    if (!options->terms)
        return MT_OK;
    if (options->kind == MT_MODEL_AUTO)
        return mt_fail(err, MT_EINVAL,
                       "auto models take no terms: '%s'; n-t, p-t and np-t do",
                       options->terms);
    int status = mt_terms_parse(&terms, options->terms, err);
    for (int i = 0; status == MT_OK && i < mt_terms_count(terms); i++)
        for (int v = 0; v < MT_NVARIABLES && status == MT_OK; v++)
            if (mt_terms_use(terms, i, (enum mt_variable)v) &&
                !strchr(allowed[options->kind], variables[v]))
                status = mt_fail(err, MT_EINVAL,
                                 "term '%s' of %s models cannot depend on %c",
                                 mt_terms_text(terms, i),
                                 mt_model_kind_name(options->kind), variables[v]);
    mt_terms_free(terms);
    return status;
}

int mt_fit(struct mt_models *models, const struct mt_cluster *cluster,
           const struct mt_program *program, const struct mt_samples *samples,
           const struct mt_fit_options *options, struct mt_error *err)
{
    if (samples->count == 0)
        return mt_fail(err, MT_ENOTFOUND, "no runs of '%s' on '%s'%s%s%s: %s",
                       program->name, cluster->name, samples->store ? " in '" : "",
                       samples->store ? samples->store : "", samples->store ? "'" : "",
                       "'motley measure' makes them");
    struct mt_models made = {.kind = options->kind,
                             .newest_run = samples->newest_run,
                             .modes = models->modes};
    models->modes = (struct mt_modes){0};
    struct mt_fit_task task = {.cluster = cluster,
                               .program = program,
                               .links = &samples->links,
                               .options = options,
                               .models = &made};
    int status = check_terms(options, err);
    if (status == MT_OK)
        status = mt_fit_options_copy(&made.options, options, err);
    if (status == MT_OK) {
        made.formulas = mt_fit_formulas(program, options, err);
        status = made.formulas ? MT_OK : MT_ENOMEM;
    }
    if (status == MT_OK)
        status = mt_fit_take_runs(&task, samples, err);
    if (status == MT_OK && options->glitch_k > 0)
        status = mt_fit_drop_glitches(&task, err);
    if (status == MT_OK)
        status = options->kind == MT_MODEL_AUTO ? fit_auto(&task, err)
                                                : mt_fit_papers(&task, err);
    if (status == MT_OK && made.count == 0)
        status = all_refused(&made, err);
    free(task.runs);
    if (status == MT_OK || status == MT_ERANK)
        *models = made;
    else
        mt_models_clear(&made);
    return status;
}
