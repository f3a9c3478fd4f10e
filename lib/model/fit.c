/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/fit.h"

#include "auto_terms.h"
#include "fit_mixture.h"
#include "fit_models.h"
#include "fit_papers.h"
#include "fit_runs.h"
#include "regression.h"

#include <stdbool.h>
#include <stdlib.h>

/*
 * The default kind of model: relative errors, coefficients >= 0, all (group, processes
 * per node) fitted together. What describes a node has coefficients of its own for each
 * of them, what describes the network is common to all (auto_terms.h). So few runs are
 * enough, and a group that was measured on few nodes, or on one, has an answer at the P
 * that all groups make together.
 *
 * Few runs do not determine many terms. A small weight on the coefficients themselves
 * (a ridge) settles what the runs leave open: of terms that explain the same runs each
 * gets a part, which extrapolates better than all of it given to one of them.
 */
/* Relative to the weight of a single run. */
static const double ridge = 0.01;

enum { FEWEST_RUNS = 2 };

/* The runs first .. end - 1 give one model. */
struct class
{
    int first, end;
    struct mt_model model;
};

struct joint {
    const struct mt_fit_task *task;
    struct mt_auto_terms terms; /* owned */
    struct class *classes;      /* owned */
    int nclasses;
    int nrows;
    int nown; /* terms that each class has coefficients of its own for */
};

static void joint_clear(struct joint *joint)
{
    for (int c = 0; c < joint->nclasses; c++)
        mt_model_clear(&joint->classes[c].model);
    free(joint->classes);
    mt_auto_terms_clear(&joint->terms);
    *joint = (struct joint){0};
}

static bool is_shared(const struct joint *joint, int i)
{
    return joint->terms.roles[i] == MT_ROLE_NETWORK;
}

/* The unknown that is the coefficient of term i of class c. */
static int unknown_of(const struct joint *joint, int c, int i)
{
    int alike = 0; /* terms before i that are shared as i is */
    for (int j = 0; j < i; j++)
        alike += is_shared(joint, j) == is_shared(joint, i);
    return is_shared(joint, i) ? joint->nclasses * joint->nown + alike
                               : c * joint->nown + alike;
}

static int fill_rows(struct mt_regression *regression, const struct joint *joint, int c,
                     int row_number, struct mt_error *err)
{
    const struct class *class = &joint->classes[c];
    int unknown[MT_MAX_TERMS];
    for (int i = 0; i < joint->terms.count; i++)
        unknown[i] = unknown_of(joint, c, i);
    for (int k = class->first; k < class->end; k++, row_number++) {
        const struct mt_fit_run *of = &joint->task->runs->all[k];
        double terms[MT_MAX_TERMS];
        const int status = mt_model_row(&class->model, of, terms, err);
        if (status != MT_OK)
            return status;
        double *row = mt_regression_row(regression, row_number);
        for (int i = 0; i < joint->terms.count; i++)
            row[unknown[i]] = terms[i];
        row[regression->unknowns] = of->sample->seconds;
        regression->rows[row_number] =
            (struct mt_row){.model = c, .size = of->sample->size, .ranks = of->ranks};
    }
    return MT_OK;
}

/* What is known of the network is known of all P that any class was measured at. */
static void share_ranks(struct joint *joint)
{
    int low = joint->classes[0].model.ranks_low;
    int high = joint->classes[0].model.ranks_high;
    for (int c = 1; c < joint->nclasses; c++) {
        const struct mt_model *model = &joint->classes[c].model;
        low = model->ranks_low < low ? model->ranks_low : low;
        high = model->ranks_high > high ? model->ranks_high : high;
    }
    for (int c = 0; c < joint->nclasses; c++) {
        joint->classes[c].model.ranks_low = low;
        joint->classes[c].model.ranks_high = high;
    }
}

static int mark_serial(struct mt_model *model, const struct mt_auto_terms *terms,
                       struct mt_error *err)
{
    model->serial = calloc((size_t)terms->count, sizeof *model->serial);
    if (!model->serial)
        return mt_fail(err, MT_ENOMEM, "no memory for the models");
    for (int i = 0; i < terms->count; i++)
        model->serial[i] = terms->roles[i] == MT_ROLE_SERIAL;
    return MT_OK;
}

/* Give the classes' models their coefficients and errors, and hand them over. */
static int hand_over(struct joint *joint, const double *x,
                     const struct mt_fit_error *errors, struct mt_error *err)
{
    share_ranks(joint);
    for (int c = 0; c < joint->nclasses; c++) {
        struct mt_model *model = &joint->classes[c].model;
        for (int i = 0; i < joint->terms.count; i++)
            model->coefficients[i] = x[unknown_of(joint, c, i)];
        model->residual = errors[c].residual;
        model->cross_validated = errors[c].cross_validated;
        int status = mark_serial(model, &joint->terms, err);
        if (status == MT_OK)
            status = mt_models_add(joint->task->models, model, err);
        if (status != MT_OK)
            return status;
    }
    return MT_OK;
}

