/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything that predicts, loaded from a store: runs, and models of them. */
#include "internal.h"
#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "lib/model/posterior.h"
#include "lib/store/internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether the models were fitted to every group that ran alone: the cluster may have
   lacked some then. */
static bool groups_are_current(const struct mt_predictor *predictor)
{
    const struct mt_models *models = &predictor->models;
    if (models->kind == MT_MODEL_NT || models->options.sizes)
        return true;
    for (int i = 0; i < predictor->samples.count; i++) {
        const struct mt_configuration *run =
            &predictor->samples.samples[i].configuration;
        const int g = mt_configuration_only_group(run);
        if (g >= 0 &&
            !mt_models_cover(models, predictor->problem.cluster->groups[g].name,
                             run->use[g].layout))
            return false;
    }
    return true;
}

/* Whether the models were made from the program's current formulas. */
static bool formulas_are_current(const struct mt_models *models,
                                 const struct mt_program *program)
{
    if (models->count == 0)
        return false;
    char *wanted = mt_fit_formulas(program, &models->options, NULL);
    const bool current =
        wanted && models->formulas && strcmp(models->formulas, wanted) == 0;
    free(wanted);
    return current;
}

/* Whether the program's split still assigns the P of the fitted runs to the same
   models. */
static bool split_is_current(const struct mt_models *models,
                             const struct mt_program *program)
{
    for (int i = 0; i < models->count; i++) {
        const struct mt_model *model = &models->models[i];
        if (model->configuration)
            continue;
        if ((model->split >= 0) != mt_fit_splits(program, &models->options) ||
            mt_models_find(models, program, model->group, model->layout,
                           model->ranks_low) != model ||
            mt_models_find(models, program, model->group, model->layout,
                           model->ranks_high) != model)
            return false;
    }
    return true;
}

static bool models_are_current(const struct mt_predictor *predictor)
{
    const struct mt_models *models = &predictor->models;
    const struct mt_program *program = predictor->problem.program;
    return models->newest_run >= predictor->samples.newest_run &&
           models->kind != MT_MODEL_AUTO && groups_are_current(predictor) &&
           formulas_are_current(models, program) && split_is_current(models, program);
}

/* Take the stored models, or fit new ones as those were fitted. */
static int get_models(struct mt_predictor *predictor, struct mt_store *store,
                      enum mt_model_kind kind, struct mt_error *err)
{
    const struct mt_problem *problem = &predictor->problem;
    struct mt_models *models = &predictor->models;
    struct mt_fit_options options = {.kind = kind};
    struct mt_error reason;
    int status = mt_store_get_models(store, problem->cluster->name,
                                     problem->program->name, kind, models, &reason);
    if (status == MT_OK && models_are_current(predictor))
        return MT_OK;
    if (status == MT_OK)
        status = mt_fit_options_copy(&options, &models->options, err);
    else if (status == MT_ENOTFOUND)
        status = MT_OK;
    else
        mt_fail(err, status, "%s", reason.text);
    const struct mt_modes modes = models->modes;
    models->modes = (struct mt_modes){0};
    mt_models_clear(models);
    models->modes = modes;
    predictor->fitted = status == MT_OK;
    if (status == MT_OK)
        status = mt_fit(models, problem->cluster, problem->program, &predictor->samples,
                        &options, err);
    predictor->stored = models->posterior && models->posterior->recalled;
    mt_fit_options_clear(&options);
    return status;
}

static int add_missing(struct mt_predictor *predictor, const char *subject,
                       const char *reason, struct mt_error *err)
{
    const int status = mt_array_grow(&predictor->missing, predictor->nmissing,
                                     sizeof *predictor->missing, "refusals", err);
    if (status != MT_OK)
        return status;
    struct mt_refusal *refusal = &predictor->missing[predictor->nmissing++];
    *refusal =
        (struct mt_refusal){.subject = strdup(subject), .reason = strdup(reason)};
    return refusal->subject && refusal->reason
               ? MT_OK
               : mt_fail(err, MT_ENOMEM, "no memory for what has no model");
}

