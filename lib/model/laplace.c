/* SPDX-License-Identifier: BSD-3-Clause */
/* The mode of a hypothesis's parameters by Levenberg and Marquardt's method, and its
   evidence by Laplace's approximation (MacKay 2003, chapter 27). */
#include "posterior.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Stop after a step that gains less than this, in nats. */
static const double enough = 1e-8;
enum { MOST_STEPS = 60 };
/* The damping, and its factors after a step that succeeds or fails. */
static const double first_damping = 1e-3, least_damping = 1e-7, most_damping = 1e8,
                    easing = 6, tightening = 8;

struct mt_laplace {
    const struct mt_posterior *posterior;
    struct mt_hypothesis hypothesis;
    int n, p;                 /* cells, parameters */
    double *mean, *precision; /* of the prior */
    double log_determinant;   /* of the prior's covariance */
    double *u;                /* the mode */
    double *residuals;        /* L^-1 (y - log f) there */
    double *slopes;           /* L^-1 J, by columns of a parameter */
    double *hessian;          /* J' V^-1 J + the prior's precision */
    double *newton;           /* the hessian with the curvature of log f */
    double *trial, *trial_residuals, *step, *damped, *downhill;
    double *plain;        /* scratch for products with L^-1 or L^-T: up to n x p */
    double *pulls;        /* L^-T residuals */
    struct mt_slopes *at; /* owned; of log f where it was last evaluated, one a cell */
    int *used;            /* owned; room for mt_slopes_add_curvature() */
    int grid;
    double *all; /* owned; all of these arrays */
};

static int factor_in_place(double *matrix, int n)
{
    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, matrix, n);
}

static double log_determinant_of(const double *factor, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += 2 * log(factor[(size_t)i * (n + 1)]);
    return sum;
}

/* The upper triangle from the lower one. */
static void mirror(double *matrix, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            matrix[i * n + k] = matrix[k * n + i];
}

/* L^-1 or L^-T times a vector. */
static void whiten(const struct mt_laplace *laplace, CBLAS_TRANSPOSE transposed,
                   const double *vector, double *whitened)
{
    const int n = laplace->n;
    cblas_dgemv(CblasColMajor, transposed, n, n, 1,
                laplace->posterior->whiteners[laplace->grid], n, vector, 1, 0, whitened,
                1);
}

int mt_laplace_init(struct mt_laplace **laplace, const struct mt_posterior *posterior,
                    const struct mt_hypothesis *hypothesis, struct mt_error *err)
{
    const int n = posterior->cells.count,
              p = mt_hypothesis_parameters(posterior, hypothesis),
              rows = mt_hypothesis_row_count(hypothesis);
    struct mt_laplace *made = calloc(1, sizeof *made);
    struct mt_slopes *at = calloc((size_t)n, sizeof *at);
    const size_t vectors = 5 + (size_t)4 * p + (size_t)(rows + 2) * n;
    double *all = calloc(vectors * p + (size_t)4 * n, sizeof *all);
    int *used = calloc((size_t)n * (size_t)p, sizeof *used);
    if (!made || !at || !all || !used) {
        free(made);
        free(at);
        free(all);
        free(used);
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", n);
    }
    *made = (struct mt_laplace){.posterior = posterior,
                                .hypothesis = *hypothesis,
                                .n = n,
                                .p = p,
                                .at = at,
                                .used = used,
                                .all = all};
    double **const arrays[] = {&made->mean, &made->u, &made->trial, &made->step,
                               &made->downhill};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++, all += p)
        *arrays[i] = all;
    made->precision = all;
    made->hessian = all + (size_t)p * p;
    made->damped = all + (size_t)2 * p * p;
    made->newton = all + (size_t)3 * p * p;
    made->pulls = all + (size_t)4 * p * p;
    made->residuals = made->pulls + n;
    made->trial_residuals = made->residuals + n;
    made->slopes = made->trial_residuals + n;
    made->plain = made->slopes + (size_t)n * p;
    for (int i = 0; i < n; i++) {
        at[i].gradient = made->plain + n + (size_t)i * (rows + 1) * p;
        at[i].rows = at[i].gradient + p;
        at[i].used = used + (size_t)i * p;
    }
    mt_hypothesis_prior(posterior, hypothesis, made->mean, made->precision);
    for (int i = 0; i < p; i++)
        made->precision[(size_t)i * (p + 1)] += 1e-10;
    factor_in_place(made->precision, p);
    made->log_determinant = log_determinant_of(made->precision, p);
    LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', p, made->precision, p);
    mirror(made->precision, p);
    memcpy(made->u, made->mean, (size_t)p * sizeof *made->u);
    *laplace = made;
    return MT_OK;
}

