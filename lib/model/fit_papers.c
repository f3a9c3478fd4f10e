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

/* Where a row comes from. */
struct mt_row {
    int model; /* that it is an run of, 0 .. nmodels - 1 */
    double size;
    int ranks;
};

struct mt_regression {
    int nmodels;
    int nrows, unknowns;
    struct mt_row *rows; /* owned */
    double *matrix;      /* owned; row by row, each `unknowns` values and the seconds */
};

/* What is known of a model's error, relative and root mean square. */
struct mt_fit_error {
    double residual;
    double cross_validated; /* see struct mt_model */
};

/* Make room for `nrows` rows, all zero. `regression` must be empty. */
static int regression_init(struct mt_regression *regression, int nmodels, int nrows,
                           int unknowns, struct mt_error *err)
{
    struct mt_row *rows = calloc((size_t)nrows, sizeof *rows);
    double *matrix = calloc((size_t)nrows * ((size_t)unknowns + 1), sizeof *matrix);
    if (!rows || !matrix) {
        free(rows);
        free(matrix);
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", nrows);
    }
    *regression = (struct mt_regression){.nmodels = nmodels,
                                         .nrows = nrows,
                                         .unknowns = unknowns,
                                         .rows = rows,
                                         .matrix = matrix};
    return MT_OK;
}

static void regression_clear(struct mt_regression *regression)
{
    free(regression->rows);
    free(regression->matrix);
    *regression = (struct mt_regression){0};
}

/* Row i: `unknowns` values, then the seconds. */
static double *regression_row(const struct mt_regression *regression, int i)
{
    return regression->matrix + (size_t)i * ((size_t)regression->unknowns + 1);
}

/* At least so many rows are taken in before they are reduced. */
enum { ROWS_AT_ONCE = 64 };

/* What is known of one model while rows are taken in, in the order of N or of P. */
struct history {
    int different;  /* values of N (or P) that the model's rows have */
    int taken;      /* of them */
    double last;    /* the latest of them */
    int predicted;  /* rows, before they were taken in */
    double squares; /* sum of their squared relative errors */
};

/* A problem being solved: rows are taken in, and the unknowns asked for at any time. */
struct solver {
    const struct mt_regression *regression;
    double *scale;         /* of the columns: makes their lengths 1 */
    double *triangle;      /* the rows taken in and reduced; below, those still to be */
    int ld, pending, room; /* leading dimension; rows still to be reduced; at most */
    double *x;             /* the unknowns, scaled */
    int rank;
    int *order; /* of the rows */
    struct history *histories;
};

static void solver_clear(struct solver *s)
{
    free(s->scale);
    free(s->triangle);
    free(s->x);
    free(s->order);
    free(s->histories);
}

static int solver_init(struct solver *s, const struct mt_regression *regression,
                       struct mt_error *err)
{
    const size_t n = (size_t)regression->unknowns;
    const size_t room = n > ROWS_AT_ONCE ? n : ROWS_AT_ONCE;
    const size_t ld = n + 1 + room;
    *s = (struct solver){.regression = regression, .ld = (int)ld, .room = (int)room};
    s->scale = calloc(n, sizeof *s->scale);
    s->triangle = calloc(ld * (n + 1), sizeof *s->triangle);
    s->x = calloc(n, sizeof *s->x);
    s->order = calloc((size_t)regression->nrows, sizeof *s->order);
    s->histories = calloc((size_t)regression->nmodels, sizeof *s->histories);
    if (s->scale && s->triangle && s->x && s->order && s->histories)
        return MT_OK;
    solver_clear(s);
    mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", regression->nrows);
    return MT_ENOMEM;
}

static void set_scale(struct solver *s)
{
    const struct mt_regression *regression = s->regression;
    const int n = regression->unknowns;
    for (int i = 0; i < regression->nrows; i++) {
        const double *row = regression_row(regression, i);
        for (int j = 0; j < n; j++)
            s->scale[j] = hypot(s->scale[j], row[j]);
    }
    for (int j = 0; j < n; j++) {
        if (s->scale[j] == 0)
            s->scale[j] = 1;
    }
}

