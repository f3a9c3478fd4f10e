/* SPDX-License-Identifier: BSD-3-Clause */
/* Forward selection of terms by cross-validated ridge regression. */
#include "selection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Weights of the unknowns' own squares, of columns of length 1. */
static const double first_ridge = 0.003;
static const double ridges[] = {0.00001, 0.0001, 0.001, 0.003, 0.01, 0.03};
/* A set is added when the error falls by at least this share, and goes again when it
   does not rise by that one. */
static const double worthwhile = 0.01, needless = 0.002;
/* Errors beyond count as these. */
static const double smallest_error = 0.003, largest_error = 1;
/* Sets that are added at most; those that fit the residuals best are tried, fewer where
   that is much work. */
enum { MOST_SETS = 14, MOST_TRIED = 8, MANY_COLUMNS = 150, FEWER_TRIED = 3 };

struct solver {
    const struct mt_selection *of;
    double *scale;              /* of the columns: makes their lengths 1 */
    struct mt_sparse_row *rows; /* of columns of length 1, ... */
    double *values;             /* ... their values */
    struct mt_gram *folds; /* nfolds + 1: of the rows not held out, the last of all */
    bool *taken;           /* of each set */
    double ridge;
    int *columns; /* of the sets that are taken, ascending */
    int count;
    double *part;    /* unknowns of these columns */
    double *x;       /* (nfolds + 1) x ncolumns: solutions, where to start the next */
    double *squares; /* of each row: errors where it was held out */
    int *times;      /* and how often that was */
    double *slope;   /* of each column: what the residuals have of it */
    double *promise; /* of each set: how much of them it may explain */
};

static void solver_clear(struct solver *s)
{
    for (int f = 0; s->folds && f <= s->of->nfolds; f++)
        mt_gram_clear(&s->folds[f]);
    free(s->folds);
    free(s->scale);
    free(s->rows);
    free(s->values);
    free(s->taken);
    free(s->columns);
    free(s->part);
    free(s->x);
    free(s->squares);
    free(s->times);
    free(s->slope);
    free(s->promise);
}

static int solver_init(struct solver *s, const struct mt_selection *of,
                       struct mt_error *err)
{
    const size_t nrows = (size_t)of->nrows + 1, ncolumns = (size_t)of->ncolumns + 1;
    const size_t nfolds = (size_t)of->nfolds + 1;
    size_t nvalues = 1;
    for (int i = 0; i < of->nrows; i++)
        nvalues += (size_t)of->rows[i].count;
    *s = (struct solver){.of = of,
                         .ridge = of->ridge > 0 ? of->ridge : first_ridge,
                         .scale = calloc(ncolumns, sizeof *s->scale),
                         .rows = calloc(nrows, sizeof *s->rows),
                         .values = calloc(nvalues, sizeof *s->values),
                         .folds = calloc(nfolds, sizeof *s->folds),
                         .taken = calloc((size_t)of->nsets + 1, sizeof *s->taken),
                         .columns = calloc(ncolumns, sizeof *s->columns),
                         .part = calloc(ncolumns, sizeof *s->part),
                         .x = calloc(nfolds * ncolumns, sizeof *s->x),
                         .squares = calloc(nrows, sizeof *s->squares),
                         .times = calloc(nrows, sizeof *s->times),
                         .slope = calloc(ncolumns, sizeof *s->slope),
                         .promise = calloc((size_t)of->nsets + 1, sizeof *s->promise)};
    if (s->scale && s->rows && s->values && s->folds && s->taken && s->columns &&
        s->part && s->x && s->squares && s->times && s->slope && s->promise)
        return MT_OK;
    solver_clear(s);
    return mt_fail(err, MT_ENOMEM, "no memory to choose among %d terms", of->ncolumns);
}

static void scale_rows(struct solver *s)
{
    for (int i = 0; i < s->of->nrows; i++) {
        const struct mt_sparse_row *row = &s->of->rows[i];
        for (int k = 0; k < row->count; k++)
            s->scale[row->columns[k]] =
                hypot(s->scale[row->columns[k]], row->values[k]);
    }
    for (int j = 0; j < s->of->ncolumns; j++)
        if (s->scale[j] == 0)
            s->scale[j] = 1;
    double *values = s->values;
    for (int i = 0; i < s->of->nrows; i++) {
        const struct mt_sparse_row *row = &s->of->rows[i];
        for (int k = 0; k < row->count; k++)
            values[k] = row->values[k] / s->scale[row->columns[k]];
        s->rows[i] = *row;
        s->rows[i].values = values;
        s->rows[i].right = 1;
        values += row->count;
    }
}

