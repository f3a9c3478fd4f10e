/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression.h"
#include "lib/math/least_squares.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int mt_regression_init(struct mt_regression *regression, int nmodels, int nrows,
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

void mt_regression_clear(struct mt_regression *regression)
{
    free(regression->rows);
    free(regression->matrix);
    *regression = (struct mt_regression){0};
}

double *mt_regression_row(const struct mt_regression *regression, int i)
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
        const double *row = mt_regression_row(regression, i);
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
    const double *row = mt_regression_row(s->regression, i);
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
    const double *row = mt_regression_row(s->regression, i);
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

int mt_regression_solve(const struct mt_regression *regression, double *x,
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
