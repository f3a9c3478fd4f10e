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

_Static_assert(sizeof taus == MT_TAUS * sizeof *taus &&
                   sizeof sigmas == MT_SIGMAS * sizeof *sigmas &&
                   sizeof mixes == MT_MIXES * sizeof *mixes,
               "the grids of tuning.h are as large as posterior.h says");

/* The variance of a median of many normal values over that of their mean: pi / 2, to
   three digits as in the recorded reference. */
static const double median_variance = 1.57;
/* Keeps V positive definite where two cells are alike. */
static const double jitter = 1e-8;

double mt_grid_tau(int grid)
{
    return taus[grid / MT_SIGMAS % MT_TAUS];
}

double mt_grid_sigma(int grid)
{
    return sigmas[grid % MT_SIGMAS];
}

/* log of the prior of a value on its axis of the grid. */
static double log_prior(double value, double median, double deviation)
{
    return -pow(log(value / median) / deviation, 2) / 2;
}

/* The same of all values of an axis together. */
static double log_sum(const double *values, int count, double median, double deviation)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += exp(log_prior(values[i], median, deviation));
    return log(sum);
}

double mt_grid_mixed(const struct mt_posterior *posterior, int grid)
{
    double square = 0, weight = 0;
    if (posterior->mixes > 1)
        return pow(mixes[grid / (MT_SIGMAS * MT_TAUS)], 2);
    for (int i = 0; i < MT_MIXES; i++) {
        const double prior = exp(log_prior(mixes[i], mt_mixed, mt_mixed_sd));
        square += prior * mixes[i] * mixes[i];
        weight += prior;
    }
    return square / weight;
}

double mt_grid_evidence(const struct mt_posterior *posterior, int grid)
{
    const double tau = mt_grid_tau(grid), sigma = mt_grid_sigma(grid);
    const double mix = mixes[grid / (MT_SIGMAS * MT_TAUS)];
    double evidence = log_prior(tau, mt_tau, mt_tau_sd) -
                      log_sum(taus, MT_TAUS, mt_tau, mt_tau_sd) +
                      log_prior(sigma, mt_sigma, mt_sigma_sd) -
                      log_sum(sigmas, MT_SIGMAS, mt_sigma, mt_sigma_sd);
    if (posterior->mixes > 1)
        evidence += log_prior(mix, mt_mixed, mt_mixed_sd) -
                    log_sum(mixes, MT_MIXES, mt_mixed, mt_mixed_sd);
    return evidence - posterior->freedom * log(sigma) -
           posterior->squares / (2 * sigma * sigma) -
           posterior->log_determinants[grid] / 2;
}

/* Sums over the groups and layouts that both points use of the products of their
   shares. */
static double shares_in_common(const struct mt_point *a, const struct mt_point *b)
{
    double groups = 0, layouts = 0;
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

double mt_discrepancy_alike(const struct mt_point *a, const struct mt_point *b)
{
    const double doublings =
        fabs(a->doublings - b->doublings) + fabs(a->axis - b->axis);
    return mt_reach / 2 * exp(-doublings / mt_reach) *
           (mt_common + (1 - mt_common) * shares_in_common(a, b));
}

double mt_discrepancy_mixed(const struct mt_point *a, const struct mt_point *b)
{
    if (a->nportions < 2 || b->nportions < 2)
        return 0;
    const bool same =
        a == b || mt_configuration_equal(a->configuration, b->configuration);
    return same ? 1 : mt_mixed_common;
}

double mt_point_noise(const struct mt_posterior *posterior,
                      const struct mt_point *point)
{
    double sum = 0;
    for (int i = 0; i < point->nportions; i++)
        sum += posterior->noise[point->portions[i].group];
    return sum / point->nportions;
}

int mt_discrepancy_whitener(struct mt_posterior *posterior, int grid,
                            struct mt_error *err)
{
    const int n = posterior->cells.count;
    const double tau = mt_grid_tau(grid), sigma = mt_grid_sigma(grid);
    const double mixed = mt_grid_mixed(posterior, grid);
    if (posterior->whiteners[grid])
        return MT_OK;
    double *v = calloc((size_t)n * (size_t)n, sizeof *v);
    if (!v)
        return mt_fail(err, MT_ENOMEM, "no memory for the covariance of %d runs", n);
    for (int i = 0; i < n * n; i++)
        v[i] = tau * tau * posterior->alike[i] + mixed * posterior->mixed[i];
    for (int i = 0; i < n; i++) {
        const int runs = posterior->cells.all[i].runs;
        const double noise = sigma * mt_point_noise(posterior, &posterior->points[i]);
        v[(size_t)i * (n + 1)] +=
            noise * noise / runs * (runs > 2 ? median_variance : 1) + jitter;
    }
    posterior->whiteners[grid] = v;
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, v, n) != 0)
        return mt_fail(err, MT_ERANK, "the covariance of %d runs is singular", n);
    posterior->log_determinants[grid] = 0;
    for (int i = 0; i < n; i++)
        posterior->log_determinants[grid] += 2 * log(v[(size_t)i * (n + 1)]);
    LAPACKE_dtrtri_work(LAPACK_COL_MAJOR, 'L', 'N', n, v, n);
    for (int i = 1; i < n; i++)
        memset(&v[(size_t)i * n], 0, (size_t)i * sizeof *v);
    return MT_OK;
}

int mt_discrepancy_init(struct mt_posterior *posterior, struct mt_error *err)
{
    const int n = posterior->cells.count;
    const size_t size = (size_t)n * (size_t)n * sizeof(double);
    posterior->alike = malloc(size);
    posterior->mixed = malloc(size);
    posterior->mixes = 1;
    if (!posterior->alike || !posterior->mixed)
        return mt_fail(err, MT_ENOMEM, "no memory for the covariance of %d runs", n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++) {
            const struct mt_point *a = &posterior->points[i],
                                  *b = &posterior->points[k];
            posterior->alike[i * n + k] = posterior->alike[k * n + i] =
                mt_discrepancy_alike(a, b);
            posterior->mixed[i * n + k] = posterior->mixed[k * n + i] =
                mt_discrepancy_mixed(a, b);
            if (a->nportions > 1)
                posterior->mixes = MT_MIXES;
        }
    return MT_OK;
}