/* The products of all columns, for each fold without the rows that it holds out. */
static int make_folds(struct solver *s, struct mt_error *err)
{
    const struct mt_selection *of = s->of;
    int status = MT_OK;
    for (int f = 0; f <= of->nfolds && status == MT_OK; f++) {
        status = mt_gram_init(&s->folds[f], of->ncolumns, of->rows, of->nrows, err);
        for (int i = 0; i < of->nrows && status == MT_OK; i++)
            if (f == of->nfolds || !of->held[(size_t)f * (size_t)of->nrows + (size_t)i])
                mt_gram_add(&s->folds[f], &s->rows[i], 1);
    }
    return status;
}

/* List the columns of the sets that are taken, and of one more (-1: none). */
static void list_columns(struct solver *s, int more)
{
    s->count = 0;
    for (int j = 0; j < s->of->ncolumns; j++)
        if (s->taken[s->of->set[j]] || s->of->set[j] == more)
            s->columns[s->count++] = j;
}

static double *solution(const struct solver *s, int fold)
{
    return s->x + (size_t)fold * (size_t)s->of->ncolumns;
}

/* Find the unknowns of the columns that are listed. */
static int solve(struct solver *s, int fold, struct mt_error *err)
{
    struct mt_gram part = {0};
    double *x = solution(s, fold);
    for (int k = 0; k < s->count; k++)
        s->part[k] = x[s->columns[k]];
    int status = mt_gram_extract(&part, &s->folds[fold], s->columns, s->count, err);
    if (status == MT_OK) {
        mt_gram_add_ridge(&part, s->ridge);
        status = mt_gram_nnls(&part, NULL, s->part, err);
    }
    mt_gram_clear(&part);
    memset(x, 0, (size_t)s->of->ncolumns * sizeof *x);
    for (int k = 0; k < s->count; k++)
        x[s->columns[k]] = s->part[k];
    return status;
}

static double value_at(const struct solver *s, int fold, int i)
{
    const struct mt_sparse_row *row = &s->rows[i];
    const double *x = solution(s, fold);
    double sum = 0;
    for (int k = 0; k < row->count; k++)
        sum += x[row->columns[k]] * row->values[k];
    return sum;
}

/* The mean square error of the rows that a fold holds out. */
static double error_of_fold(struct solver *s, int fold)
{
    const size_t first = (size_t)fold * (size_t)s->of->nrows;
    const bool *held = s->of->held + first;
    const bool *judged = (s->of->judged ? s->of->judged : s->of->held) + first;
    double sum = 0;
    int count = 0;
    for (int i = 0; i < s->of->nrows; i++) {
        if (!held[i])
            continue;
        const double value = value_at(s, fold, i);
        const double error =
            value > 0 ? fmin(largest_error, fabs(log(value))) : largest_error;
        s->squares[i] += judged[i] ? error * error : 0;
        s->times[i] += judged[i];
        sum += error * error;
        count++;
    }
    return count > 0 ? sum / count : 0;
}

/* The error of what is taken, and one set more (-1: none), over the rows held out. */
static int validate(struct solver *s, int more, double *score, struct mt_error *err)
{
    const struct mt_selection *of = s->of;
    int status = MT_OK;
    double sum = 0;
    memset(s->squares, 0, (size_t)of->nrows * sizeof *s->squares);
    memset(s->times, 0, (size_t)of->nrows * sizeof *s->times);
    list_columns(s, more);
    for (int f = 0; f < of->nfolds && status == MT_OK; f++) {
        status = solve(s, f, err);
        if (status == MT_OK)
            sum += log(error_of_fold(s, f) + smallest_error * smallest_error) / 2;
    }
    *score = of->nfolds > 0 ? exp(sum / of->nfolds) : 0;
    return status;
}

/* What the residuals of all rows have of each column. */
static int find_slopes(struct solver *s, struct mt_error *err)
{
    const struct mt_selection *of = s->of;
    list_columns(s, -1);
    const int status = solve(s, of->nfolds, err);
    memset(s->slope, 0, (size_t)of->ncolumns * sizeof *s->slope);
    for (int i = 0; i < of->nrows && status == MT_OK; i++) {
        const struct mt_sparse_row *row = &s->rows[i];
        const double residual = 1 - value_at(s, of->nfolds, i);
        for (int k = 0; k < row->count; k++)
            s->slope[row->columns[k]] += residual * row->values[k];
    }
    return status;
}

/* Write the sets that are not taken and may explain most of the residuals to `sets`,
   which has room for one more; returns how many there are. */
