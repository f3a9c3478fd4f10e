/* SPDX-License-Identifier: BSD-3-Clause */
/* The papers' models: ordinary least squares on the seconds. */
#include "fit_papers.h"

#include "fit_runs.h"
#include "internal.h"
#include "regression.h"

#include <stdlib.h>
#include <string.h>

/* Find the coefficients of a prepared model. MT_ENOMEM is a failure; any other status
   says why the runs do not give this model. */
static int find_coefficients(struct mt_model *model, const struct mt_fit_run *runs,
                             int count, struct mt_error *err)
{
    const int unknowns = mt_terms_count(model->terms);
    if (count < unknowns)
        return mt_fail(err, MT_ERANK, "%d runs are too few for %d terms", count,
                       unknowns);
    struct mt_regression regression = {0};
    int status = mt_regression_init(&regression, 1, count, unknowns, err);
    for (int i = 0; i < count && status == MT_OK; i++) {
        double *row = mt_regression_row(&regression, i);
        regression.rows[i] =
            (struct mt_row){.size = runs[i].sample->size, .ranks = runs[i].ranks};
        row[unknowns] = runs[i].sample->seconds;
        status = mt_model_row(model, &runs[i], row, err);
    }
    struct mt_fit_error errors;
    if (status == MT_OK)
        status = mt_regression_solve(&regression, model->coefficients, &errors, err);
    mt_regression_clear(&regression);
    if (status == MT_OK) {
        model->residual = errors.residual;
        model->cross_validated = errors.cross_validated;
    }
    return status;
}

/* How a model is made from the runs that it is for. */
typedef int make_model(struct mt_model *model, const struct mt_fit_task *task,
                       const struct mt_fit_run *runs, int count, struct mt_error *err);

/* Make a model and keep it, or the reason why there is none. */
static int fit_one(const struct mt_fit_task *task, make_model *make,
                   const struct mt_fit_run *runs, int count, struct mt_error *err)
{
    struct mt_model model = {0};
    struct mt_error reason;
    int status = make(&model, task, runs, count, &reason);
    status = mt_models_add_or_refuse(task, &model, runs, status, &reason, err);
    mt_model_clear(&model);
    return status;
}

static int make_nt(struct mt_model *model, const struct mt_fit_task *task,
                   const struct mt_fit_run *runs, int count, struct mt_error *err)
{
    const struct mt_fit_options *options = task->options;
    const int glitches = runs[0].glitches;
    if (glitches > options->glitch_tolerance)
        return mt_fail(err, MT_ERANK, "%d glitch%s, more than %d", glitches,
                       glitches > 1 ? "es" : "", options->glitch_tolerance);
    int status = mt_model_prepare(model, task, MT_MODEL_NT, runs, count, err);
    if (status == MT_OK)
        status = find_coefficients(model, runs, count, err);
    if (status == MT_OK && options->refuse_negative && model->coefficients[0] < 0)
        status = mt_fail(err, MT_ERANK, "the coefficient of '%s' is negative: %g",
                         mt_terms_text(model->terms, 0), model->coefficients[0]);
    return status;
}

int mt_fit_nt(const struct mt_fit_task *task, struct mt_error *err)
{
    const struct mt_fit_runs *runs = task->runs;
    int status = MT_OK;
    for (int i = 0, end; i < runs->count && status == MT_OK; i = end) {
        end = mt_configuration_end(runs->all, runs->count, i);
        status = fit_one(task, make_nt, &runs->all[i], end - i, err);
    }
    return status;
}

/* Runs on one node have no network time: skip those at the head of a class (its runs
   are in the order of P). */
static int first_on_several_nodes(const struct mt_fit_run *runs, int count)
{
    int first = 0;
    while (first < count && runs[first].nodes < 2)
        first++;
    return first;
}

static int make_npt(struct mt_model *model, const struct mt_fit_task *task,
                    const struct mt_fit_run *runs, int count, struct mt_error *err)
{
    const int skipped = first_on_several_nodes(runs, count);
    if (skipped == count)
        return mt_fail(err, MT_ERANK, "no runs on two nodes or more");
    runs += skipped;
    count -= skipped;
    const int status = mt_model_prepare(model, task, MT_MODEL_NPT, runs, count, err);
    return status != MT_OK ? status : find_coefficients(model, runs, count, err);
}