/* Solve for all coefficients, and hand the models over. */
static int solve_joint(struct joint *joint, const struct mt_regression *regression,
                       struct mt_error *err)
{
    double *x = calloc((size_t)regression->unknowns, sizeof *x);
    struct mt_fit_error *errors = calloc((size_t)joint->nclasses, sizeof *errors);
    int status = MT_ENOMEM;
    if (x && errors) {
        status = mt_regression_solve(regression, x, errors, err);
        if (status == MT_OK)
            status = hand_over(joint, x, errors, err);
    } else {
        mt_fail(err, status, "no memory to fit %d terms", regression->unknowns);
    }
    free(errors);
    free(x);
    return status;
}

static int fit_joint(struct joint *joint, struct mt_error *err)
{
    const int nterms = joint->terms.count;
    for (int i = 0; i < nterms; i++)
        joint->nown += !is_shared(joint, i);
    const int unknowns = joint->nclasses * joint->nown + (nterms - joint->nown);
    struct mt_regression regression = {0};
    int status =
        mt_regression_init(&regression, joint->nclasses, joint->nrows, unknowns, err);
    if (status != MT_OK)
        return status;
    regression.nonnegative = true;
    regression.ridge = ridge;
    for (int c = 0, row = 0; c < joint->nclasses && status == MT_OK; c++) {
        status = fill_rows(&regression, joint, c, row, err);
        row += joint->classes[c].end - joint->classes[c].first;
    }
    if (status == MT_OK)
        status = solve_joint(joint, &regression, err);
    mt_regression_clear(&regression);
    return status;
}

static int check_count(const struct mt_fit_run *runs, int count, struct mt_error *err)
{
    if (count < FEWEST_RUNS)
        return mt_fail(err, MT_ERANK, "%d run is too few: %d are needed", count,
                       FEWEST_RUNS);
    const double size = runs[0].sample->size;
    for (int i = 1; i < count; i++) {
        if (runs[i].sample->size != size)
            return MT_OK;
    }
    return mt_fail(err, MT_ERANK, "all runs have the same size: N = %g", size);
}

/* Prepare the model of a class. MT_ENOMEM is a failure; any other status says why its
   runs give no model. */
static int prepare(struct mt_model *model, const struct mt_fit_task *task,
                   const struct mt_fit_run *runs, int count, struct mt_error *err)
{
    int status = check_count(runs, count, err);
    if (status == MT_OK)
        status = mt_model_prepare(model, task, MT_MODEL_AUTO, runs, count, err);
    double terms[MT_MAX_TERMS];
    for (int i = 0; i < count && status == MT_OK; i++)
        status = mt_model_row(model, &runs[i], terms, err);
    return status;
}

/* Take the classes of one group, and refuse those that give no model. */
static int gather(struct joint *joint, struct mt_error *err)
{
    const struct mt_fit_task *task = joint->task;
    const struct mt_fit_run *all = task->runs->all;
    const int count = task->runs->count;
    for (int i = 0, end; i < count; i = end) {
        end = mt_class_end(all, count, i);
        if (all[i].group < 0)
            continue;
        struct class class = {.first = i, .end = end};
        struct mt_error reason;
        int status = prepare(&class.model, task, &all[i], end - i, &reason);
        if (status == MT_OK) {
            joint->classes[joint->nclasses++] = class;
            joint->nrows += end - i;
            continue;
        }
        status =
            mt_models_add_or_refuse(task, &class.model, &all[i], status, &reason, err);
        mt_model_clear(&class.model);
        if (status != MT_OK)
            return status;
    }
    return MT_OK;
}

/* No class has a model, for the reason why they could not be fitted together. */
static int refuse_all(struct joint *joint, int status, const struct mt_error *reason,
                      struct mt_error *err)
{
    const struct mt_fit_task *task = joint->task;
    for (int c = 0; c < joint->nclasses; c++) {
        struct class *class = &joint->classes[c];
        const int kept = mt_models_add_or_refuse(
            task, &class->model, &task->runs->all[class->first], status, reason, err);
        if (kept != MT_OK)
            return kept;
    }
    return MT_OK;
}

static int fit_auto(const struct mt_fit_task *task, struct mt_error *err)
{
    struct joint joint = {.task = task};
    joint.classes = calloc((size_t)task->runs->count, sizeof *joint.classes);
    if (!joint.classes)
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", task->runs->count);
    int status =
        mt_auto_terms_make(&joint.terms, task->program, task->options->terms, err);
    if (status == MT_OK)
        status = gather(&joint, err);
    if (status == MT_OK && joint.nclasses > 0) {
        struct mt_error reason;
        status = fit_joint(&joint, &reason);
        if (status != MT_OK)
            status = refuse_all(&joint, status, &reason, err);
    }
    joint_clear(&joint);
    return status;
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
        return fit_auto(task, err);
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
                                     .models = &made};
    int status = check_terms(options, err);
    if (status == MT_OK)
        status = mt_fit_options_copy(&made.options, options, err);
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
