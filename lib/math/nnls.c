/* SPDX-License-Identifier: BSD-3-Clause */
/* Non-negative least squares (Lawson and Hanson 1974, chapter 23). */
#include "nnls.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A step that does not converge is a fault of rounding; Lawson and Hanson's own code
   allows three steps for each unknown. */
enum { STEPS_PER_UNKNOWN = 10 };

/* The problem and its workspace, n unknowns. */
struct problem {
    const double *triangle;
    int ld, n;
    double *x;
    double *z;        /* unconstrained solution over the free unknowns */
    double *residual; /* b - A x */
    double *work;     /* n x (n + 1): the columns of the free unknowns, then b; above
                         the diagonal the reflected columns, from it on the
                         reflectors */
    double *diagonal; /* of the reflected columns */
    int *free;        /* the unknowns that may be positive; the others are 0 */
    int nfree;
    int reflected; /* columns of `work` that are reflected already, of nfree */
    bool *banned;  /* depends on the free ones: stays fixed in this round */
};

static const double *column(const struct problem *p, int j)
{
    return p->triangle + (size_t)j * (size_t)p->ld;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Copy column j of the problem to column k of `work`, and apply the reflections of the
   columns before. */
static double *reflected_copy(struct problem *p, int j, int k)
{
    const size_t n = (size_t)p->n;
    double *copy = p->work + (size_t)k * n;
    memcpy(copy, column(p, j), n * sizeof *copy);
    for (int i = 0; i < p->reflected; i++) {
        const double *v = p->work + (size_t)i * n + i;
        const double factor = dot(v, copy + i, p->n - i) / (-p->diagonal[i] * v[0]);
        for (int row = 0; row < p->n - i; row++)
            copy[i + row] -= factor * v[row];
    }
    return copy;
}

/* Add the next free column: reflect its entries below the leading ones onto the last of
   these. False if they are zero: it depends on the columns before. */
static bool reflect_next(struct problem *p)
{
    const int k = p->reflected, j = p->free[k];
    const double whole = sqrt(dot(column(p, j), column(p, j), p->n));
    double *v = reflected_copy(p, j, k) + k;
    const double length = sqrt(dot(v, v, p->n - k));
    if (length <= 1e-12 * whole)
        return false;
    p->diagonal[k] = v[0] > 0 ? -length : length;
    v[0] -= p->diagonal[k];
    p->reflected++;
    return true;
}

/* Solve for the free unknowns as if they were not constrained. False when one of them
   depends on those before. */
static bool solve_free(struct problem *p)
{
    const int n = p->n, k = p->nfree;
    while (p->reflected < k) {
        if (!reflect_next(p))
            return false;
    }
    const double *b = reflected_copy(p, n, k);
    for (int j = k - 1; j >= 0; j--) {
        double sum = b[j];
        for (int i = j + 1; i < k; i++)
            sum -= p->work[(size_t)i * (size_t)n + j] * p->z[i];
        p->z[j] = sum / p->diagonal[j];
    }
    return true;
}

/* Keep the first `count` of the free unknowns. */
static void keep_free(struct problem *p, int count)
{
    p->nfree = count;
    if (p->reflected > count)
        p->reflected = count;
}

/* Go from x towards z until the first free unknown becomes 0; fix the unknowns that
   became 0. */
static void step_to_boundary(struct problem *p)
{
    double step = 1;
    for (int j = 0; j < p->nfree; j++) {
        const double x = p->x[p->free[j]];
        if (p->z[j] <= 0)
            step = fmin(step, x > 0 ? x / (x - p->z[j]) : 0);
    }
    int kept = 0;
    for (int j = 0; j < p->nfree; j++) {
        double *x = &p->x[p->free[j]];
        const bool leaves = p->z[j] <= 0 && *x <= step * (*x - p->z[j]) * (1 + 1e-14);
        *x = leaves ? 0 : *x + step * (p->z[j] - *x);
        if (*x > 0)
            p->free[kept++] = p->free[j];
        else if (p->reflected > kept) /* the columns from here on move up */
            p->reflected = kept;
    }
    p->nfree = kept;
}

/* Bring x to the least squares over its free unknowns that keeps them positive. */
static bool settle(struct problem *p)
{
    while (p->nfree > 0) {
        if (!solve_free(p))
            return false;
        bool positive = true;
        for (int j = 0; j < p->nfree; j++)
            positive = positive && p->z[j] > 0;
        if (positive) {
            for (int j = 0; j < p->nfree; j++)
                p->x[p->free[j]] = p->z[j];
            return true;
        }
        step_to_boundary(p);
    }
    return true;
}

/* The unknown at 0 whose growth reduces the residual most, or -1. */
static int best_to_free(struct problem *p)
{
    const int n = p->n;
    const double *b = column(p, n);
    memcpy(p->residual, b, (size_t)n * sizeof *b);
    for (int k = 0; k < p->nfree; k++) {
        const double *a = column(p, p->free[k]);
        for (int i = 0; i < n; i++)
            p->residual[i] -= a[i] * p->x[p->free[k]];
    }
    int best = -1;
    double steepest = 10 * n * DBL_EPSILON * sqrt(dot(b, b, n));
    for (int j = 0; j < n; j++) {
        if (p->x[j] > 0 || p->banned[j])
            continue;
        const double *a = column(p, j);
        const double length = sqrt(dot(a, a, n));
        const double gain = length > 0 ? dot(a, p->residual, n) / length : 0;
        if (gain > steepest) {
            steepest = gain;
            best = j;
        }
    }
    return best;
}

/* Lawson and Hanson's loop, from the x that the caller gave. */
static void iterate(struct problem *p)
{
    for (int j = 0; j < p->n; j++)
        if (p->x[j] > 0)
            p->free[p->nfree++] = j;
    if (!settle(p)) { /* the start came from too different a problem */
        memset(p->x, 0, (size_t)p->n * sizeof *p->x);
        keep_free(p, 0);
    }
    for (int step = 0; step < STEPS_PER_UNKNOWN * p->n; step++) {
        const int j = best_to_free(p);
        if (j < 0)
            return;
        p->free[p->nfree++] = j;
        if (!settle(p))
            keep_free(p, p->nfree - 1);
        if (p->x[j] > 0)
            memset(p->banned, 0, (size_t)p->n * sizeof *p->banned);
        else
            p->banned[j] = true;
    }
}

int mt_nnls(const double *triangle, int ld, int unknowns, double *x,
            struct mt_error *err)
{
    const size_t n = (size_t)unknowns;
    struct problem p = {.triangle = triangle, .ld = ld, .n = unknowns, .x = x};
    double *numbers = malloc((n * (n + 1) + 3 * n) * sizeof *numbers);
    p.free = malloc(n * sizeof *p.free);
    p.banned = calloc(n, sizeof *p.banned);
    int status = MT_OK;
    if (!numbers || !p.free || !p.banned) {
        status = mt_fail(err, MT_ENOMEM, "no memory to fit %d terms", unknowns);
    } else {
        p.z = numbers;
        p.residual = numbers + n;
        p.diagonal = numbers + 2 * n;
        p.work = numbers + 3 * n;
        iterate(&p);
    }
    free(p.banned);
    free(p.free);
    free(numbers);
    return status;
}
