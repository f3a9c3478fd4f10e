/* SPDX-License-Identifier: BSD-3-Clause */
/* The coefficients of one of the papers' models: ordinary least squares on the seconds,
   cross-validated by leaving out the larger sizes and P. */
#include "fit.h"
#include "internal.h"
#include "lib/math/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The runs of one model, and the values of its terms. */
struct regression {
    const struct mt_fit_run *runs; /* borrowed */
    int count, unknowns;
    double *rows;  /* owned; of each run the values of the terms, then the seconds */
    double *scale; /* owned; the length of each column */
    double *scratch, *x; /* owned */
    int *order;          /* owned; of the runs, by size or by P */
    bool by_size;
    int rank; /* unknowns that the last solution determined */
};

static void clear(struct regression *r)
{
    free(r->rows);
    free(r->scale);
    free(r->scratch);
    free(r->x);
    free(r->order);
}

/* Write the values of the model's terms at a run to `row`. */
static int write_row(const struct mt_model *model, const struct mt_fit_run *run,
                     double *row, struct mt_error *err)
{
    const double size = run->sample->size;
    const double values[MT_NVARIABLES] = {[MT_N] = size,
                                          [MT_P] = run->ranks,
                                          [MT_M] = run->layout.processes,
                                          [MT_T] = mt_model_reference(model, size)};
    mt_terms_values(model->terms, values, row);
    for (int i = 0; i < mt_terms_count(model->terms); i++)
        if (!isfinite(row[i]))
            return mt_fail(err, MT_EINVAL, "term '%s' has no value at N = %g, P = %d",
                           mt_terms_text(model->terms, i), size, run->ranks);
    return MT_OK;
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
        const int status = write_row(model, &r->runs[i], row, err);
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

/* Squares of relative errors. */
struct errors {
    double squares;
    int count;
};

static void add_error(struct errors *errors, const struct regression *r, int i)
{
    const double *row = &r->rows[(size_t)i * (size_t)(r->unknowns + 1)];
    double sum = 0;
    for (int k = 0; k < r->unknowns; k++)
        sum += r->x[k] / r->scale[k] * row[k];
    const double error = sum / row[r->unknowns] - 1;
    errors->squares += error * error;
    errors->count++;
}

static double rms(const struct errors *errors)
{
    return errors->count > 0 ? sqrt(errors->squares / errors->count) : NAN;
}

static double key_of(const struct regression *r, int i)
{
    return r->by_size ? r->runs[i].sample->size : r->runs[i].ranks;
}

static int compare_keys(const void *a, const void *b, void *regression)
{
    const struct regression *r = regression;
    const int i = *(const int *)a, j = *(const int *)b;
    const double x = key_of(r, i), y = key_of(r, j);
    return x != y ? (x > y) - (x < y) : (i > j) - (i < j);
}

/* Predict each size (or P) from the runs at smaller ones, once these are at least two,
   and half of all. */
static int cross_validate(struct regression *r, bool by_size, struct errors *errors,
                          struct mt_error *err)
{
    const int *order = r->order;
    int different = 1, taken = 0;
    r->by_size = by_size;
    qsort_r(r->order, (size_t)r->count, sizeof *r->order, compare_keys, r);
    for (int i = 1; i < r->count; i++)
        different += key_of(r, order[i]) != key_of(r, order[i - 1]);
    for (int i = 0, end; i < r->count; i = end, taken++) {
        const double value = key_of(r, order[i]);
        for (end = i; end < r->count && key_of(r, order[end]) == value;)
            end++;
        if (taken < 2 || 2 * taken < different)
            continue;
        const int status = solve(r, i, err);
        if (status != MT_OK)
            return status;
        for (int k = i; k < end && r->rank == r->unknowns; k++)
            add_error(errors, r, order[k]);
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

int mt_model_regress(struct mt_model *model, const struct mt_fit_run *runs, int count,
                     struct mt_error *err)
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
