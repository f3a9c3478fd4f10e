/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The default kind of model: relative errors, coefficients >= 0. The groups are fitted
 * together, for each number of processes per node. Terms that grow with P describe the
 * network, which the groups have in common: they have one coefficient for all. (With
 * another number of processes on a node, another number shares its link.) The other
 * terms describe the nodes, and each group has its own. So a group that was measured on
 * few nodes has an answer at the P that all groups make together.
 */
#include "fit_parts.h"
#include "fit_problem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_RUNS = 3 };

/* The observations first .. end - 1 give one model. */
struct class
{
    int first, end;
    struct mt_model model;
};

/* The models fitted together: those of one number of processes per node and one value
   of the program's split. */
struct joint {
    const struct mt_fit_task *task;
    struct class *classes; /* owned */
    int nclasses;
    int nrows;
    int nterms, nown;          /* terms; those that each class has its own of */
    bool shared[MT_MAX_TERMS]; /* the term's coefficient is common to all */
};

static void joint_clear(struct joint *joint)
{
    for (int c = 0; c < joint->nclasses; c++)
        mt_model_clear(&joint->classes[c].model);
    free(joint->classes);
    *joint = (struct joint){0};
}

/* Whether term i grows when P is doubled, for all classes at their largest N. */
static bool grows_with_ranks(const struct joint *joint, int i)
{
    for (int c = 0; c < joint->nclasses; c++) {
        const struct mt_model *model = &joint->classes[c].model;
        double previous[MT_MAX_TERMS], next[MT_MAX_TERMS];
        double values[MT_NVARIABLES] = {
            [MT_N] = model->size_high, [MT_M] = model->processes};
        values[MT_P] = 2;
        mt_terms_values(model->terms, values, previous);
        for (int ranks = 4; ranks <= 64; ranks *= 2) {
            values[MT_P] = ranks;
            mt_terms_values(model->terms, values, next);
            if (!(next[i] > previous[i] * (1 + 1e-9)))
                return false;
            memcpy(previous, next, sizeof next);
        }
    }
    return true;
}

static void tell_shared_terms(struct joint *joint)
{
    joint->nterms = mt_terms_count(joint->classes[0].model.terms);
    joint->nown = 0;
    for (int i = 0; i < joint->nterms; i++) {
        joint->shared[i] = grows_with_ranks(joint, i);
        joint->nown += !joint->shared[i];
    }
}

/* The unknown that is the coefficient of term i of class c. */
static int unknown_of(const struct joint *joint, int c, int i)
{
    int alike = 0; /* terms before i that are shared as i is */
    for (int j = 0; j < i; j++)
        alike += joint->shared[j] == joint->shared[i];
    return joint->shared[i] ? joint->nclasses * joint->nown + alike
                            : c * joint->nown + alike;
}

static int fill_rows(struct mt_problem *problem, const struct joint *joint, int c,
                     int row_number, struct mt_error *err)
{
    const struct class *class = &joint->classes[c];
    int unknown[MT_MAX_TERMS];
    for (int i = 0; i < joint->nterms; i++)
        unknown[i] = unknown_of(joint, c, i);
    for (int k = class->first; k < class->end; k++, row_number++) {
        const struct mt_observation *of = &joint->task->observations->all[k];
        double terms[MT_MAX_TERMS];
        const int status = mt_model_row(&class->model, of, terms, err);
        if (status != MT_OK)
            return status;
        double *row = mt_problem_row(problem, row_number);
        for (int i = 0; i < joint->nterms; i++)
            row[unknown[i]] = terms[i];
        row[problem->unknowns] = of->sample->seconds;
        problem->rows[row_number] =
            (struct mt_row){.model = c, .size = of->sample->size, .ranks = of->ranks};
    }
    return MT_OK;
}

/* Give the classes' models their coefficients and errors, and hand them over. */
static int hand_over(struct joint *joint, const double *x,
                     const struct mt_fit_error *errors, struct mt_error *err)
{
    for (int c = 0; c < joint->nclasses; c++) {
        struct mt_model *model = &joint->classes[c].model;
        for (int i = 0; i < joint->nterms; i++)
            model->coefficients[i] = x[unknown_of(joint, c, i)];
        model->residual = errors[c].residual;
        model->cross_validated = errors[c].cross_validated;
        const int status = mt_models_add(joint->task->models, model, err);
        if (status != MT_OK)
            return status;
    }
    return MT_OK;
}

/* Solve for all coefficients, and hand the models over. */
static int solve_joint(struct joint *joint, const struct mt_problem *problem,
                       struct mt_error *err)
{
    double *x = calloc((size_t)problem->unknowns, sizeof *x);
    struct mt_fit_error *errors = calloc((size_t)joint->nclasses, sizeof *errors);
    int status = MT_ENOMEM;
    if (x && errors) {
        status = mt_problem_solve(problem, x, errors, err);
        if (status == MT_OK)
            status = hand_over(joint, x, errors, err);
    } else {
        mt_fail(err, status, "no memory to fit %d terms", problem->unknowns);
    }
    free(errors);
    free(x);
    return status;
}

