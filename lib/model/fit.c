/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits the models of all groups. */
#include "fit_mixture.h"
#include "fit_models.h"
#include "fit_runs.h"
#include "internal.h"

#include <stdbool.h>

static int fit_kind(const struct mt_fit_task *task, struct mt_error *err)
{
    switch (task->options->kind) {
    case MT_MODEL_NT:
        return mt_fit_nt(task, err);
    case MT_MODEL_PT:
        return mt_fit_pt(task, err);
    case MT_MODEL_NPT:
        return mt_fit_npt(task, err);
    case MT_MODEL_AUTO:
        return mt_fit_auto(task, err);
    case MT_NMODEL_KINDS:
        break;
    }
    return mt_fail(err, MT_EINVAL, "no kind of model: %d", (int)task->options->kind);
}

/* What is said when not a single model came out. */
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

static const char variable_names[MT_NVARIABLES] = {
    [MT_N] = 'N', [MT_P] = 'P', [MT_M] = 'M', [MT_T] = 'T'};

/* Whether terms of the kind may depend on the variable. */
static bool is_allowed(enum mt_model_kind kind, enum mt_variable variable)
{
    switch (kind) {
    case MT_MODEL_NT:
        return variable == MT_N;
    case MT_MODEL_PT:
        return variable == MT_P || variable == MT_T;
    case MT_MODEL_NPT:
        return variable == MT_N || variable == MT_P;
    default:
        return variable != MT_T;
    }
}

static int check_terms(const struct mt_fit_options *options, struct mt_error *err)
{
    struct mt_terms *terms = NULL;
    int status = options->terms ? mt_terms_parse(&terms, options->terms, err) : MT_OK;
    for (int i = 0; terms && status == MT_OK && i < mt_terms_count(terms); i++)
        for (int variable = 0; variable < MT_NVARIABLES && status == MT_OK; variable++)
            if (mt_terms_use(terms, i, (enum mt_variable)variable) &&
                !is_allowed(options->kind, (enum mt_variable)variable))
                status = mt_fail(
                    err, MT_EINVAL, "term '%s' of %s models cannot depend on %c",
                    mt_terms_text(terms, i), mt_model_kind_name(options->kind),
                    variable_names[variable]);
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
    struct mt_models made = {.kind = options->kind, .newest_run = samples->newest_run};
    struct mt_fit_runs runs = {0};
    const struct mt_fit_task task = {.cluster = cluster,
                                     .program = program,
                                     .options = options,
                                     .runs = &runs,
                                     .links = &samples->links,
                                     .models = &made};
    int status = check_terms(options, err);
    if (status == MT_OK)
        status = mt_fit_options_copy(&made.options, options, err);
    if (status == MT_OK) {
        made.formulas = mt_fit_formulas(program, options, err);
        status = made.formulas ? MT_OK : MT_ENOMEM;
    }
    if (status == MT_OK)
        status = mt_fit_runs_init(&runs, &task, samples, err);
    if (status == MT_OK && options->glitch_k > 0)
        status = mt_fit_runs_drop_glitches(&runs, &task, err);
    if (status == MT_OK)
        status = fit_kind(&task, err);
    if (status == MT_OK && made.count == 0)
        status = all_refused(&made, err);
    if (status == MT_OK && options->kind == MT_MODEL_AUTO)
        status = mt_fit_mixture(&task, err);
    mt_fit_runs_clear(&runs);
    if (status == MT_OK || status == MT_ERANK)
        *models = made;
    else
        mt_models_clear(&made);
    return status;
}
