/* SPDX-License-Identifier: BSD-3-Clause */
#include "fit_auto.h"

#include "fit_runs.h"
#include "internal.h"
#include "joint.h"
#include "work_form.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Relative errors, coefficients >= 0, all groups and processes per node fitted together
 * (joint.h). What the time is made of is chosen from a library of terms (library.h) by
 * cross-validation (selection.h).
 */

/* A form of the work that suited one node less takes the place of another only if its
   error is below this share of that one's. */
static const double better_form = 0.95;
/* Where nothing is chosen. */
static const double plain_ridge = 0.003;

/* The coefficient of a term for a class. */
static double coefficient(const struct mt_joint_fit *joint, int term,
                          const struct mt_class *class)
{
    double sum = 0;
    for (int j = 0; j < joint->nunknowns; j++)
        sum += joint->selected.x[j] *
               mt_joint_fit_share(joint, &joint->unknowns[j], class, term);
    return sum;
}

/* The terms that some model has, as text, and how many; the caller frees it. */
static char *chosen_terms(const struct mt_joint_fit *joint, bool *chosen)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    for (int t = 0; t < joint->library.count; t++) {
        chosen[t] = joint->library.given;
        for (int c = 0; c < joint->nclasses && !chosen[t]; c++)
            chosen[t] = coefficient(joint, t, &joint->classes[c]) > 0;
        if (chosen[t])
            fprintf(stream, "%s%s", ftell(stream) > 0 ? ", " : "",
                    mt_expr_text(joint->library.terms[t].expr));
    }
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* The range of N of the runs first .. end - 1. */
static void set_sizes(struct mt_model *model, const struct mt_joint_fit *joint,
                      int first, int end)
{
    model->size_low = model->size_high = joint->runs[first].sample->size;
    for (int i = first + 1; i < end; i++) {
        model->size_low = fmin(model->size_low, joint->runs[i].sample->size);
        model->size_high = fmax(model->size_high, joint->runs[i].sample->size);
    }
}

/* What is known of the network is known of all P that were run. Where a class has no
   runs, or those of a single size, what is known of the main work is from its group. */
static void set_ranges(struct mt_model *model, const struct mt_joint_fit *joint,
                       const struct mt_class *class)
{
    model->ranks_low = model->ranks_high = joint->runs[0].ranks;
    for (int i = 1; i < joint->nruns; i++) {
        const int ranks = joint->runs[i].ranks;
        model->ranks_low = ranks < model->ranks_low ? ranks : model->ranks_low;
        model->ranks_high = ranks > model->ranks_high ? ranks : model->ranks_high;
    }
    if (class->first < class->end)
        set_sizes(model, joint, class->first, class->end);
    if (class->first < class->end && model->size_low < model->size_high)
        return;
    int first = 0, end;
    while (joint->runs[first].group != class->group)
        first++;
    for (end = first + 1; end < joint->nruns && joint->runs[end].group == class->group;)
        end++;
    set_sizes(model, joint, first, end);
}

static void set_errors(struct mt_model *model, const struct mt_joint_fit *joint,
                       const struct mt_class *class)
{
    double all = 0, own = 0, residuals = 0;
    int nall = 0, nown = 0;
    for (int i = 0; i < joint->nruns; i++) {
        if (isnan(joint->selected.held[i]))
            continue;
        const bool mine = i >= class->first && i < class->end;
        all += joint->selected.held[i];
        nall++;
        own += mine ? joint->selected.held[i] : 0;
        nown += mine;
    }
    for (int i = class->first; i < class->end; i++) {
        const double error =
            mt_model_seconds(model, joint->runs[i].sample->size, joint->runs[i].ranks) /
                joint->runs[i].sample->seconds -
            1;
        residuals += error * error;
    }
    /* what is known of all models counts as so many runs of this one */
    enum { RUNS_OF_ALL = 4 };
    model->cross_validated =
        nall > 0 ? sqrt((own + RUNS_OF_ALL * all / nall) / (nown + RUNS_OF_ALL)) : NAN;
    model->residual = class->end > class->first
                          ? sqrt(residuals / (class->end - class->first))
                          : model->cross_validated;
}

