/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse normal equations with non-negative unknowns (active sets, Cholesky). */
#include "gram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A column whose part that is orthogonal to those before is smaller than this, relative
   to its length and squared, depends on them. */
static const double smallest_pivot = 1e-13;
/* Slopes that are smaller, relative to the lengths of the column and of b, are zero. */
static const double smallest_slope = 1e-13;

enum {
    /* So often all wrong columns change sides without fewer of them being wrong. */
    MOST_USELESS = 3,
    /* More steps for each column are a fault of rounding. */
    STEPS_PER_UNKNOWN = 10
};

static int allocate(struct mt_gram *gram, int n, size_t products, struct mt_error *err)
{
    const size_t count = n > 0 ? (size_t)n : 0;
    struct mt_gram made = {.n = n,
                           .first = calloc(count + 1, sizeof *made.first),
                           .start = calloc(count + 1, sizeof *made.start),
                           .products = calloc(products + 1, sizeof *made.products),
                           .right = calloc(count + 1, sizeof *made.right)};
    if (!made.first || !made.start || !made.products || !made.right) {
        mt_gram_clear(&made);
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d terms", n);
    }
    *gram = made;
    return MT_OK;
}

static size_t count_products(const struct mt_gram *gram)
{
    const int last = gram->n - 1;
    return gram->n == 0 ? 0
                        : gram->start[last] + (size_t)(last - gram->first[last]) + 1;
}

/* The first column that each column meets. */
static void find_first(int *first, int n, const struct mt_sparse_row *rows, int nrows)
{
    for (int i = 0; i < n; i++)
        first[i] = i;
    for (int r = 0; r < nrows; r++) {
        for (int k = 0; k < rows[r].count; k++) {
            const int i = rows[r].columns[k], least = rows[r].columns[0];
            first[i] = least < first[i] ? least : first[i];
        }
    }
}

int mt_gram_init(struct mt_gram *gram, int n, const struct mt_sparse_row *rows,
                 int nrows, struct mt_error *err)
{
    int *first = calloc((size_t)n + 1, sizeof *first);
    if (!first)
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d terms", n);
    find_first(first, n, rows, nrows);
    size_t products = 0;
    for (int i = 0; i < n; i++)
        products += (size_t)(i - first[i]) + 1;
    const int status = allocate(gram, n, products, err);
    size_t start = 0;
    for (int i = 0; status == MT_OK && i < n; i++) {
        gram->first[i] = first[i];
        gram->start[i] = start;
        start += (size_t)(i - first[i]) + 1;
    }
    free(first);
    return status;
}

int mt_gram_extract(struct mt_gram *part, const struct mt_gram *gram,
                    const int *columns, int n, struct mt_error *err)
{
    size_t products = 0;
    int status = MT_OK;
    for (int pass = 0; pass < 2 && status == MT_OK; pass++) {
        if (pass == 1)
            status = allocate(part, n, products, err);
        products = 0;
        for (int i = 0, from; i < n && status == MT_OK; i++) {
            for (from = 0; columns[from] < gram->first[columns[i]];)
                from++;
            if (pass == 1) {
                part->first[i] = from;
                part->start[i] = products;
                part->right[i] = gram->right[columns[i]];
                for (int k = from; k <= i; k++)
                    part->products[products + (size_t)(k - from)] =
                        mt_gram_product(gram, columns[i], columns[k]);
            }
            products += (size_t)(i - from) + 1;
        }
    }
    if (status == MT_OK)
        part->square = gram->square;
    return status;
}

void mt_gram_clear(struct mt_gram *gram)
{
    free(gram->first);
    free(gram->start);
    free(gram->products);
    free(gram->right);
    *gram = (struct mt_gram){0};
}

void mt_gram_add(struct mt_gram *gram, const struct mt_sparse_row *row, double weight)
{
    for (int k = 0; k < row->count; k++) {
        const int i = row->columns[k];
        const double value = weight * row->values[k];
        double *products = gram->products + gram->start[i];
        for (int l = 0; l <= k; l++)
            products[row->columns[l] - gram->first[i]] += value * row->values[l];
        gram->right[i] += value * row->right;
    }
    gram->square += weight * row->right * row->right;
}

void mt_gram_add_ridge(struct mt_gram *gram, double ridge)
{
    for (int i = 0; i < gram->n; i++)
        gram->products[gram->start[i] + (size_t)(i - gram->first[i])] += ridge;
}

/* A problem being solved. Rows of the factor are those of the free columns, and hold
   the columns from[row] .. row of it, from factor + begin[row] on. */
struct solver {
    const struct mt_gram *gram;
    const bool *allowed;
    double *x, *slope; /* slope: A'(b - A x) */
    double *z;         /* of the free columns: the unconstrained solution */
    double *factor;
    size_t *begin;
    int *from;
    int *columns; /* the free ones, ascending; the others are 0 */
    int *before;  /* of every column: free ones before it */
    int nfree;
    bool *free;
};

static void solver_clear(struct solver *s)
{
    free(s->slope);
    free(s->z);
    free(s->factor);
    free(s->begin);
    free(s->from);
    free(s->columns);
    free(s->before);
    free(s->free);
}

static int solver_init(struct solver *s, const struct mt_gram *gram,
                       const bool *allowed, double *x, struct mt_error *err)
{
    const size_t n = (size_t)gram->n + 1;
    *s = (struct solver){.gram = gram,
                         .allowed = allowed,
                         .x = x,
                         .slope = calloc(n, sizeof *s->slope),
                         .z = calloc(n, sizeof *s->z),
                         .factor = calloc(count_products(gram) + 1, sizeof *s->factor),
                         .begin = calloc(n, sizeof *s->begin),
                         .from = calloc(n, sizeof *s->from),
                         .columns = calloc(n, sizeof *s->columns),
                         .before = calloc(n, sizeof *s->before),
                         .free = calloc(n, sizeof *s->free)};
    if (s->slope && s->z && s->factor && s->begin && s->from && s->columns &&
        s->before && s->free)
        return MT_OK;
    solver_clear(s);
    return mt_fail(err, MT_ENOMEM, "no memory to fit %d terms", gram->n);
}

