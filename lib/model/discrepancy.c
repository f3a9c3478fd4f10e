/* SPDX-License-Identifier: BSD-3-Clause */
/* How far any hypothesis may be off: a Gaussian process over log P, the size and the
   shares of the groups, with an exponential kernel. It is anchored at what was measured
   and spreads as the root of the doublings from there. */
#include "posterior.h"

#include "lib/input/internal.h"
#include "tuning.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The grid: a factor of two or so a step, from below what can be told from no deviation
   to beyond what makes a plan worth while. */
static const double taus[MT_TAUS] = {.01, .02, .04, .08, .16, .32};
static const double sigmas[MT_SIGMAS] = {.005, .0125, .03, .07, .16};
/* The variance of a median of many normal values over that of their mean: pi / 2, to
   three digits as in the recorded reference. */
static const double median_variance = 1.57;
/* Keeps V positive definite where two cells are alike. */
static const double jitter = 1e-8;

double mt_grid_tau(int grid)
{
    return taus[grid / MT_SIGMAS];
}

double mt_grid_sigma(int grid)
{
    return sigmas[grid % MT_SIGMAS];
}

static double log_prior(int grid)
{
    const double a = log(mt_grid_tau(grid) / mt_tau) / mt_tau_sd,
                 b = log(mt_grid_sigma(grid) / mt_sigma) / mt_sigma_sd;
    return -(a * a + b * b) / 2;
}

double mt_grid_evidence(const struct mt_posterior *posterior, int grid)
{
    const double sigma = mt_grid_sigma(grid);
    double sum = 0;
    for (int i = 0; i < MT_GRID; i++)
        sum += exp(log_prior(i));
    return log_prior(grid) - log(sum) - posterior->freedom * log(sigma) -
           posterior->squares / (2 * sigma * sigma);
}

/* Sums over the groups and layouts that both points use of the products of their
   shares. */
static double shares_in_common(const struct mt_posterior *posterior,
                               const struct mt_point *a, const struct mt_point *b)
{
    double groups = 0, layouts = 0;
    (void)posterior;
    for (int i = 0; i < a->nportions; i++)
        for (int k = 0; k < b->nportions; k++) {
            const struct mt_portion *p = &a->portions[i], *q = &b->portions[k];
            if (p->group != q->group)
                continue;
            groups += p->share * q->share;
            if (a == b || (p->own >= 0 && p->own == q->own))
                layouts += p->share * q->share;
        }
    return (groups + layouts) / 2;
}

double mt_discrepancy_alike(const struct mt_posterior *posterior,
                            const struct mt_point *a, const struct mt_point *b)
{
    const double doublings =
        fabs(a->doublings - b->doublings) + fabs(a->axis - b->axis);
    return mt_reach / 2 * exp(-doublings / mt_reach) *
           (mt_common + (1 - mt_common) * shares_in_common(posterior, a, b));
}

double mt_discrepancy_mixed(const struct mt_point *a, const struct mt_point *b)
{
    if (a->nportions < 2 || b->nportions < 2)
        return 0;
    const bool same =
        a == b || mt_configuration_equal(a->configuration, b->configuration);
    return mt_mixed_sd * mt_mixed_sd * (same ? 1 : mt_mixed_common);
}

double mt_point_noise(const struct mt_posterior *posterior,
                      const struct mt_point *point)
{
    double sum = 0;
    for (int i = 0; i < point->nportions; i++)
        sum += posterior->noise[point->portions[i].group];
    return sum / point->nportions;
}

/* V at a grid point, factored in place. */
static int factor(const struct mt_posterior *posterior, int grid, double *v,
                  double *log_determinant, struct mt_error *err)
{
    const int n = posterior->cells.count;
    const double tau = mt_grid_tau(grid), sigma = mt_grid_sigma(grid);
    for (int i = 0; i < n * n; i++)
        v[i] = tau * tau * posterior->alike[i] + posterior->mixed[i];
    for (int i = 0; i < n; i++) {
        const int runs = posterior->cells.all[i].runs;
        const double noise = sigma * mt_point_noise(posterior, &posterior->points[i]);
        v[i * (n + 1)] +=
            noise * noise / runs * (runs > 2 ? median_variance : 1) + jitter;
    }
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, v, n) != 0)
        return mt_fail(err, MT_ERANK, "the covariance of %d runs is singular", n);
    *log_determinant = 0;
    for (int i = 0; i < n; i++)
        *log_determinant += 2 * log(v[i * (n + 1)]);
    return MT_OK;
}

int mt_discrepancy_factor(struct mt_posterior *posterior,
                          double log_determinants[MT_GRID], struct mt_error *err)
{
    const int n = posterior->cells.count;
    const size_t size = (size_t)n * (size_t)n * sizeof(double);
    posterior->alike = malloc(size);
    posterior->mixed = malloc(size);
    bool enough = posterior->alike && posterior->mixed;
    for (int grid = 0; grid < MT_GRID && enough; grid++) {
        posterior->factors[grid] = malloc(size);
        enough = posterior->factors[grid] != NULL;
    }
    if (!enough)
        return mt_fail(err, MT_ENOMEM, "no memory for the covariance of %d runs", n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++) {
            const struct mt_point *a = &posterior->points[i],
                                  *b = &posterior->points[k];
            posterior->alike[i * n + k] = posterior->alike[k * n + i] =
                mt_discrepancy_alike(posterior, a, b);
            posterior->mixed[i * n + k] = posterior->mixed[k * n + i] =
                mt_discrepancy_mixed(a, b);
        }
    int status = MT_OK;
    for (int grid = 0; grid < MT_GRID && status == MT_OK; grid++)
        status = factor(posterior, grid, posterior->factors[grid],
                        &log_determinants[grid], err);
    return status;
}