static int reduce(struct solver *s, struct mt_error *err)
{
    const int columns = s->regression->unknowns + 1;
    const int rows = columns + s->pending;
    s->pending = 0;
    return mt_reduce_to_triangle(s->triangle, s->ld, rows, columns, err);
}

static int take_in(struct solver *s, int i, struct mt_error *err)
{
    const int n = s->regression->unknowns;
    const double *row = regression_row(s->regression, i);
    double *place = s->triangle + n + 1 + s->pending;
    for (int j = 0; j <= n; j++)
        place[(size_t)j * (size_t)s->ld] = row[j] / (j < n ? s->scale[j] : 1);
    s->pending++;
    return s->pending < s->room ? MT_OK : reduce(s, err);
}

/* Find the unknowns that suit the rows taken in so far. */
static int solve(struct solver *s, struct mt_error *err)
{
    const int n = s->regression->unknowns;
    const int status = reduce(s, err);
    if (status != MT_OK)
        return status;
    return mt_solve_least_squares(s->triangle, s->ld, n, s->x, &s->rank, err);
}

static double relative_error(const struct solver *s, int i)
{
    const int n = s->regression->unknowns;
    const double *row = regression_row(s->regression, i);
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += s->x[j] / s->scale[j] * row[j];
    return sum / row[n] - 1;
}

/* Order of the rows. */
enum key { BY_SIZE, BY_RANKS };

static double key_of(const struct mt_row *row, enum key key)
{
    return key == BY_SIZE ? row->size : row->ranks;
}

static int compare_sizes(const void *a, const void *b, void *context)
{
    const struct mt_row *rows = context;
    const int i = *(const int *)a, j = *(const int *)b;
    const double x = rows[i].size, y = rows[j].size;
    return x != y ? (x > y) - (x < y) : (i > j) - (i < j);
}

static int compare_ranks(const void *a, const void *b, void *context)
{
    const struct mt_row *rows = context;
    const int i = *(const int *)a, j = *(const int *)b;
    const int x = rows[i].ranks, y = rows[j].ranks;
    return x != y ? (x > y) - (x < y) : (i > j) - (i < j);
}

/* Put the rows in order, forget those taken in, and count each model's different
   values; errors that were collected stay. */
static void restart(struct solver *s, enum key key)
{
    const struct mt_regression *regression = s->regression;
    const size_t n = (size_t)regression->unknowns;
    for (int i = 0; i < regression->nrows; i++)
        s->order[i] = i;
    qsort_r(s->order, (size_t)regression->nrows, sizeof *s->order,
            key == BY_SIZE ? compare_sizes : compare_ranks, regression->rows);
    for (int m = 0; m < regression->nmodels; m++) {
        struct history *h = &s->histories[m];
        h->different = h->taken = 0;
        h->last = NAN;
    }
    for (int i = 0; i < regression->nrows; i++) {
        const struct mt_row *row = &regression->rows[s->order[i]];
        struct history *h = &s->histories[row->model];
        h->different += key_of(row, key) != h->last;
        h->last = key_of(row, key);
    }
    s->pending = 0;
    memset(s->triangle, 0, (size_t)s->ld * (n + 1) * sizeof *s->triangle);
    memset(s->x, 0, n * sizeof *s->x);
}

/* Whether enough is known to predict the model's next value from: two values, and half
   of all. */
static bool may_predict(const struct history *h)
{
    return h->taken >= 2 && 2 * h->taken >= h->different;
}

/* Predict the rows order[first .. end - 1], which have the same key, from those before
   them, as far as those suffice. */
static int predict_rows(struct solver *s, int first, int end, struct mt_error *err)
{
    bool solved = false;
    for (int i = first; i < end; i++) {
        struct history *h = &s->histories[s->regression->rows[s->order[i]].model];
        if (!may_predict(h))
            continue;
        if (!solved) {
            const int status = solve(s, err);
            if (status != MT_OK)
                return status;
            solved = true;
        }
        if (s->rank < s->regression->unknowns)
            return MT_OK;
        const double error = relative_error(s, s->order[i]);
        h->squares += error * error;
        h->predicted++;
    }
    return MT_OK;
}