void mt_laplace_free(struct mt_laplace *laplace)
{
    if (!laplace)
        return;
    free(laplace->at);
    free(laplace->used);
    free(laplace->all);
    free(laplace);
}

/* Minus the logarithm of likelihood times prior at u, without constants, and L^-1 times
   the residuals. */
static double evaluate(struct mt_laplace *laplace, const double *u, double *residuals)
{
    const struct mt_posterior *posterior = laplace->posterior;
    const int n = laplace->n, p = laplace->p;
    double sum = 0;
    for (int i = 0; i < n; i++)
        laplace->plain[i] = posterior->cells.all[i].y -
                            mt_hypothesis_value(posterior, &laplace->hypothesis, u,
                                                &posterior->points[i], &laplace->at[i]);
    whiten(laplace, CblasNoTrans, laplace->plain, residuals);
    for (int i = 0; i < n; i++)
        sum += residuals[i] * residuals[i];
    for (int i = 0; i < p; i++)
        for (int k = 0; k < p; k++)
            sum += (u[i] - laplace->mean[i]) * laplace->precision[i * p + k] *
                   (u[k] - laplace->mean[k]);
    return sum / 2;
}

/* L^-1 J. Each cell depends on a few parameters. */
static void set_slopes(struct mt_laplace *laplace)
{
    const int n = laplace->n;
    const double *whitener = laplace->posterior->whiteners[laplace->grid];
    memset(laplace->slopes, 0, (size_t)(n * laplace->p) * sizeof *laplace->slopes);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < laplace->at[k].nused; j++) {
            const int a = laplace->at[k].used[j];
            const double slope = laplace->at[k].gradient[a];
            double *column = &laplace->slopes[(size_t)a * n];
            for (int i = k; i < n; i++)
                column[i] += slope * whitener[(size_t)k * n + i];
        }
}

/* The Gauss-Newton Hessian at the current mode, which was evaluated last: it leaves out
   the curvature of log f. */
static void find_hessian(struct mt_laplace *laplace)
{
    const int n = laplace->n, p = laplace->p;
    set_slopes(laplace);
    memcpy(laplace->hessian, laplace->precision, (size_t)(p * p) * sizeof(double));
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, p, n, 1, laplace->slopes, n, 1,
                laplace->hessian, p);
}

/* The downhill direction, and Newton's Hessian, with which the method converges in a
   few steps. */
static void find_slope(struct mt_laplace *laplace)
{
    const int n = laplace->n, p = laplace->p;
    find_hessian(laplace);
    for (int a = 0; a < p; a++) {
        laplace->downhill[a] = 0;
        for (int b = 0; b < p; b++)
            laplace->downhill[a] -=
                laplace->precision[a * p + b] * (laplace->u[b] - laplace->mean[b]);
    }
    cblas_dgemv(CblasColMajor, CblasTrans, n, p, 1, laplace->slopes, n,
                laplace->residuals, 1, 1, laplace->downhill, 1);
    memcpy(laplace->newton, laplace->hessian, (size_t)(p * p) * sizeof(double));
    whiten(laplace, CblasTrans, laplace->residuals, laplace->pulls);
    for (int i = 0; i < n; i++)
        mt_slopes_add_curvature(&laplace->at[i], p, -laplace->pulls[i],
                                laplace->newton);
}

