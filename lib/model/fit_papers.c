/* SPDX-License-Identifier: BSD-3-Clause */
/* The papers' models: ordinary least squares on the seconds, cross-validated by leaving
   out the larger sizes and P. */
#include "fit_models.h"
#include "internal.h"
#include "motley/error.h"

#include "fit_runs.h"
#include "lib/math/least_squares.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Runs of one model, and what their terms come to. */
struct regression {
    const struct mt_fit_run *runs; /* borrowed */
    int count, unknowns;
    double *rows;  /* owned; of each run the values of the terms, then the seconds */
    double *scale; /* owned; the length of each column */
    double *scratch, *x; /* owned */
    int *order;          /* owned; of the runs, by size or by ranks */
    int rank;            /* unknowns that the last solution determined */
};

static void clear(struct regression *r)
{
    free(r->rows);
    free(r->scale);
    free(r->scratch);
    free(r->x);
    free(r->order);
}

static int make_rows(struct regression *r, const struct mt_model *model,
                     struct mt_error *err)
{
    const size_t n = (size_t)r->unknowns, count = (size_t)r->count;
    r->rows = calloc(count * (n + 1), sizeof *r->rows);
    r->scale = calloc(n, sizeof *r->scale);
    r->scratch = calloc((count + n + 1) * (n + 1), sizeof *r->scratch);
    r->x = calloc(n, sizeof *r->x);
    r->order = calloc(count, sizeof *r->order);
    if (!r->rows || !r->scale || !r->scratch || !r->x || !r->order)
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", r->count);
    for (size_t i = 0; i < count; i++) {
        double *row = &r->rows[i * (n + 1)];
        const int status = mt_model_row(model, &r->runs[i], row, err);
        if (status != MT_OK)
            return status;
        row[n] = r->runs[i].sample->seconds;
        r->order[i] = (int)i;
        for (size_t k = 0; k < n; k++)
            r->scale[k] = hypot(r->scale[k], row[k]);
    }
    for (size_t k = 0; k < n; k++)
        r->scale[k] = r->scale[k] == 0 ? 1 : r->scale[k];
    return MT_OK;
}

/* Fit to the first `count` runs in order. */
static int solve(struct regression *r, int count, struct mt_error *err)
{
    const int n = r->unknowns;
    const int ld = count > n + 1 ? count : n + 1; /* rows of zeros change nothing */
    memset(r->scratch, 0, (size_t)ld * (size_t)(n + 1) * sizeof *r->scratch);
    for (int i = 0; i < count; i++)
        for (int k = 0; k <= n; k++)
            r->scratch[(size_t)k * (size_t)ld + (size_t)i] =
                r->rows[(size_t)r->order[i] * (size_t)(n + 1) + (size_t)k] /
                (k < n ? r->scale[k] : 1);
    const int status = mt_reduce_to_triangle(r->scratch, ld, ld, n + 1, err);
    return status == MT_OK
               ? mt_solve_least_squares(r->scratch, ld, n, r->x, &r->rank, err)
               : status;
}

static double relative_error(const struct regression *r, int i)
{
    const double *row = &r->rows[(size_t)i * (size_t)(r->unknowns + 1)];
    double sum = 0;
    for (int k = 0; k < r->unknowns; k++)
        sum += r->x[k] / r->scale[k] * row[k];
    return sum / row[r->unknowns] - 1;
}

/* Squares of relative errors. */
struct errors {
    double squares;
    int count;
};

static void add_error(struct errors *errors, const struct regression *r, int i)
{
    const double error = relative_error(r, i);
    errors->squares += error * error;
    errors->count++;
}

static double rms(const struct errors *errors)
{
    return errors->count > 0 ? sqrt(errors->squares / errors->count) : NAN;
}

static double key_of(const struct mt_fit_run *run, bool by_size)
{
    return by_size ? run->sample->size : run->ranks;
}

static int compare_sizes(const void *a, const void *b, void *runs)
{
    const struct mt_fit_run *all = runs;
    const int i = *(const int *)a, j = *(const int *)b;
    const double x = all[i].sample->size, y = all[j].sample->size;
    return x != y ? (x > y) - (x < y) : (i > j) - (i < j);
}

static int compare_ranks(const void *a, const void *b, void *runs)
{
    const struct mt_fit_run *all = runs;
    const int i = *(const int *)a, j = *(const int *)b;
    const int x = all[i].ranks, y = all[j].ranks;
    return x != y ? (x > y) - (x < y) : (i > j) - (i < j);
}

/* Predict each size (or P) from the runs at smaller ones, as soon as these are two, and
   half of all. */
static int cross_validate(struct regression *r, bool by_size, struct errors *errors,
                          struct mt_error *err)
{
    const struct mt_fit_run *runs = r->runs;
    int different = 1, taken = 0;
    qsort_r(r->order, (size_t)r->count, sizeof *r->order,
            by_size ? compare_sizes : compare_ranks, (void *)(uintptr_t)runs);
    for (int i = 1; i < r->count; i++)
        different += key_of(&runs[r->order[i]], by_size) !=
                     key_of(&runs[r->order[i - 1]], by_size);
    for (int i = 0, end; i < r->count; i = end, taken++) {
        const double value = key_of(&runs[r->order[i]], by_size);
        for (end = i; end < r->count && key_of(&runs[r->order[end]], by_size) == value;)
            end++;
        if (taken < 2 || 2 * taken < different)
            continue;
        const int status = solve(r, i, err);
        if (status != MT_OK)
            return status;
        for (int k = i; k < end && r->rank == r->unknowns; k++)
            add_error(errors, r, r->order[k]);
    }
    return MT_OK;
}

/* Sizes or times near the ends of what a number can hold overflow on the way. */
static int check_finite(const struct mt_model *model, struct mt_error *err)
{
    bool finite = isfinite(model->residual);
    for (int k = 0; k < mt_terms_count(model->terms); k++)
        finite = finite && isfinite(model->coefficients[k]);
    return finite ? MT_OK
                  : mt_fail(err, MT_EINVAL,
                            "the values to fit are too large or too small");
}

/* Find the coefficients of a prepared model by least squares. MT_ENOMEM is a failure;
   any other status says why the runs do not give this model. */
static int find_coefficients(struct mt_model *model, const struct mt_fit_run *runs,
                             int count, struct mt_error *err)
{
    struct regression r = {
        .runs = runs, .count = count, .unknowns = mt_terms_count(model->terms)};
    struct errors seen = {0}, unseen = {0};
    if (count < r.unknowns)
        return mt_fail(err, MT_ERANK, "%d runs are too few for %d terms", count,
                       r.unknowns);
    int status = make_rows(&r, model, err);
    if (status == MT_OK)
        status = cross_validate(&r, false, &unseen, err);
    if (status == MT_OK)
        status = cross_validate(&r, true, &unseen, err);
    if (status == MT_OK)
        status = solve(&r, count, err);
    if (status == MT_OK && r.rank < r.unknowns)
        status = mt_fail(err, MT_ERANK, "the runs determine only %d of the %d terms",
                         r.rank, r.unknowns);
    if (status == MT_OK) {
        for (int i = 0; i < count; i++)
            add_error(&seen, &r, i);
        for (int k = 0; k < r.unknowns; k++)
            model->coefficients[k] = r.x[k] / r.scale[k];
        model->residual = rms(&seen);
        model->cross_validated = rms(&unseen);
        status = check_finite(model, err);
    }
    clear(&r);
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