static int list_promising(struct solver *s, int *sets, int most)
{
    const struct mt_selection *of = s->of;
    int count = 0;
    memset(s->promise, 0, (size_t)of->nsets * sizeof *s->promise);
    for (int j = 0; j < of->ncolumns; j++)
        if (!s->taken[of->set[j]] && s->slope[j] > 0)
            s->promise[of->set[j]] += s->slope[j] * s->slope[j];
    for (int g = 0; g < of->nsets; g++) {
        if (s->promise[g] <= 0)
            continue;
        int at = count;
        for (; at > 0 && s->promise[sets[at - 1]] < s->promise[g]; at--)
            sets[at] = sets[at - 1];
        sets[at] = g;
        count += count < most;
    }
    return count;
}

/* Add the best of the sets that promise most; `added` tells whether one is worth it. */
static int add_best(struct solver *s, double *score, bool *added, struct mt_error *err)
{
    int sets[MOST_TRIED + 1], best_set = -1, count = 0;
    double best = *score * (1 - worthwhile);
    int status = find_slopes(s, err);
    if (status == MT_OK)
        count =
            list_promising(s, sets, s->count > MANY_COLUMNS ? FEWER_TRIED : MOST_TRIED);
    for (int k = 0; k < count && status == MT_OK; k++) {
        double here;
        status = validate(s, sets[k], &here, err);
        if (status == MT_OK && here < best) {
            best = here;
            best_set = sets[k];
        }
    }
    *added = status == MT_OK && best_set >= 0;
    if (*added) {
        s->taken[best_set] = true;
        *score = best;
    }
    return status;
}

/* Take sets out again that are not needed. */
static int drop_needless(struct solver *s, double *score, struct mt_error *err)
{
    int status = MT_OK;
    for (int g = 0; g < s->of->nsets && status == MT_OK; g++) {
        if (!s->taken[g] || s->of->fixed[g])
            continue;
        double without;
        s->taken[g] = false;
        status = validate(s, -1, &without, err);
        s->taken[g] = without > *score * (1 + needless);
        if (!s->taken[g])
            *score = without;
    }
    return status;
}

static int choose_ridge(struct solver *s, double *score, struct mt_error *err)
{
    double best_ridge = s->ridge;
    int status = MT_OK;
    for (size_t i = 0; i < sizeof ridges / sizeof *ridges && status == MT_OK; i++) {
        double here;
        s->ridge = ridges[i];
        status = validate(s, -1, &here, err);
        if (status == MT_OK && here < *score) {
            *score = here;
            best_ridge = ridges[i];
        }
    }
    s->ridge = best_ridge;
    return status;
}

/* Exchange sets for better ones: take each out, and the best one in. */
static int exchange(struct solver *s, double *score, struct mt_error *err)
{
    int status = MT_OK;
    for (int g = 0; g < s->of->nsets && status == MT_OK; g++) {
        if (!s->taken[g] || s->of->fixed[g])
            continue;
        bool added = false;
        double without = *score / (1 - worthwhile);
        s->taken[g] = false;
        status = add_best(s, &without, &added, err);
        if (added)
            *score = without;
        else
            s->taken[g] = true;
    }
    return status;
}

static int choose(struct solver *s, struct mt_error *err)
{
    bool added = true;
    double score;
    int status = validate(s, -1, &score, err);
    for (int k = 0; k < MOST_SETS && status == MT_OK && added; k++)
        status = add_best(s, &score, &added, err);
    if (status == MT_OK)
        status = exchange(s, &score, err);
    if (status == MT_OK)
        status = drop_needless(s, &score, err);
    if (status == MT_OK)
        status = choose_ridge(s, &score, err);
    return status;
}

static void hand_over(const struct solver *s, struct mt_selected *selected)
{
    const struct mt_selection *of = s->of;
    memcpy(selected->taken, s->taken, (size_t)of->nsets * sizeof *selected->taken);
    for (int j = 0; j < of->ncolumns; j++)
        selected->x[j] = solution(s, of->nfolds)[j] / s->scale[j];
    for (int i = 0; i < of->nrows; i++)
        selected->held[i] = s->times[i] > 0 ? s->squares[i] / s->times[i] : NAN;
    selected->ridge = s->ridge;
}

int mt_select(struct mt_selected *selected, const struct mt_selection *selection,
              struct mt_error *err)
{
    struct solver s;
    int status = solver_init(&s, selection, err);
    if (status != MT_OK)
        return status;
    memcpy(s.taken, selection->first, (size_t)selection->nsets * sizeof *s.taken);
    scale_rows(&s);
    status = make_folds(&s, err);
    if (status == MT_OK && selection->ridge <= 0)
        status = choose(&s, err);
    if (status == MT_OK)
        status = validate(&s, -1, &selected->score, err);
    if (status == MT_OK)
        status = solve(&s, selection->nfolds, err);
    if (status == MT_OK)
        hand_over(&s, selected);
    solver_clear(&s);
    return status;
}
