/* SPDX-License-Identifier: BSD-3-Clause */
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
    double *work;     /* n x (n + 1): the columns of the free unknowns, then b */
    int *free;        /* the unknowns that may be positive; the others are 0 */
    int nfree;
    bool *banned; /* depends on the free ones: not to be freed in this round */
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

/* Reflect column k of `work` onto its leading k + 1 entries, and the columns after it
   likewise. Returns the length of what was below: how independent the column is. */
static double reflect(double *work, int n, int k, int columns)
{
    double *v = work + (size_t)k * (size_t)n + k;
    const int m = n - k;
    const double length = sqrt(dot(v, v, m));
    if (length == 0)
        return 0;
    const double diagonal = v[0] > 0 ? -length : length;
    v[0] -= diagonal;
    const double half_square = -diagonal * v[0];
    for (int j = k + 1; j < columns; j++) {
        double *c = work + (size_t)j * (size_t)n + k;
        const double factor = dot(v, c, m) / half_square;
        for (int i = 0; i < m; i++)
            c[i] -= factor * v[i];
    }
    v[0] = diagonal;
    return length;
}

/* Solve for the free unknowns as if they were not constrained. False when the last of
   them depends on the others. */
static bool solve_free(struct problem *p)
{
    const int n = p->n, k = p->nfree;
    for (int j = 0; j < k; j++)
        memcpy(p->work + (size_t)j * (size_t)n, column(p, p->free[j]),
               (size_t)n * sizeof *p->work);
    double *b = p->work + (size_t)k * (size_t)n;
    memcpy(b, column(p, n), (size_t)n * sizeof *b);
    for (int j = 0; j < k; j++) {
        const double *a = column(p, p->free[j]);
        const double whole = sqrt(dot(a, a, n));
        if (reflect(p->work, n, j, k + 1) <= 1e-12 * whole)
            return false;
    }
    for (int j = k - 1; j >= 0; j--) {
        double sum = b[j];
        for (int i = j + 1; i < k; i++)
            sum -= p->work[(size_t)i * (size_t)n + j] * p->z[i];
        p->z[j] = sum / p->work[(size_t)j * (size_t)n + j];
    }
    return true;
}

/* Go from x towards z until the first free unknown becomes 0; fix those that did. */
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

static void iterate(struct problem *p)
{
    if (!settle(p)) { /* the start was that of too different a problem */
        memset(p->x, 0, (size_t)p->n * sizeof *p->x);
        p->nfree = 0;
    }
    for (int step = 0; step < STEPS_PER_UNKNOWN * p->n; step++) {
        const int j = best_to_free(p);
        if (j < 0)
            return;
        p->free[p->nfree++] = j;
        if (!settle(p))
            p->nfree--;
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
    double *numbers = malloc((n * (n + 1) + 2 * n) * sizeof *numbers);
    p.free = malloc(n * sizeof *p.free);
    p.banned = calloc(n, sizeof *p.banned);
    int status = MT_OK;
    if (!numbers || !p.free || !p.banned) {
        status = mt_fail(err, MT_ENOMEM, "no memory to fit %d terms", unknowns);
        goto done;
    }
    p.z = numbers;
    p.residual = numbers + n;
    p.work = numbers + 2 * n;
    for (int j = 0; j < unknowns; j++) {
        if (x[j] > 0)
            p.free[p.nfree++] = j;
    }
    iterate(&p);
done:
    free(p.banned);
    free(p.free);
    free(numbers);
    return status;
}