/* Copy the products of the free columns to where their factor will be. */
static void gather(struct solver *s)
{
    const struct mt_gram *gram = s->gram;
    size_t begin = 0;
    s->nfree = 0;
    for (int i = 0; i < gram->n; i++) {
        s->before[i] = s->nfree;
        if (!s->free[i])
            continue;
        const int row = s->nfree, from = s->before[gram->first[i]];
        const double *products = gram->products + gram->start[i] - gram->first[i];
        s->columns[s->nfree++] = i;
        s->from[row] = from;
        s->begin[row] = begin;
        for (int k = from; k <= row; k++)
            s->factor[begin++] = products[s->columns[k]];
    }
}

/* Replace what was gathered by its Cholesky factor. The pivot of a column that depends
   on those before it is infinite, so that its unknown will be 0. */
static void factorize(struct solver *s)
{
    for (int row = 0; row < s->nfree; row++) {
        const int from = s->from[row];
        double *mine = s->factor + s->begin[row];
        double pivot = mine[row - from];
        const double least = smallest_pivot * pivot;
        for (int k = from; k < row; k++) {
            const int start = s->from[k] > from ? s->from[k] : from;
            const double *other = s->factor + s->begin[k] + (start - s->from[k]);
            const double *own = mine + (start - from);
            double sum = mine[k - from];
            for (int j = 0; j < k - start; j++)
                sum -= own[j] * other[j];
            sum /= other[k - start];
            mine[k - from] = sum;
            pivot -= sum * sum;
        }
        mine[row - from] = pivot > least ? sqrt(pivot) : INFINITY;
    }
}

/* Solve for the free unknowns as if they were not constrained. */
static void solve_free(struct solver *s)
{
    gather(s);
    factorize(s);
    for (int row = 0; row < s->nfree; row++) {
        const double *mine = s->factor + s->begin[row];
        const int length = row - s->from[row];
        double sum = s->gram->right[s->columns[row]];
        for (int k = 0; k < length; k++)
            sum -= mine[k] * s->z[s->from[row] + k];
        s->z[row] = sum / mine[length];
    }
    for (int row = s->nfree - 1; row >= 0; row--) {
        const double *mine = s->factor + s->begin[row];
        const int length = row - s->from[row];
        s->z[row] /= mine[length];
        for (int k = 0; k < length; k++)
            s->z[s->from[row] + k] -= mine[k] * s->z[row];
    }
    memset(s->x, 0, (size_t)s->gram->n * sizeof *s->x);
    for (int row = 0; row < s->nfree; row++)
        s->x[s->columns[row]] = s->z[row];
}

static void find_slopes(struct solver *s)
{
    const struct mt_gram *gram = s->gram;
    memcpy(s->slope, gram->right, (size_t)gram->n * sizeof *s->slope);
    for (int i = 0; i < gram->n; i++) {
        const double *products = gram->products + gram->start[i];
        const int first = gram->first[i], length = i - first;
        double sum = products[length] * s->x[i];
        for (int k = 0; k < length; k++) {
            sum += products[k] * s->x[first + k];
            s->slope[first + k] -= products[k] * s->x[i];
        }
        s->slope[i] -= sum;
    }
}

/* Whether a column is on the wrong side: free and negative, or held at 0 where its
   growth would reduce the residual. */
static bool is_wrong(const struct solver *s, int i)
{
    if (s->free[i])
        return s->x[i] < 0;
    return (!s->allowed || s->allowed[i]) &&
           s->slope[i] >
               smallest_slope * sqrt(mt_gram_product(s->gram, i, i) * s->gram->square);
}

/*
 * Block principal pivoting: all columns on the wrong side change it at once, which ends
 * after few steps; where that goes on without fewer being wrong, the last of them alone
 * does, which always ends. (Judice and Pires, Computers & Operations Research 21,
 * 1994.)
 */
static void iterate(struct solver *s)
{
    const int n = s->gram->n;
    int fewest = n + 1, useless = 0;
    for (int i = 0; i < n; i++)
        s->free[i] = s->x[i] > 0 && (!s->allowed || s->allowed[i]);
    for (int step = 0; step < MOST_USELESS + STEPS_PER_UNKNOWN * n; step++) {
        int wrong = 0, last = -1;
        solve_free(s);
        find_slopes(s);
        for (int i = 0; i < n; i++) {
            if (is_wrong(s, i)) {
                wrong++;
                last = i;
            }
        }
        if (wrong == 0)
            return;
        useless = wrong < fewest ? 0 : useless + 1;
        fewest = wrong < fewest ? wrong : fewest;
        if (useless > MOST_USELESS) {
            s->free[last] = !s->free[last];
            continue;
        }
        for (int i = 0; i <= last; i++)
            if (is_wrong(s, i))
                s->free[i] = !s->free[i];
    }
}

int mt_gram_nnls(const struct mt_gram *gram, const bool *allowed, double *x,
                 struct mt_error *err)
{
    struct solver s;
    const int status = solver_init(&s, gram, allowed, x, err);
    if (status != MT_OK)
        return status;
    iterate(&s);
    for (int i = 0; i < gram->n; i++)
        x[i] = fmax(0, x[i]);
    solver_clear(&s);
    return MT_OK;
}