/* Take in all rows in order; before each new N (or P), predict it. */
static int walk(struct solver *s, enum key key, struct mt_error *err)
{
    const struct mt_row *rows = s->regression->rows;
    const int nrows = s->regression->nrows;
    restart(s, key);
    for (int i = 0, end; i < nrows; i = end) {
        const double value = key_of(&rows[s->order[i]], key);
        for (end = i; end < nrows && key_of(&rows[s->order[end]], key) == value;)
            end++;
        int status = predict_rows(s, i, end, err);
        for (int j = i; j < end && status == MT_OK; j++)
            status = take_in(s, s->order[j], err);
        if (status != MT_OK)
            return status;
        for (int j = i; j < end; j++) {
            struct history *h = &s->histories[rows[s->order[j]].model];
            h->taken += h->taken == 0 || h->last != value;
            h->last = value;
        }
    }
    return MT_OK;
}

static void collect(const struct solver *s, double *x, struct mt_fit_error *errors)
{
    const struct mt_regression *regression = s->regression;
    for (int m = 0; m < regression->nmodels; m++) {
        const struct history *h = &s->histories[m];
        errors[m] = (struct mt_fit_error){
            .cross_validated = h->predicted ? sqrt(h->squares / h->predicted) : NAN};
        s->histories[m] = (struct history){0};
    }
    for (int i = 0; i < regression->nrows; i++) {
        struct history *h = &s->histories[regression->rows[i].model];
        const double error = relative_error(s, i);
        h->squares += error * error;
        h->predicted++;
    }
    for (int m = 0; m < regression->nmodels; m++) {
        const struct history *h = &s->histories[m];
        errors[m].residual = h->predicted ? sqrt(h->squares / h->predicted) : NAN;
    }
    for (int j = 0; j < regression->unknowns; j++)
        x[j] = s->x[j] / s->scale[j];
}

/* Sizes or times near the ends of what a number can hold overflow on the way. */
static int check_finite(const struct mt_regression *regression, const double *x,
                        const struct mt_fit_error *errors, struct mt_error *err)
{
    bool finite = true;
    for (int j = 0; j < regression->unknowns; j++)
        finite &= isfinite(x[j]);
    for (int m = 0; m < regression->nmodels; m++)
        finite &= isfinite(errors[m].residual);
    return finite ? MT_OK
                  : mt_fail(err, MT_EINVAL,
                            "the values to fit are too large or too small");
}

/*
 * Solve the regression: the sum of the squared differences in seconds is the least.
 * MT_ERANK, with the number of unknowns that are determined, when that is not all.
 * MT_EINVAL when values are not finite, or do not stay so. x receives `unknowns`
 * values, errors one entry a model.
 */
static int regression_solve(const struct mt_regression *regression, double *x,
                            struct mt_fit_error *errors, struct mt_error *err)
{
    struct solver s;
    int status = solver_init(&s, regression, err);
    if (status != MT_OK)
        return status;
    set_scale(&s);
    status = walk(&s, BY_RANKS, err);
    if (status == MT_OK)
        status = walk(&s, BY_SIZE, err);
    if (status == MT_OK)
        status = solve(&s, err); /* all rows have been taken in */
    if (status == MT_OK && s.rank < regression->unknowns)
        status = mt_fail(err, MT_ERANK, "the runs determine only %d of the %d terms",
                         s.rank, regression->unknowns);
    if (status == MT_OK) {
        collect(&s, x, errors);
        status = check_finite(regression, x, errors, err);
    }
    solver_clear(&s);
    return status;
}

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
    int status = regression_init(&regression, 1, count, unknowns, err);
    for (int i = 0; i < count && status == MT_OK; i++) {
        double *row = regression_row(&regression, i);
        regression.rows[i] =
            (struct mt_row){.size = runs[i].sample->size, .ranks = runs[i].ranks};
        row[unknowns] = runs[i].sample->seconds;
        status = mt_model_row(model, &runs[i], row, err);
    }
    struct mt_fit_error errors;
    if (status == MT_OK)
        status = regression_solve(&regression, model->coefficients, &errors, err);
    regression_clear(&regression);
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
