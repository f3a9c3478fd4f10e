/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds models from coefficients. */
#include "fit_models.h"

#include "internal.h"
#include "lib/base/array.h"
#include "lib/input/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(struct mt_error *err)
{
    return mt_fail(err, MT_ENOMEM, "no memory for the models");
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

/* The class of an run: "xeon x2", "xeon x2 where P % 3 == 0". The caller frees
   it. */
static char *class_text(const struct mt_fit_task *task, const struct mt_fit_run *of)
{
    char *text = NULL;
    const char *name = task->cluster->groups[of->group].name;
    char layout[MT_LAYOUT_LENGTH];
    int length;
    mt_layout_format(layout, of->layout);
    if (of->split < 0)
        length = asprintf(&text, "%s x%s", name, layout);
    else
        length = asprintf(&text, "%s x%s where %s%s%s", name, layout,
                          of->split ? "" : "not (", mt_expr_text(task->program->split),
                          of->split ? "" : ")");
    return length < 0 ? NULL : text;
}

/* Takes `subject` over, which is NULL when memory is short. */
static int add_refusal(struct mt_models *models, char *subject, const char *reason,
                       struct mt_error *err)
{
    const int status = mt_array_grow(&models->refused, models->nrefused,
                                     sizeof *models->refused, "models", err);
    struct mt_refusal refusal = {.subject = subject, .reason = strdup(reason)};
    if (status == MT_OK && refusal.subject && refusal.reason) {
        models->refused[models->nrefused++] = refusal;
        return MT_OK;
    }
    free(refusal.subject);
    free(refusal.reason);
    return no_memory(err);
}

/* Refuse the model of a class, or the N-T model of a configuration. */
static int refuse_class(struct mt_models *models, const struct mt_fit_task *task,
                        const struct mt_fit_run *of, const char *reason,
                        struct mt_error *err)
{
    char *subject =
        task->options->kind == MT_MODEL_NT
            ? mt_configuration_format(&of->sample->configuration, task->cluster)
            : class_text(task, of);
    return add_refusal(models, subject, reason, err);
}

int mt_models_refuse_nt(struct mt_models *models, const struct mt_fit_task *task,
                        const struct mt_fit_run *of, const char *reason,
                        struct mt_error *err)
{
    char *subject = NULL,
         *configuration =
             mt_configuration_format(&of->sample->configuration, task->cluster);
    if (configuration && asprintf(&subject, "N-T of %s", configuration) < 0)
        subject = NULL;
    free(configuration);
    return add_refusal(models, subject, reason, err);
}

int mt_models_add_or_refuse(const struct mt_fit_task *task, struct mt_model *model,
                            const struct mt_fit_run *of, int status,
                            const struct mt_error *reason, struct mt_error *err)
{
    if (status == MT_OK)
        return mt_models_add(task->models, model, err);
    if (status == MT_ENOMEM)
        return mt_fail(err, status, "%s", reason->text);
    return refuse_class(task->models, task, of, reason->text, err);
}

int mt_models_drop(struct mt_models *models, const struct mt_cluster *cluster,
                   const struct mt_sample *sample, const char *reason,
                   struct mt_error *err)
{
    const int status = mt_array_grow(&models->dropped, models->ndropped,
                                     sizeof *models->dropped, "runs", err);
    if (status != MT_OK)
        return status;
    struct mt_dropped dropped = {
        .configuration = mt_configuration_format(&sample->configuration, cluster),
        .size = sample->size,
        .seconds = sample->seconds,
        .reason = strdup(reason)};
    if (!dropped.configuration || !dropped.reason) {
        free(dropped.configuration);
        free(dropped.reason);
        return no_memory(err);
    }
    models->dropped[models->ndropped++] = dropped;
    return MT_OK;
}

static void set_ranges(struct mt_model *model, const struct mt_fit_run *runs, int count)
{
    model->runs = count;
    model->size_low = model->size_high = runs[0].sample->size;
    model->ranks_low = model->ranks_high = runs[0].ranks;
    for (int i = 1; i < count; i++) {
        const double size = runs[i].sample->size;
        const int ranks = runs[i].ranks;
        model->size_low = fmin(model->size_low, size);
        model->size_high = fmax(model->size_high, size);
        model->ranks_low = ranks < model->ranks_low ? ranks : model->ranks_low;
        model->ranks_high = ranks > model->ranks_high ? ranks : model->ranks_high;
    }
}

static int set_names(struct mt_model *model, const struct mt_fit_task *task,
                     const struct mt_fit_run *of, struct mt_error *err)
{
    if (task->options->kind == MT_MODEL_NT) {
        model->split = -1;
        model->configuration =
            mt_configuration_format(&of->sample->configuration, task->cluster);
        if (!model->configuration)
            return no_memory(err);
    } else {
        model->split = of->split;
    }
    model->layout = of->layout;
    if (of->group >= 0) {
        model->group = strdup(task->cluster->groups[of->group].name);
        if (!model->group)
            return no_memory(err);
    }
    return MT_OK;
}

static int set_terms(struct mt_model *model, const struct mt_fit_task *task,
                     enum mt_model_kind kind, struct mt_error *err)
{
    struct mt_fit_options options = {.kind = kind};
    if (kind == task->options->kind) /* and not P-T's reference */
        options = *task->options;
    model->terms_text = mt_fit_formulas(task->program, &options, err);
    if (!model->terms_text)
        return MT_ENOMEM;
    struct mt_terms *parsed = NULL;
    const int status = mt_terms_parse(&parsed, model->terms_text, err);
    if (status != MT_OK)
        return status;
    model->terms = parsed;
    const int count = mt_terms_count(model->terms);
    if (count > MT_MAX_TERMS)
        return mt_fail(err, MT_EINVAL, "%d terms are more than a model can have (%d)",
                       count, MT_MAX_TERMS);
    model->coefficients = calloc((size_t)count, sizeof *model->coefficients);
    return model->coefficients ? MT_OK : no_memory(err);
}

int mt_model_prepare(struct mt_model *model, const struct mt_fit_task *task,
                     enum mt_model_kind kind, const struct mt_fit_run *runs, int count,
                     struct mt_error *err)
{
    struct mt_model made = {0};
    int status = set_names(&made, task, &runs[0], err);
    if (status == MT_OK)
        status = set_terms(&made, task, kind, err);
    if (status != MT_OK) {
        mt_model_clear(&made);
        return status;
    }
    set_ranges(&made, runs, count);
    *model = made;
    return MT_OK;
}

int mt_model_row(const struct mt_model *model, const struct mt_fit_run *run,
                 double *row, struct mt_error *err)
{
    const double size = run->sample->size;
    const double values[MT_NVARIABLES] = {[MT_N] = size,
                                          [MT_P] = run->ranks,
                                          [MT_M] = run->layout.processes,
                                          [MT_T] = mt_model_reference(model, size)};
    mt_terms_values(model->terms, values, row);
    for (int i = 0; i < mt_terms_count(model->terms); i++) {
        if (!isfinite(row[i]))
            return mt_fail(err, MT_EINVAL, "term '%s' has no value at N = %g, P = %d",
                           mt_terms_text(model->terms, i), size, run->ranks);
    }
    return MT_OK;
}
