/* SPDX-License-Identifier: BSD-3-Clause */
#include "models.h"

#include "motley/store.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int take_run(struct mt_samples *samples, const struct mt_run *run,
                    const struct mt_cluster *cluster)
{
    struct mt_sample *sample = &samples->samples[samples->count];
    const int status = mt_configuration_parse(&sample->configuration, cluster,
                                              run->configuration, NULL);
    if (status == MT_ENOMEM)
        return status;
    if (run->id > samples->newest_run)
        samples->newest_run = run->id;
    if (status != MT_OK) {
        samples->left_out++;
        return MT_OK;
    }
    sample->size = run->size;
    sample->seconds = run->seconds;
    samples->count++;
    return MT_OK;
}

static int take_failed_run(struct mt_samples *samples, const struct mt_run *run,
                           const struct mt_cluster *cluster)
{
    struct mt_sample *sample = &samples->failed[samples->nfailed];
    if (run->absent) /* a node's fault, which other nodes may not have */
        return MT_OK;
    const int status = mt_configuration_parse(&sample->configuration, cluster,
                                              run->configuration, NULL);
    sample->size = run->size;
    samples->nfailed += status == MT_OK;
    return status == MT_ENOMEM ? status : MT_OK;
}

static int take_samples(struct mt_samples *samples, struct mt_store *store,
                        const struct mt_inputs *inputs, struct mt_error *err)
{
    const struct mt_run_filter filter = {.cluster = inputs->cluster.name,
                                         .program = inputs->program.name};
    struct mt_runs runs = {0};
    struct mt_samples loaded = {0};
    int status = mt_store_runs(store, &runs, &filter, err);
    if (status != MT_OK)
        return status;
    loaded.samples = calloc((size_t)runs.count + 1, sizeof *loaded.samples);
    loaded.failed = calloc((size_t)runs.count + 1, sizeof *loaded.failed);
    if (!loaded.samples || !loaded.failed)
        status = MT_ENOMEM;
    for (int i = 0; i < runs.count && status == MT_OK; i++) {
        const struct mt_run *run = &runs.runs[i];
        status = run->outcome == MT_RUN_OK
                     ? take_run(&loaded, run, &inputs->cluster)
                     : take_failed_run(&loaded, run, &inputs->cluster);
    }
    mt_runs_clear(&runs);
    if (status != MT_OK) {
        mt_samples_clear(&loaded);
        return mt_fail(err, status, "no memory for the runs");
    }
    *samples = loaded;
    return MT_OK;
}

int mt_samples_load(struct mt_samples *samples, const struct mt_inputs *inputs,
                    struct mt_error *err)
{
    struct mt_store *store = NULL;
    int status = mt_store_open(&store, mt_common.db, MT_STORE_READ, err);
    if (status != MT_OK)
        return status;
    status = take_samples(samples, store, inputs, err);
    mt_store_close(store);
    return status;
}

void mt_samples_clear(struct mt_samples *samples)
{
    free(samples->samples);
    free(samples->failed);
    *samples = (struct mt_samples){0};
}

static bool is_among(const struct mt_sample *list, int count,
                     const struct mt_configuration *configuration, double size)
{
    for (int i = 0; i < count; i++)
        if (list[i].size == size &&
            mt_configuration_equal(&list[i].configuration, configuration))
            return true;
    return false;
}

bool mt_samples_failed(const struct mt_samples *samples,
                       const struct mt_configuration *configuration, double size)
{
    return is_among(samples->failed, samples->nfailed, configuration, size) &&
           !is_among(samples->samples, samples->count, configuration, size);
}

double mt_samples_mean(const struct mt_samples *samples,
                       const struct mt_configuration *configuration, double size,
                       int *runs)
{
    double sum = 0;
    *runs = 0;
    for (int i = 0; i < samples->count; i++) {
        const struct mt_sample *sample = &samples->samples[i];
        if (sample->size != size ||
            !mt_configuration_equal(&sample->configuration, configuration))
            continue;
        sum += log(sample->seconds);
        ++*runs;
    }
    return *runs > 0 ? exp(sum / *runs) : NAN;
}

/* Whether a refusal is of that (group, M), perhaps "where" the program's split holds.
 */
static bool is_refusal_of(const struct mt_refusal *refusal, const char *group,
                          int processes)
{
    char subject[128];
    const size_t length =
        (size_t)snprintf(subject, sizeof subject, "%s x%d", group, processes);
    return length < sizeof subject && strncmp(refusal->subject, subject, length) == 0 &&
           (refusal->subject[length] == 0 || refusal->subject[length] == ' ');
}

bool mt_models_cover(const struct mt_models *models, const char *group, int processes)
{
    for (int i = 0; i < models->count; i++) {
        const struct mt_model *model = &models->models[i];
        if (model->group && model->processes == processes &&
            strcmp(model->group, group) == 0)
            return true;
    }
    for (int i = 0; i < models->nrefused; i++)
        if (is_refusal_of(&models->refused[i], group, processes))
            return true;
    return false;
}

/* Whether the models were fitted to every group that was run alone: the cluster may not
   have had all of them then. */
