/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything that predicts, loaded from a store: models, calibration, failed runs. */
#include "internal.h"
#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "lib/store/internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether the models were fitted to every group that was run alone: the cluster may not
   have had all of them then. */
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

/* Whether the models were made from what the program says now. */
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

/* Whether the program's split still sorts the P that the models were fitted to into the
   same models. */
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

/* Whether the models know the newest figures of the cluster's links. */
static bool links_are_current(const struct mt_predictor *predictor)
{
    const struct mt_models *models = &predictor->models;
    return models->kind != MT_MODEL_AUTO ||
           models->mixture.checked == mt_link_figures_newest(&predictor->samples.links);
}

static bool models_are_current(const struct mt_predictor *predictor)
{
    const struct mt_models *models = &predictor->models;
    const struct mt_program *program = predictor->problem.program;
    return models->newest_run >= predictor->samples.newest_run &&
           mt_mixture_current(&models->mixture, predictor->problem.cluster) &&
           links_are_current(predictor) && groups_are_current(predictor) &&
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
    mt_models_clear(models);
    predictor->fitted = status == MT_OK;
    if (status == MT_OK)
        status = mt_fit(models, problem->cluster, problem->program, &predictor->samples,
                        &options, err);
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

/* What was not even measured. */
static int list_unmeasured(struct mt_predictor *predictor, const struct mt_group *group,
                           struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; status == MT_OK && i < group->nlayouts && group->nodes > 0; i++) {
        const struct mt_layout layout = group->layouts[i];
        char subject[128], text[MT_LAYOUT_LENGTH];
        if (mt_group_leaves_cores(group, layout) ||
            mt_models_cover(&predictor->models, group->name, layout))
            continue;
        snprintf(subject, sizeof subject, "%s x%s", group->name,
                 mt_layout_format(text, layout));
        status = add_missing(predictor, subject, "it was not measured alone", err);
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
        status = list_unmeasured(predictor, &cluster->groups[g], err);
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

/* Whether runs of the configuration at that size are made to train models. */
static bool is_training(const struct mt_program *program,
                        const struct mt_configuration *configuration, double size)
{
    bool measured_size = false;
    for (int i = 0; i < program->nmeasure_sizes; i++)
        measured_size |= program->measure_sizes[i] == size;
    return measured_size && mt_configuration_only_group(configuration) >= 0;
}

static int compare_counts(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* How often a configuration was run at a size to train the models: the median. What was
   run more often than that was run to verify a plan. */
static int count_repeats(struct mt_predictor *predictor, struct mt_error *err)
{
    const struct mt_measured_list *measured = &predictor->measured;
    int *runs = calloc((size_t)measured->count + 1, sizeof *runs), count = 0;
    if (!runs)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", measured->count);
    for (int i = 0; i < measured->count; i++) {
        const struct mt_measured *place = &measured->all[i];
        if (is_training(predictor->problem.program, &place->configuration, place->size))
            runs[count++] = place->runs;
    }
    qsort(runs, (size_t)count, sizeof *runs, compare_counts);
    predictor->repeats = runs[count / 2];
    free(runs);
    return MT_OK;
}

/* How many runs of the same configuration and size came before run i. */
static int runs_before(const struct mt_samples *samples, int i)
{
    int count = 0;
    for (int k = 0; k < i; k++)
        count += samples->samples[k].size == samples->samples[i].size &&
                 mt_configuration_equal(&samples->samples[k].configuration,
                                        &samples->samples[i].configuration);
    return count;
}

/* Whether a run is training however often it was made: below all sizes that are planned
   for nothing is verified, and what was run again was in doubt. */
static bool is_only_training(const struct mt_program *program,
                             const struct mt_sample *run)
{
    for (int i = 0; i < program->nplan_sizes; i++)
        if (program->plan_sizes[i] <= run->size)
            return false;
    return program->nplan_sizes > 0 &&
           is_training(program, &run->configuration, run->size);
}

/* Whether run i is beyond the training, and the models can predict it. */
static bool is_correction(const struct mt_predictor *predictor, int i)
{
    const struct mt_sample *run = &predictor->samples.samples[i];
    if (is_training(predictor->problem.program, &run->configuration, run->size) &&
        (is_only_training(predictor->problem.program, run) ||
         runs_before(&predictor->samples, i) < predictor->repeats))
        return false;
    struct mt_prediction prediction;
    return mt_models_predict(&predictor->problem, &run->configuration, run->size,
                             &prediction, NULL) == MT_OK;
}

bool mt_predictor_calibrated_by(const struct mt_predictor *predictor, int i)
{
    const struct mt_sample *samples = predictor->samples.samples, *run = &samples[i];
    const bool only_training = is_only_training(predictor->problem.program, run);
    if (is_correction(predictor, i))
        return true;
    for (int k = 0; k < predictor->samples.count; k++) {
        const struct mt_configuration *other = &samples[k].configuration;
        if (k == i || samples[k].size != run->size)
            continue;
        if ((mt_configuration_equal(other, &run->configuration) && !only_training) ||
            (k < i && mt_configuration_only_group(other) < 0))
            return true;
    }
    return false;
}

static int calibrate(struct mt_predictor *predictor, struct mt_error *err)
{
    const struct mt_samples *all = &predictor->samples;
    struct mt_sample *chosen = calloc((size_t)all->count + 1, sizeof *chosen);
    if (!chosen)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", all->count);
    int count = 0;
    for (int i = 0; i < all->count; i++) {
        if (mt_predictor_calibrated_by(predictor, i))
            chosen[count++] = all->samples[i];
        predictor->corrections += is_correction(predictor, i);
    }
    const int status = mt_calibration_init(&predictor->calibration, &predictor->problem,
                                           chosen, count, err);
    free(chosen);
    return status;
}

/* When the models are there: what they lack, and by what they are corrected. */
static int complete(struct mt_predictor *predictor, enum mt_model_kind kind,
                    struct mt_error *err)
{
    int status = MT_OK;
    find_speeds(predictor);
    if (kind != MT_MODEL_NT)
        status = list_missing(predictor, err);
    if (status == MT_OK && kind == MT_MODEL_AUTO)
        status = count_repeats(predictor, err);
    if (status == MT_OK && kind == MT_MODEL_AUTO)
        status = calibrate(predictor, err);
    return status;
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
    mt_calibration_clear(&predictor->calibration);
    mt_measured_clear(&predictor->measured);
    mt_samples_clear(&predictor->samples);
    mt_models_clear(&predictor->models);
    *predictor = (struct mt_predictor){0};
}

int mt_predictor_correct(const struct mt_predictor *predictor,
                         const struct mt_configuration *configuration, double size,
                         struct mt_prediction *prediction, double *deviation,
                         struct mt_error *err)
{
    if (mt_predictor_knows(predictor, size))
        return mt_calibration_predict(&predictor->calibration, configuration, size,
                                      prediction, deviation, err);
    if (deviation)
        *deviation = 0;
    return mt_models_predict(&predictor->problem, configuration, size, prediction, err);
}

bool mt_predictor_knows(const struct mt_predictor *predictor, double size)
{
    if (predictor->corrections > 0)
        return true;
    if (predictor->problem.models->kind != MT_MODEL_AUTO)
        return false;
    for (int i = 0; i < predictor->samples.nfailed; i++)
        if (predictor->samples.failed[i].size == size)
            return true;
    return mt_measured_any(&predictor->measured, size);
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
        const int of_run = mt_configuration_ranks(run);
        if (group < 0 && used_all_groups(run, configuration))
            return false;
        if (group < 0 || mt_configuration_only_group(run) != group)
            continue;
        fewest = of_run < fewest ? of_run : fewest;
        most = of_run > most ? of_run : most;
    }
    return group < 0 || 2.0 * ranks < fewest || ranks > 2.0 * most;
}

/* How many deviations are added to what did not run: the best of 0, 0.25, 0.5, 0.75, 1
   and 2 on the recorded clusters, and on clusters that nobody looked at. */
static const double caution = 0.5;

double mt_with_caution(double value, double deviation)
{
    return value * exp(caution * deviation);
}

/* Let another time be expected, as surely. */
static void expect(struct mt_prediction *prediction, double seconds)
{
    const double factor = seconds / prediction->seconds;
    prediction->seconds = seconds;
    prediction->low *= factor;
    prediction->high *= factor;
}

int mt_predictor_predict(const struct mt_predictor *predictor,
                         const struct mt_configuration *configuration, double size,
                         struct mt_prediction *prediction, struct mt_error *err)
{
    const struct mt_measured *measured =
        mt_predictor_knows(predictor, size)
            ? mt_measured_at(&predictor->measured, configuration, size)
            : NULL;
    double deviation;
    const int status = mt_predictor_correct(predictor, configuration, size, prediction,
                                            &deviation, err);
    if (status != MT_OK)
        return status;
    if (measured)
        expect(prediction, measured->seconds);
    else
        prediction->seconds = mt_with_caution(prediction->seconds, deviation);
    prediction->unseen = !measured && (prediction->unseen ||
                                       mt_predictor_guesses(predictor, configuration));
    return MT_OK;
}

int mt_predictor_corrections_at(const struct mt_predictor *predictor, double size)
{
    int count = 0;
    for (int i = 0; predictor->corrections > 0 && i < predictor->samples.count; i++)
        count +=
            predictor->samples.samples[i].size == size && is_correction(predictor, i);
    return count;
}
