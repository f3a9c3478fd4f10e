/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/fit.h"
#include "fit_parts.h"

const char mt_default_terms_nt[] = "N^3, N^2, N, 1";
const char mt_default_terms_pt[] = "T/P, P*T, 1";
const char mt_default_terms_npt[] = "N^3/P, N^2/P, N/P, 1/P, P*N^2, P*N, P, N^2, N, 1";
const char mt_default_terms_auto[] =
    "N^3/P, N^2/P, N/P, 1/P, P*N^2, P*N, P, N^2, N, 1, "
    "ceil(log2(P))*N^2, ceil(log2(P))*N, ceil(log2(P))";

const struct mt_terms *mt_fit_terms(const struct mt_program *program,
                                    enum mt_model_kind kind, const char **defaults)
{
    switch (kind) {
    case MT_MODEL_NT:
        *defaults = mt_default_terms_nt;
        return program->terms_nt;
    case MT_MODEL_PT:
        *defaults = mt_default_terms_pt;
        return program->terms_pt;
    case MT_MODEL_NPT:
        *defaults = mt_default_terms_npt;
        return program->terms_npt;
    case MT_MODEL_AUTO:
    case MT_NMODEL_KINDS:
        break;
    }
    *defaults = mt_default_terms_auto;
    return program->terms_auto ? program->terms_auto : program->terms_npt;
}

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
        return mt_fail(err, MT_ERANK, "no runs that a %s model can be fitted from",
                       kind);
    return mt_fail(err, MT_ERANK, "no %s model: '%s': %s%s", kind,
                   models->refused[0].subject, models->refused[0].reason,
                   models->nrefused > 1 ? " (and others)" : "");
}

int mt_fit(struct mt_models *models, const struct mt_cluster *cluster,
           const struct mt_program *program, const struct mt_sample *samples,
           int nsamples, const struct mt_fit_options *options, struct mt_error *err)
{
    struct mt_models made = {.kind = options->kind};
    struct mt_observations observations = {0};
    const struct mt_fit_task task = {.cluster = cluster,
                                     .program = program,
                                     .options = options,
                                     .observations = &observations,
                                     .models = &made};
    int status = mt_observations_init(&observations, program, samples, nsamples, err);
    if (status == MT_OK && options->glitch_k > 0)
        status = mt_observations_drop_glitches(&observations, options->glitch_k,
                                               cluster, program, &made, err);
    if (status == MT_OK)
        status = fit_kind(&task, err);
    if (status == MT_OK && made.count == 0)
        status = all_refused(&made, err);
    mt_observations_clear(&observations);
    if (status == MT_OK || status == MT_ERANK)
        *models = made;
    else
        mt_models_clear(&made);
    return status;
}