static bool ran_alone(const struct mt_samples *samples, int g, struct mt_layout layout)
{
    for (int i = 0; i < samples->count; i++) {
        const struct mt_configuration *ran = &samples->samples[i].configuration;
        if (ran->use[g].nodes == mt_configuration_nodes(ran) &&
            mt_layout_compare(ran->use[g].layout, layout) == 0)
            return true;
    }
    return false;
}

/* Layouts that no model covers. */
static int list_unmeasured(struct mt_predictor *predictor, int g, struct mt_error *err)
{
    const struct mt_group *group = &predictor->problem.cluster->groups[g];
    int status = MT_OK;
    for (int i = 0; status == MT_OK && i < group->nlayouts && group->nodes > 0; i++) {
        const struct mt_layout layout = group->layouts[i];
        char subject[128], text[MT_LAYOUT_LENGTH];
        if (mt_group_leaves_cores(group, layout) ||
            mt_models_cover(&predictor->models, group->name, layout))
            continue;
        snprintf(subject, sizeof subject, "%s x%s", group->name,
                 mt_layout_format(text, layout));
        status = add_missing(predictor, subject,
                             ran_alone(&predictor->samples, g, layout)
                                 ? "it has more measurements than a model can use"
                                 : "it was not measured alone",
                             err);
    }
    return status;
}

static int list_missing(struct mt_predictor *predictor, struct mt_error *err)
{
    const struct mt_models *models = &predictor->models;
    const struct mt_cluster *cluster = predictor->problem.cluster;
    int status = MT_OK;
    for (int i = 0; status == MT_OK && i < models->nrefused; i++)
        status = add_missing(predictor, models->refused[i].subject,
                             models->refused[i].reason, err);
    for (int g = 0; status == MT_OK && g < cluster->ngroups; g++)
        status = list_unmeasured(predictor, g, err);
    return status;
}

static void find_speeds(struct mt_predictor *predictor)
{
    for (int i = 0; i < predictor->samples.count; i++) {
        const struct mt_sample *run = &predictor->samples.samples[i];
        const int g = mt_configuration_only_group(&run->configuration);
        const double speed =
            mt_program_work(predictor->problem.program, run->size,
                            mt_configuration_ranks(&run->configuration)) /
            run->seconds;
        if (g >= 0 && run->configuration.use[g].nodes == 1)
            predictor->speed_alone[g] = fmax(predictor->speed_alone[g], speed);
    }
}

/* Once the models exist: list what they lack. */
static int complete(struct mt_predictor *predictor, enum mt_model_kind kind,
                    struct mt_error *err)
{
    find_speeds(predictor);
    return kind != MT_MODEL_NT ? list_missing(predictor, err) : MT_OK;
}

int mt_predictor_load(struct mt_predictor *predictor, struct mt_store *store,
                      const struct mt_cluster *cluster,
                      const struct mt_program *program, enum mt_model_kind kind,
                      struct mt_error *err)
{
    predictor->problem = (struct mt_problem){cluster, program, &predictor->models};
    int status =
        mt_store_samples(store, &predictor->samples, cluster, program->name, err);
    if (status == MT_OK)
        status =
            mt_measured_find(&predictor->measured, &predictor->samples, NULL, 0, err);
    if (status == MT_OK)
        status = get_models(predictor, store, kind, err);
    return status == MT_OK ? complete(predictor, kind, err) : status;
}

int mt_predictor_fit(struct mt_predictor *predictor, const struct mt_cluster *cluster,
                     const struct mt_program *program, struct mt_samples *samples,
                     const struct mt_fit_options *options, struct mt_error *err)
{
    predictor->problem = (struct mt_problem){cluster, program, &predictor->models};
    predictor->samples = *samples;
    *samples = (struct mt_samples){0};
    predictor->fitted = true;
    int status =
        mt_measured_find(&predictor->measured, &predictor->samples, NULL, 0, err);
    if (status == MT_OK)
        status = mt_fit(&predictor->models, cluster, program, &predictor->samples,
                        options, err);
    return status == MT_OK ? complete(predictor, options->kind, err) : status;
}

