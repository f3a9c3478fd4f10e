/* SPDX-License-Identifier: BSD-3-Clause */
/* The papers' models: which runs each is fitted to, and what is refused. N-T: one for
   each configuration; P-T and NP-T: one for each (group, layout, split). */
#include "fit.h"
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

/* The subject of a model: `before` and a configuration, or, if `before` is NULL, a
   class: "xeon x2", "xeon x2 where P % 3 == 0". NULL: no memory; the caller frees
   it. */
static char *subject_of(const struct mt_fit_task *task, const struct mt_fit_run *run,
                        const char *before)
{
    char *text = NULL, *configuration = NULL;
    char layout[MT_LAYOUT_LENGTH];
    int length = -1;
    if (before) {
        configuration =
            mt_configuration_format(&run->sample->configuration, task->cluster);
        if (configuration)
            length = asprintf(&text, "%s%s", before, configuration);
        free(configuration);
        return length < 0 ? NULL : text;
    }
    mt_layout_format(layout, run->layout);
    const char *group = task->cluster->groups[run->group].name;
    if (run->split < 0)
        length = asprintf(&text, "%s x%s", group, layout);
    else
        length = asprintf(&text, "%s x%s where %s%s%s", group, layout,
                          run->split ? "" : "not (", mt_expr_text(task->program->split),
                          run->split ? "" : ")");
    return length < 0 ? NULL : text;
}

