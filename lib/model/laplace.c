/* SPDX-License-Identifier: BSD-3-Clause */
/* The mode of a hypothesis's parameters by Levenberg and Marquardt's method, and its
   evidence by Laplace's approximation (MacKay 2003, chapter 27). */
#include "posterior.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A step that gains less than this, in nats, is the last. */
static const double enough = 1e-10;
enum { MOST_STEPS = 60 };
/* The damping, and by how much it changes where a step succeeds or fails. */
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
    double *trial, *trial_residuals, *trial_slopes, *step, *damped, *gradient;
    int grid;
    double *all; /* all of these arrays */
};

static int factor_in_place(double *matrix, int n)
{
    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, matrix, n);
}

static double log_determinant_of(const double *factor, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += 2 * log(factor[i * (n + 1)]);
    return sum;
}

/* The upper triangle from the lower one. */
static void mirror(double *matrix, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            matrix[i * n + k] = matrix[k * n + i];
}

int mt_laplace_init(struct mt_laplace **laplace, const struct mt_posterior *posterior,
                    const struct mt_hypothesis *hypothesis, struct mt_error *err)
{
    const int n = posterior->cells.count,
              p = mt_hypothesis_parameters(posterior, hypothesis);
    struct mt_laplace *made = calloc(1, sizeof *made);
    double *all = calloc((size_t)(5 * p + 3 * p * p + 2 * n + 2 * n * p), sizeof *all);
    if (!made || !all) {
        free(made);
        free(all);
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", n);
    }
    *made = (struct mt_laplace){
        .posterior = posterior, .hypothesis = *hypothesis, .n = n, .p = p, .all = all};
    double **const arrays[] = {&made->mean, &made->u, &made->trial, &made->step,
                               &made->gradient};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++, all += p)
        *arrays[i] = all;
    made->precision = all;
    made->hessian = all + p * p;
    made->damped = all + 2 * p * p;
    made->residuals = all + 3 * p * p;
    made->trial_residuals = made->residuals + n;
    made->slopes = made->trial_residuals + n;
    made->trial_slopes = made->slopes + n * p;
    mt_hypothesis_prior(posterior, hypothesis, made->mean, made->precision);
    for (int i = 0; i < p; i++)
        made->precision[i * (p + 1)] += 1e-10;
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
    free(laplace->all);
    free(laplace);
}

/* Minus the logarithm of likelihood times prior at u, but for constants; L^-1 times the
   residuals and their slopes. */
static double evaluate(const struct mt_laplace *laplace, const double *u,
                       double *residuals, double *slopes, double *gradient)
{
    const struct mt_posterior *posterior = laplace->posterior;
    const double *factor = posterior->factors[laplace->grid];
    const int n = laplace->n, p = laplace->p;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        residuals[i] = posterior->cells.all[i].y -
                       mt_hypothesis_value(posterior, &laplace->hypothesis, u,
                                           &posterior->points[i], gradient);
        for (int k = 0; k < p; k++)
            slopes[k * n + i] = gradient[k];
    }
    LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'N', 'N', n, 1, factor, n, residuals, n);
    LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'N', 'N', n, p, factor, n, slopes, n);
    for (int i = 0; i < n; i++)
        sum += residuals[i] * residuals[i];
    for (int i = 0; i < p; i++)
        for (int k = 0; k < p; k++)
            sum += (u[i] - laplace->mean[i]) * laplace->precision[i * p + k] *
                   (u[k] - laplace->mean[k]);
    return sum / 2;
}

/* The Hessian (Gauss and Newton's) at the mode so far, and the direction downhill. */
static void find_slope(struct mt_laplace *laplace)
{
    const int n = laplace->n, p = laplace->p;
    for (int a = 0; a < p; a++) {
        const double *left = &laplace->slopes[a * n];
        double downhill = 0;
        for (int i = 0; i < n; i++)
            downhill += left[i] * laplace->residuals[i];
        for (int b = 0; b < p; b++)
            downhill -=
                laplace->precision[a * p + b] * (laplace->u[b] - laplace->mean[b]);
        laplace->gradient[a] = downhill;
        for (int b = 0; b <= a; b++) {
            const double *right = &laplace->slopes[b * n];
            double sum = laplace->precision[a * p + b];
            for (int i = 0; i < n; i++)
                sum += left[i] * right[i];
            laplace->hessian[a * p + b] = laplace->hessian[b * p + a] = sum;
        }
    }
}

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

int mt_laplace_fit(struct mt_laplace *laplace, int grid, double *evidence,
                   struct mt_error *err)
{
    const int p = laplace->p;
    double damping = first_damping, gain = INFINITY;
    laplace->grid = grid;
    double value = evaluate(laplace, laplace->u, laplace->residuals, laplace->slopes,
                            laplace->gradient);
    find_slope(laplace);
    for (int steps = 0; steps < MOST_STEPS && gain > enough && damping < most_damping;
         steps++) {
        memcpy(laplace->damped, laplace->hessian, (size_t)(p * p) * sizeof(double));
        memcpy(laplace->step, laplace->gradient, (size_t)p * sizeof(double));
        for (int i = 0; i < p; i++)
            laplace->damped[i * (p + 1)] *= 1 + damping;
        if (factor_in_place(laplace->damped, p) != 0)
            return mt_fail(err, MT_ERANK, "the runs' times are not finite");
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', p, 1, laplace->damped, p,
                            laplace->step, p);
        for (int i = 0; i < p; i++)
            laplace->trial[i] = laplace->u[i] + laplace->step[i];
        const double there = evaluate(laplace, laplace->trial, laplace->trial_residuals,
                                      laplace->trial_slopes, laplace->step);
        if (!(there <= value)) {
            damping *= tightening;
            continue;
        }
        gain = value - there;
        value = there;
        damping = fmax(damping / easing, least_damping);
        swap(&laplace->u, &laplace->trial);
        swap(&laplace->residuals, &laplace->trial_residuals);
        swap(&laplace->slopes, &laplace->trial_slopes);
        find_slope(laplace);
    }
    memcpy(laplace->damped, laplace->hessian, (size_t)(p * p) * sizeof(double));
    if (factor_in_place(laplace->damped, p) != 0)
        return mt_fail(err, MT_ERANK, "the runs' times are not finite");
    *evidence = -value - laplace->log_determinant / 2 -
                log_determinant_of(laplace->damped, p) / 2;
    return MT_OK;
}

int mt_laplace_part(const struct mt_laplace *laplace, struct mt_part *part,
                    struct mt_error *err)
{
    const int n = laplace->n, p = laplace->p;
    const double *factor = laplace->posterior->factors[laplace->grid];
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
    memcpy(part->correction, laplace->residuals, (size_t)n * sizeof(double));
    memcpy(part->slopes, laplace->slopes, (size_t)(n * p) * sizeof(double));
    LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'T', 'N', n, 1, factor, n,
                        part->correction, n);
    LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'T', 'N', n, p, factor, n, part->slopes,
                        n);
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