static bool groups_are_current(const struct mt_models *models,
                               const struct mt_samples *samples,
                               const struct mt_cluster *cluster)
{
    if (models->kind == MT_MODEL_NT || models->options.sizes)
        return true;
    for (int i = 0; i < samples->count; i++) {
        const struct mt_configuration *run = &samples->samples[i].configuration;
        const int g = mt_configuration_only_group(run);
        if (g >= 0 &&
            !mt_models_cover(models, cluster->groups[g].name, run->use[g].processes))
            return false;
    }
    return true;
}

/* Whether the models were fitted with the terms that the program asks for now. */
static bool terms_are_current(const struct mt_models *models,
                              const struct mt_program *program)
{
    if (models->count == 0)
        return false;
    char *wanted = mt_fit_terms(program, &models->options, NULL);
    const bool current = wanted && strcmp(models->models[0].terms_text, wanted) == 0;
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
            mt_models_find(models, program, model->group, model->processes,
                           model->ranks_low) != model ||
            mt_models_find(models, program, model->group, model->processes,
                           model->ranks_high) != model)
            return false;
    }
    return true;
}

/* The stored models, if they are up to date; otherwise `models` stays empty. `options`,
   which are those for models that are not stored, become those of the stored ones. */
static int load_models(struct mt_models *models, struct mt_fit_options *options,
                       struct mt_store *store, const struct mt_inputs *inputs,
                       const struct mt_samples *samples, struct mt_error *err)
{
    int status = mt_store_get_models(store, inputs->cluster.name, inputs->program.name,
                                     options->kind, models, err);
    if (status == MT_ENOTFOUND)
        return MT_OK;
    if (status == MT_OK)
        status = mt_fit_options_copy(options, &models->options, err);
    if (status != MT_OK || models->newest_run < samples->newest_run ||
        !groups_are_current(models, samples, &inputs->cluster) ||
        !terms_are_current(models, &inputs->program) ||
        !split_is_current(models, &inputs->program))
        mt_models_clear(models);
    return status;
}

static int fit_samples(struct mt_models *models, const struct mt_samples *samples,
                       const struct mt_inputs *inputs,
                       const struct mt_fit_options *options, struct mt_error *err)
{
    if (samples->left_out > 0)
        fprintf(stderr,
                "motley: %d runs are left out: '%s' has not got their configurations\n",
                samples->left_out, inputs->cluster.name);
    if (samples->count == 0)
        return mt_fail(err, MT_ENOTFOUND,
                       "no runs of '%s' on '%s' in '%s': 'motley measure' makes them",
                       inputs->program.name, inputs->cluster.name, mt_common.db);
    const int status = mt_fit(models, &inputs->cluster, &inputs->program,
                              samples->samples, samples->count, options, err);
    models->newest_run = samples->newest_run;
    return status;
}

int mt_models_fit(struct mt_models *models, const struct mt_inputs *inputs,
                  const struct mt_fit_options *options, struct mt_error *err)
{
    struct mt_samples samples = {0};
    int status = mt_samples_load(&samples, inputs, err);
    if (status == MT_OK)
        status = fit_samples(models, &samples, inputs, options, err);
    mt_samples_clear(&samples);
    return status;
}

int mt_models_keep(const struct mt_models *models, const struct mt_inputs *inputs,
                   struct mt_error *err)
{
    struct mt_store *store = NULL;
    int status = mt_store_open(&store, mt_common.db, MT_STORE_WRITE, err);
    if (status != MT_OK)
        return status;
    status = mt_store_put_models(store, inputs->cluster.name, inputs->program.name,
                                 models, err);
    mt_store_close(store);
    return status;
}

/* What can go wrong in keeping the models does not matter to who wants to predict with
   them. */
static int fit_again(struct mt_models *models, const struct mt_samples *samples,
                     const struct mt_inputs *inputs,
                     const struct mt_fit_options *options, struct mt_error *err)
{
    const int status = fit_samples(models, samples, inputs, options, err);
    if (status != MT_OK) {
        mt_models_clear(models);
        return status;
    }
    struct mt_error why;
    if (mt_models_keep(models, inputs, &why) != MT_OK)
        fprintf(stderr, "motley: the models are not kept: %s\n", why.text);
    return MT_OK;
}

int mt_models_ready(struct mt_models *models, struct mt_samples *samples,
                    const struct mt_inputs *inputs, enum mt_model_kind kind,
                    struct mt_error *err)
{
    struct mt_store *store = NULL;
    struct mt_samples loaded = {0};
    struct mt_fit_options options = {.kind = kind};
    int status = mt_store_open(&store, mt_common.db, MT_STORE_READ, err);
    if (status != MT_OK)
        return status;
    status = take_samples(&loaded, store, inputs, err);
    if (status == MT_OK)
        status = load_models(models, &options, store, inputs, &loaded, err);
    mt_store_close(store);
    if (status == MT_OK && models->count == 0)
        status = fit_again(models, &loaded, inputs, &options, err);
    mt_fit_options_clear(&options);
    if (status == MT_OK)
        *samples = loaded;
    else
        mt_samples_clear(&loaded);
    return status;
}