/* Takes `subject` over, which is NULL when memory is short, as `reason` may be. */
static int refuse(struct mt_models *models, char *subject, const char *reason,
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

/*
 * Before the regression.
 */

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

/* Fill in an empty model of `kind` for runs of one class, or of one configuration:
   names, ranges, and terms, whose coefficients are 0. The caller clears it, also after
   a failure. */
static int prepare(struct mt_model *model, const struct mt_fit_task *task,
                   enum mt_model_kind kind, const struct mt_fit_run *runs, int count,
                   struct mt_error *err)
{
    const bool is_nt = task->options->kind == MT_MODEL_NT;
    struct mt_fit_options options = {.kind = kind};
    if (kind == task->options->kind) /* and not P-T's reference */
        options = *task->options;
    set_ranges(model, runs, count);
    model->split = is_nt ? -1 : runs->split;
    model->layout = runs->layout;
    if (is_nt)
        model->configuration = subject_of(task, runs, "");
    if (runs->group >= 0)
        model->group = strdup(task->cluster->groups[runs->group].name);
    if ((is_nt && !model->configuration) || (runs->group >= 0 && !model->group))
        return no_memory(err);
    model->terms_text = mt_fit_formulas(task->program, &options, err);
    if (!model->terms_text)
        return MT_ENOMEM;
    const int status = mt_terms_parse(&model->terms, model->terms_text, err);
    if (status != MT_OK)
        return status;
    const int terms = mt_terms_count(model->terms);
    if (terms > MT_MAX_TERMS)
        return mt_fail(err, MT_EINVAL, "%d terms are more than a model can have (%d)",
                       terms, MT_MAX_TERMS);
    model->coefficients = calloc((size_t)terms, sizeof *model->coefficients);
    return model->coefficients ? MT_OK : no_memory(err);
}

/*
 * Models of each kind.
 */

static int make_nt(struct mt_model *model, const struct mt_fit_task *task,
                   const struct mt_fit_run *runs, int count, struct mt_error *err)
{
    const struct mt_fit_options *options = task->options;
    const int glitches = runs[0].glitches;
    if (glitches > options->glitch_tolerance)
        return mt_fail(err, MT_ERANK, "%d glitch%s, more than %d", glitches,
                       glitches > 1 ? "es" : "", options->glitch_tolerance);
    int status = prepare(model, task, MT_MODEL_NT, runs, count, err);
    if (status == MT_OK)
        status = mt_model_regress(model, runs, count, err);
    if (status == MT_OK && options->refuse_negative && model->coefficients[0] < 0)
        status = mt_fail(err, MT_ERANK, "the coefficient of '%s' is negative: %g",
                         mt_terms_text(model->terms, 0), model->coefficients[0]);
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
    const int status = prepare(model, task, MT_MODEL_NPT, runs, count, err);
    return status != MT_OK ? status : mt_model_regress(model, runs, count, err);
}

/* The N-T models that a P-T model is joined from. */
struct joined {
    struct mt_fit_run *runs; /* owned; that they were fitted from */
    int count, models;
};

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
 * Join the N-T models of a class, whose runs are in the order of P. The reference is
 * the first, that of the smallest P on two nodes or more: there the part of the time
 * that falls with P, described by T/P, is largest. (With the largest P instead, lu and
 * jacobi on the simulated clusters have the same regrets.)
 */
static int join(struct joined *joined, struct mt_model *model,
                const struct mt_fit_task *task, const struct mt_fit_run *runs,
                int count, struct mt_error *err)
{
    for (int i = 0, end; i < count; i = end) {
        end = mt_configuration_end(runs, count, i);
        struct mt_model nt = {0};
        struct mt_error reason;
        int status = make_nt(&nt, task, &runs[i], end - i, &reason);
        if (status == MT_OK) {
            memcpy(joined->runs + joined->count, runs + i,
                   (size_t)(end - i) * sizeof *runs);
            joined->count += end - i;
            if (joined->models++ == 0)
                take_reference(model, &nt);
        } else if (status == MT_ENOMEM) {
            status = mt_fail(err, status, "%s", reason.text);
        } else {
            status = refuse(task->models, subject_of(task, &runs[i], "N-T of "),
                            reason.text, err);
        }
        mt_model_clear(&nt);
        if (status != MT_OK)
            return status;
    }
    if (joined->models == 0)
        return mt_fail(err, MT_ERANK, "no N-T model on two nodes or more to join");
    return MT_OK;
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
    int status = join(&joined, model, task, runs + skipped, count - skipped, err);
    if (status == MT_OK)
        status = prepare(model, task, MT_MODEL_PT, joined.runs, joined.count, err);
    if (status == MT_OK && joined.models < mt_terms_count(model->terms))
        status = mt_fail(err, MT_ERANK,
                         "%d N-T models (values of P on two nodes or more) are too "
                         "few: %d are needed",
                         joined.models, mt_terms_count(model->terms));
    if (status == MT_OK)
        status = mt_model_regress(model, joined.runs, joined.count, err);
    free(joined.runs);
    return status;
}

/* Make the model of the task's kind from the runs that it is for. */
static int make(struct mt_model *model, const struct mt_fit_task *task,
                const struct mt_fit_run *runs, int count, struct mt_error *err)
{
    switch (task->options->kind) {
    case MT_MODEL_NT:
        return make_nt(model, task, runs, count, err);
    case MT_MODEL_PT:
        return make_pt(model, task, runs, count, err);
    default:
        return make_npt(model, task, runs, count, err);
    }
}

int mt_fit_papers(const struct mt_fit_task *task, struct mt_error *err)
{
    const bool is_nt = task->options->kind == MT_MODEL_NT;
    for (int i = 0, end; i < task->count; i = end) {
        const struct mt_fit_run *runs = &task->runs[i];
        struct mt_model model = {0};
        struct mt_error reason;
        end = is_nt ? mt_configuration_end(task->runs, task->count, i)
                    : mt_class_end(task->runs, task->count, i);
        if (!is_nt && runs->group < 0)
            continue;
        int status = make(&model, task, runs, end - i, &reason);
        if (status == MT_OK)
            status = mt_models_add(task->models, &model, err);
        else if (status == MT_ENOMEM)
            status = mt_fail(err, status, "%s", reason.text);
        else
            status = refuse(task->models, subject_of(task, runs, is_nt ? "" : NULL),
                            reason.text, err);
        mt_model_clear(&model);
        if (status != MT_OK)
            return status;
    }
    return MT_OK;
}