static int make_model(struct mt_model *model, const struct mt_joint_fit *joint,
                      const struct mt_class *class, const char *terms,
                      const bool *chosen, struct mt_error *err)
{
    const struct mt_group *group = &joint->task->cluster->groups[class->group];
    *model = (struct mt_model){.group = strdup(group->name),
                               .layout = class->layout,
                               .split = -1,
                               .terms_text = strdup(terms),
                               .runs = class->end - class->first};
    if (!model->group || !model->terms_text)
        return mt_joint_fit_no_memory(joint, err);
    int status = mt_terms_parse(&model->terms, terms, err);
    if (status != MT_OK)
        return status;
    const int count = mt_terms_count(model->terms);
    if (count > MT_MAX_TERMS)
        return mt_fail(err, MT_EINVAL, "%d terms are more than a model can have (%d)",
                       count, MT_MAX_TERMS);
    model->coefficients = calloc((size_t)count, sizeof *model->coefficients);
    model->serial = calloc((size_t)count, sizeof *model->serial);
    if (!model->coefficients || !model->serial)
        return mt_joint_fit_no_memory(joint, err);
    for (int t = 0, i = 0; t < joint->library.count; t++) {
        if (!chosen[t])
            continue;
        model->coefficients[i] = coefficient(joint, t, class);
        model->serial[i++] = joint->library.terms[t].role == MT_ROLE_SERIAL;
    }
    set_ranges(model, joint, class);
    set_errors(model, joint, class);
    return MT_OK;
}

/* Which kinds of messages no run had. */
static void find_regimes(const struct mt_joint_fit *joint)
{
    struct mt_models *models = joint->task->models;
    models->never_inside = models->never_across = true;
    for (int i = 0; i < joint->nruns; i++) {
        const struct mt_fit_run *run = &joint->runs[i];
        models->never_across = models->never_across && run->nodes == 1;
        models->never_inside =
            models->never_inside && (run->nodes > 1 || run->ranks == 1);
    }
}

static int make_models(struct mt_joint_fit *joint, struct mt_error *err)
{
    find_regimes(joint);
    bool *chosen = calloc((size_t)joint->library.count + 1, sizeof *chosen);
    char *terms = chosen ? chosen_terms(joint, chosen) : NULL;
    int status = terms ? MT_OK : mt_joint_fit_no_memory(joint, err);
    for (int c = 0; terms && c < joint->nclasses && status == MT_OK; c++) {
        struct mt_model model = {0};
        status = make_model(&model, joint, &joint->classes[c], terms, chosen, err);
        if (status == MT_OK)
            status = mt_models_add(joint->task->models, &model, err);
        mt_model_clear(&model);
    }
    free(terms);
    free(chosen);
    return status;
}

/* `ridge` above 0: what is fixed is taken, and nothing else. */
static int select_terms(struct mt_joint_fit *joint, double ridge, struct mt_error *err)
{
    free(joint->selected.taken);
    free(joint->selected.x);
    free(joint->selected.held);
    joint->selected.taken = calloc((size_t)joint->nsets + 1, sizeof(bool));
    joint->selected.x = calloc((size_t)joint->nunknowns + 1, sizeof(double));
    joint->selected.held = calloc((size_t)joint->nruns + 1, sizeof(double));
    if (!joint->selected.taken || !joint->selected.x || !joint->selected.held)
        return mt_joint_fit_no_memory(joint, err);
    const struct mt_selection selection = {.rows = joint->rows,
                                           .nrows = joint->nruns,
                                           .ncolumns = joint->nunknowns,
                                           .nsets = joint->nsets,
                                           .nfolds = joint->nfolds,
                                           .set = joint->set,
                                           .fixed = joint->fixed,
                                           .first =
                                               ridge > 0 ? joint->fixed : joint->begun,
                                           .ridge = ridge,
                                           .held = joint->held,
                                           .judged = joint->judged};
    return mt_select(&joint->selected, &selection, err);
}

/* The least that the models say of a run, relative to its seconds; NaN where sizes or
   times near the ends of what a number can hold overflow on the way. */
static double least_value(const struct mt_joint_fit *joint)
{
    double least = INFINITY;
    for (int i = 0; i < joint->nruns; i++) {
        const struct mt_sparse_row *row = &joint->rows[i];
        double sum = 0;
        for (int k = 0; k < row->count; k++)
            sum += joint->selected.x[row->columns[k]] * row->values[k];
        if (!isfinite(sum))
            return NAN;
        least = fmin(least, sum);
    }
    return least;
}

/* Runs that contradict each other can leave a group without its main work: then that is
   all that is taken, as nothing else can stand for it. */