static int fit_joint(struct joint *joint, struct mt_error *err)
{
    tell_shared_terms(joint);
    const int unknowns = joint->nclasses * joint->nown + (joint->nterms - joint->nown);
    struct mt_problem problem = {0};
    int status =
        mt_problem_init(&problem, joint->nclasses, joint->nrows, unknowns, err);
    if (status != MT_OK)
        return status;
    problem.nonnegative = true;
    for (int c = 0, row = 0; c < joint->nclasses && status == MT_OK; c++) {
        status = fill_rows(&problem, joint, c, row, err);
        row += joint->classes[c].end - joint->classes[c].first;
    }
    if (status == MT_OK)
        status = solve_joint(joint, &problem, err);
    mt_problem_clear(&problem);
    return status;
}

/* Whether observations belong to classes that are fitted together. */
static bool alike(const struct mt_observation *a, const struct mt_observation *b)
{
    return a->group >= 0 && b->group >= 0 && a->processes == b->processes &&
           a->split == b->split;
}

static int check_count(const struct mt_observation *observations, int count,
                       struct mt_error *err)
{
    if (count < FEWEST_RUNS)
        return mt_fail(err, MT_ERANK, "%d runs are too few: %d are needed", count,
                       FEWEST_RUNS);
    const double size = observations[0].sample->size;
    for (int i = 1; i < count; i++) {
        if (observations[i].sample->size != size)
            return MT_OK;
    }
    return mt_fail(err, MT_ERANK, "all runs have the same size: N = %g", size);
}

/* Prepare the model of a class. MT_ENOMEM is a failure; any other status says why its
   observations give no model. */
static int prepare(struct mt_model *model, const struct mt_fit_task *task,
                   const struct mt_observation *observations, int count,
                   struct mt_error *err)
{
    int status = check_count(observations, count, err);
    if (status == MT_OK)
        status = mt_model_prepare(model, task, MT_MODEL_AUTO, observations, count, err);
    double terms[MT_MAX_TERMS];
    for (int i = 0; i < count && status == MT_OK; i++)
        status = mt_model_row(model, &observations[i], terms, err);
    return status;
}

/* Take the classes that are like `first`, which no earlier one is, and refuse those
   that give no model. */
static int gather(struct joint *joint, int first, struct mt_error *err)
{
    const struct mt_fit_task *task = joint->task;
    const struct mt_observation *all = task->observations->all;
    const int count = task->observations->count;
    for (int i = first, end; i < count; i = end) {
        end = mt_class_end(all, count, i);
        if (!alike(&all[i], &all[first]))
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
        const int kept = mt_models_add_or_refuse(task, &class->model,
                                                 &task->observations->all[class->first],
                                                 status, reason, err);
        if (kept != MT_OK)
            return kept;
    }
    return MT_OK;
}

static int fit_together(const struct mt_fit_task *task, int first, struct mt_error *err)
{
    struct joint joint = {.task = task};
    joint.classes = calloc((size_t)task->observations->count, sizeof *joint.classes);
    if (!joint.classes)
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs",
                       task->observations->count);
    int status = gather(&joint, first, err);
    if (status == MT_OK && joint.nclasses > 0) {
        struct mt_error reason;
        status = fit_joint(&joint, &reason);
        if (status != MT_OK)
            status = refuse_all(&joint, status, &reason, err);
    }
    joint_clear(&joint);
    return status;
}

/* Whether a class before `first` is like it: then it was fitted together with that. */
static bool was_fitted(const struct mt_observation *all, int first)
{
    for (int i = 0; i < first; i++) {
        if (alike(&all[i], &all[first]))
            return true;
    }
    return false;
}

/* In the order of the other kinds: by group, processes and split. */
static int compare_models(const void *left, const void *right, void *context)
{
    const struct mt_model *a = left, *b = right;
    const int group_a = mt_cluster_find_group(context, a->group);
    const int group_b = mt_cluster_find_group(context, b->group);
    if (group_a != group_b)
        return group_a < group_b ? -1 : 1;
    if (a->processes != b->processes)
        return a->processes < b->processes ? -1 : 1;
    return (a->split > b->split) - (a->split < b->split);
}

static void sort_models(struct mt_models *models, const struct mt_cluster *cluster)
{
    struct mt_cluster context = *cluster; /* only because qsort_r wants no const */
    if (models->count > 0)
        qsort_r(models->models, (size_t)models->count, sizeof *models->models,
                compare_models, &context);
}

int mt_fit_auto(const struct mt_fit_task *task, struct mt_error *err)
{
    const struct mt_observation *all = task->observations->all;
    const int count = task->observations->count;
    for (int i = 0, end; i < count; i = end) {
        end = mt_class_end(all, count, i);
        if (all[i].group < 0 || was_fitted(all, i))
            continue;
        const int status = fit_together(task, i, err);
        if (status != MT_OK)
            return status;
    }
    sort_models(task->models, task->cluster);
    return MT_OK;
}