void mt_predictor_clear(struct mt_predictor *predictor)
{
    for (int i = 0; i < predictor->nmissing; i++) {
        free(predictor->missing[i].subject);
        free(predictor->missing[i].reason);
    }
    free(predictor->missing);
    mt_measured_clear(&predictor->measured);
    mt_samples_clear(&predictor->samples);
    mt_models_clear(&predictor->models);
    *predictor = (struct mt_predictor){0};
}

int mt_predictor_add(struct mt_predictor *predictor, const struct mt_sample *sample,
                     struct mt_error *err)
{
    struct mt_samples *samples = &predictor->samples;
    const struct mt_problem *problem = &predictor->problem;
    struct mt_fit_options options = {0};
    struct mt_sample *all = realloc(samples->samples, ((size_t)samples->count + 1) *
                                                          sizeof *samples->samples);
    if (!all)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", samples->count + 1);
    samples->samples = all;
    samples->samples[samples->count++] = *sample;
    int status = mt_fit_options_copy(&options, &predictor->models.options, err);
    mt_models_clear(&predictor->models);
    mt_measured_clear(&predictor->measured);
    if (status == MT_OK)
        status = mt_measured_find(&predictor->measured, samples, NULL, 0, err);
    if (status == MT_OK)
        status = mt_fit(&predictor->models, problem->cluster, problem->program, samples,
                        &options, err);
    mt_fit_options_clear(&options);
    return status;
}

/* Whether a run had nodes of all the configuration's groups. */
static bool used_all_groups(const struct mt_configuration *run,
                            const struct mt_configuration *configuration)
{
    for (int g = 0; g < MT_MAX_GROUPS; g++)
        if (configuration->use[g].nodes > 0 && run->use[g].nodes == 0)
            return false;
    return true;
}

bool mt_predictor_guesses(const struct mt_predictor *predictor,
                          const struct mt_configuration *configuration)
{
    const int group = mt_configuration_only_group(configuration);
    const int ranks = mt_configuration_ranks(configuration);
    int fewest = INT_MAX, most = 0;
    if (predictor->problem.models->kind != MT_MODEL_AUTO)
        return false;
    for (int i = 0; i < predictor->measured.count; i++) {
        const struct mt_configuration *run = &predictor->measured.all[i].configuration;
        if (group < 0 && used_all_groups(run, configuration))
            return false;
        if (group < 0 || run->use[group].nodes == 0 ||
            mt_configuration_only_group(run) != group)
            continue;
        const int of_run = mt_configuration_ranks(run);
        fewest = of_run < fewest ? of_run : fewest;
        most = of_run > most ? of_run : most;
    }
    return group < 0 || 2.0 * ranks < fewest || ranks > 2.0 * most;
}

/* The measurement at this size, if it replaces the models' prediction. */
static const struct mt_measured *measured_of(
    const struct mt_predictor *predictor, const struct mt_configuration *configuration,
    double size)
{
    return predictor->problem.models->kind == MT_MODEL_AUTO
               ? mt_measured_at(&predictor->measured, configuration, size)
               : NULL;
}

int mt_predictor_seconds(const struct mt_predictor *predictor,
                         const struct mt_configuration *configuration, double size,
                         double *seconds, struct mt_error *err)
{
    const struct mt_measured *measured = measured_of(predictor, configuration, size);
    if (!measured)
        return mt_models_seconds(&predictor->problem, configuration, size, seconds,
                                 err);
    *seconds = measured->seconds;
    return MT_OK;
}

int mt_predictor_predict(const struct mt_predictor *predictor,
                         const struct mt_configuration *configuration, double size,
                         struct mt_prediction *prediction, struct mt_error *err)
{
    struct mt_prediction found;
    double seconds;
    int status =
        mt_models_predict(&predictor->problem, configuration, size, &found, err);
    if (status == MT_OK)
        status = mt_predictor_seconds(predictor, configuration, size, &seconds, err);
    if (status != MT_OK)
        return status;
    found.seconds = seconds;
    found.low = fmin(found.low, seconds);
    found.high = fmax(found.high, seconds);
    found.unseen = !measured_of(predictor, configuration, size) &&
                   (found.unseen || mt_predictor_guesses(predictor, configuration));
    *prediction = found;
    return MT_OK;
}