/* The step with this damping; false where the Hessian is not positive definite. */
static bool find_step(struct mt_laplace *laplace, double damping)
{
    const int p = laplace->p;
    memcpy(laplace->damped, laplace->newton, (size_t)(p * p) * sizeof(double));
    memcpy(laplace->step, laplace->downhill, (size_t)p * sizeof(double));
    for (int i = 0; i < p; i++)
        laplace->damped[(size_t)i * (p + 1)] +=
            damping * laplace->hessian[(size_t)i * (p + 1)];
    if (factor_in_place(laplace->damped, p) != 0)
        return false;
    for (int i = 0; i < 2; i++)
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', i ? 'T' : 'N', 'N', p, 1,
                            laplace->damped, p, laplace->step, p);
    return true;
}

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

/* The evidence at the mode, where the sum of squares is `value`. */
static int conclude(struct mt_laplace *laplace, double value, double *evidence,
                    struct mt_error *err)
{
    const int p = laplace->p;
    memcpy(laplace->damped, laplace->hessian, (size_t)(p * p) * sizeof(double));
    if (factor_in_place(laplace->damped, p) != 0)
        return mt_fail(err, MT_ERANK, "the runs' times are not finite");
    *evidence = -value - laplace->log_determinant / 2 -
                log_determinant_of(laplace->damped, p) / 2;
    return MT_OK;
}

int mt_laplace_recall(struct mt_laplace *laplace, int grid, const double *u,
                      double *evidence, struct mt_error *err)
{
    laplace->grid = grid;
    memcpy(laplace->u, u, (size_t)laplace->p * sizeof *u);
    const double value = evaluate(laplace, laplace->u, laplace->residuals);
    find_hessian(laplace);
    return conclude(laplace, value, evidence, err);
}

int mt_laplace_fit(struct mt_laplace *laplace, int grid, double *evidence,
                   struct mt_error *err)
{
    const int p = laplace->p;
    double damping = first_damping, gain = INFINITY;
    laplace->grid = grid;
    double value = evaluate(laplace, laplace->u, laplace->residuals);
    find_slope(laplace);
    for (int steps = 0; steps < MOST_STEPS && gain > enough && damping < most_damping;
         steps++) {
        double there = INFINITY;
        if (find_step(laplace, damping)) {
            for (int i = 0; i < p; i++)
                laplace->trial[i] = laplace->u[i] + laplace->step[i];
            there = evaluate(laplace, laplace->trial, laplace->trial_residuals);
        }
        if (!(there <= value)) {
            damping *= tightening;
            continue;
        }
        gain = value - there;
        value = there;
        damping = fmax(damping / easing, least_damping);
        swap(&laplace->u, &laplace->trial);
        swap(&laplace->residuals, &laplace->trial_residuals);
        find_slope(laplace);
    }
    return conclude(laplace, value, evidence, err);
}

int mt_laplace_part(const struct mt_laplace *laplace, struct mt_part *part,
                    struct mt_error *err)
{
    const int n = laplace->n, p = laplace->p;
    *part = (struct mt_part){.hypothesis = laplace->hypothesis,
                             .grid = laplace->grid,
                             .parameters = p,
                             .u = malloc((size_t)p * sizeof *part->u),
                             .covariance = malloc((size_t)(p * p) * sizeof(double)),
                             .correction = malloc((size_t)n * sizeof(double)),
                             .slopes = malloc((size_t)(n * p) * sizeof(double))};
    if (!part->u || !part->covariance || !part->correction || !part->slopes) {
        mt_part_clear(part);
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", n);
    }
    memcpy(part->u, laplace->u, (size_t)p * sizeof *part->u);
    memcpy(part->covariance, laplace->damped, (size_t)(p * p) * sizeof(double));
    LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', p, part->covariance, p);
    mirror(part->covariance, p);
    memcpy(part->slopes, laplace->slopes, (size_t)(n * p) * sizeof(double));
    whiten(laplace, CblasTrans, laplace->residuals, part->correction);
    return MT_OK;
}

void mt_part_clear(struct mt_part *part)
{
    free(part->u);
    free(part->covariance);
    free(part->correction);
    free(part->slopes);
    *part = (struct mt_part){0};
}