/* The runs that a P-T model is fitted from: those with an N-T model. */
struct joined {
    struct mt_fit_run *runs; /* owned */
    int count;
    int models;                /* N-T models there are */
    struct mt_model reference; /* that of the smallest P */
};

/*
 * Join the N-T models of a class, whose runs are in the order of P. The
 * reference is the first, that of the smallest P on two nodes or more: there the part
 * of the time that falls with P, which T/P is to describe, is largest. (With the
 * largest P instead, lu and jacobi on the simulated clusters have the same regrets.)
 */
static int join(struct joined *joined, const struct mt_fit_task *task,
                const struct mt_fit_run *runs, int count, struct mt_error *err)
{
    for (int i = 0, end; i < count; i = end) {
        end = mt_configuration_end(runs, count, i);
        struct mt_model model = {0};
        struct mt_error reason;
        int status = make_nt(&model, task, &runs[i], end - i, &reason);
        if (status == MT_OK) {
            memcpy(joined->runs + joined->count, runs + i,
                   (size_t)(end - i) * sizeof *runs);
            joined->count += end - i;
            if (joined->models++ == 0) {
                joined->reference = model;
                model = (struct mt_model){0};
            }
        }
        mt_model_clear(&model);
        if (status == MT_ENOMEM)
            return mt_fail(err, status, "%s", reason.text);
        if (status != MT_OK)
            status =
                mt_models_refuse_nt(task->models, task, &runs[i], reason.text, err);
        if (status != MT_OK)
            return status;
    }
    if (joined->models == 0)
        return mt_fail(err, MT_ERANK, "no N-T model on two nodes or more to join");
    return MT_OK;
}

/* As many N-T models as the P-T model has coefficients, at least. */
static int check_joined(const struct joined *joined, const struct mt_model *model,
                        struct mt_error *err)
{
    const int needed = mt_terms_count(model->terms);
    if (joined->models < needed)
        return mt_fail(err, MT_ERANK,
                       "%d N-T models (values of P on two nodes or more) are too few: "
                       "%d are needed",
                       joined->models, needed);
    return MT_OK;
}

/* Give the reference's terms and coefficients to the model. */
static void take_reference(struct mt_model *model, struct mt_model *reference)
{
    model->reference_terms = reference->terms;
    model->reference_terms_text = reference->terms_text;
    model->reference_coefficients = reference->coefficients;
    reference->terms = NULL;
    reference->terms_text = NULL;
    reference->coefficients = NULL;
}

/*
 * Fitted to the seconds measured. Fitting to the N-T models' values at the same sizes,
 * as the papers say, gives the same coefficients where, for each P, every term is a
 * combination of the N-T terms, as those of the papers are: the residuals of the N-T
 * model are orthogonal to it.
 */
static int make_pt(struct mt_model *model, const struct mt_fit_task *task,
                   const struct mt_fit_run *runs, int count, struct mt_error *err)
{
    const int skipped = first_on_several_nodes(runs, count);
    struct joined joined = {.runs = calloc((size_t)count, sizeof *joined.runs)};
    if (!joined.runs)
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", count);
    int status = join(&joined, task, runs + skipped, count - skipped, err);
    if (status == MT_OK)
        status =
            mt_model_prepare(model, task, MT_MODEL_PT, joined.runs, joined.count, err);
    if (status == MT_OK)
        status = check_joined(&joined, model, err);
    if (status == MT_OK) {
        take_reference(model, &joined.reference);
        status = find_coefficients(model, joined.runs, joined.count, err);
    }
    mt_model_clear(&joined.reference);
    free(joined.runs);
    return status;
}

/* One model for each (group, layout, split) with homogeneous runs. */
static int fit_classes(const struct mt_fit_task *task, make_model *make,
                       struct mt_error *err)
{
    const struct mt_fit_runs *runs = task->runs;
    int status = MT_OK;
    for (int i = 0, end; i < runs->count && status == MT_OK; i = end) {
        end = mt_class_end(runs->all, runs->count, i);
        if (runs->all[i].group >= 0)
            status = fit_one(task, make, &runs->all[i], end - i, err);
    }
    return status;
}

int mt_fit_pt(const struct mt_fit_task *task, struct mt_error *err)
{
    return fit_classes(task, make_pt, err);
}

int mt_fit_npt(const struct mt_fit_task *task, struct mt_error *err)
{
    return fit_classes(task, make_npt, err);
}