static int check_values(struct mt_joint_fit *joint, struct mt_error *err)
{
    const double least = least_value(joint);
    if (isnan(least))
        return mt_fail(err, MT_EINVAL, "the values to fit are too large or too small");
    return least > 0 ? MT_OK : select_terms(joint, plain_ridge, err);
}

static int choose_terms(struct mt_joint_fit *joint, const char *work,
                        struct mt_error *err)
{
    const struct mt_fit_task *task = joint->task;
    int status = mt_library_make(&joint->library, task->program, task->options->terms,
                                 work, err);
    if (status == MT_OK)
        status = mt_joint_fit_refuse_without_value(joint, err);
    if (status != MT_OK || joint->nruns == 0)
        return status;
    status = mt_joint_fit_prepare(joint, err);
    if (status == MT_OK)
        status = mt_joint_fit_make_folds(joint, err);
    return status == MT_OK ? select_terms(joint, 0, err) : status;
}

/* Of the forms that the work may have, the one whose terms predict best. Models that a
   trial refuses are not those of the fit. */
static int find_work(char **work, const struct mt_joint_fit *joint,
                     struct mt_error *err)
{
    struct mt_models of_trials = {.kind = joint->task->options->kind};
    struct mt_fit_task task = *joint->task;
    task.models = &of_trials;
    char *works[MT_WORK_FORMS] = {NULL};
    double best = INFINITY;
    int status = mt_work_forms_find(works, joint->runs, joint->nruns, err);
    for (int i = 0; i < MT_WORK_FORMS && works[i] && status == MT_OK; i++) {
        struct mt_joint_fit trial = {.task = &task, .nruns = joint->nruns};
        trial.runs = calloc((size_t)joint->nruns + 1, sizeof *trial.runs);
        if (!trial.runs) {
            status = mt_joint_fit_no_memory(joint, err);
            break;
        }
        memcpy(trial.runs, joint->runs, (size_t)joint->nruns * sizeof *trial.runs);
        status = choose_terms(&trial, works[i], err);
        if (status == MT_OK && trial.nruns > 0 &&
            trial.selected.score < best * better_form) {
            best = trial.selected.score;
            free(*work);
            *work = works[i];
            works[i] = NULL;
        }
        mt_joint_fit_clear(&trial);
    }
    for (int i = 0; i < MT_WORK_FORMS; i++)
        free(works[i]);
    mt_models_clear(&of_trials);
    return status == MT_OK && !*work
               ? mt_fail(err, MT_EINVAL, "the values to fit are too large or too small")
               : status;
}

/* Whether the runs that are fitted to say how the work grows. */
static bool show_growth(const struct mt_joint_fit *joint)
{
    for (int i = 1; i < joint->nruns; i++)
        if (joint->runs[i].sample->size != joint->runs[0].sample->size)
            return true;
    return false;
}

static int fit_joint(struct mt_joint_fit *joint, struct mt_error *err)
{
    const struct mt_fit_task *task = joint->task;
    char **work = &task->models->work;
    int status = MT_OK;
    if (!task->program->work && !task->options->terms && !task->program->terms_auto)
        status = find_work(work, joint, err);
    if (status == MT_OK)
        status = choose_terms(joint, *work, err);
    if (status == MT_OK && joint->nruns > 0)
        status = check_values(joint, err);
    if (status == MT_OK && joint->nruns > 0)
        status = make_models(joint, err);
    if (!show_growth(joint)) { /* any form does: none was found */
        free(*work);
        *work = NULL;
    }
    return status;
}

/* No (group, M) has a model, for the reason why they could not be fitted together. */
static int refuse_all(const struct mt_joint_fit *joint, int status,
                      const struct mt_error *reason, struct mt_error *err)
{
    int refused = MT_OK;
    for (int i = 0, end; i < joint->nruns && refused == MT_OK; i = end) {
        struct mt_model none = {0};
        end = mt_class_end(joint->runs, joint->nruns, i);
        refused = mt_models_add_or_refuse(joint->task, &none, &joint->runs[i], status,
                                          reason, err);
    }
    return refused;
}

int mt_fit_auto(const struct mt_fit_task *task, struct mt_error *err)
{
    struct mt_joint_fit joint = {.task = task};
    struct mt_error reason;
    int status = mt_joint_fit_take_runs(&joint, err);
    if (status == MT_OK && joint.nruns > 0) {
        status = fit_joint(&joint, &reason);
        if (status != MT_OK)
            status = refuse_all(&joint, status, &reason, err);
    }
    mt_joint_fit_clear(&joint);
    return status;
}
