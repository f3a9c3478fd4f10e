/* SPDX-License-Identifier: BSD-3-Clause */
/* Gaussian posterior of the logarithms of run times. */
#include "variance.h"

#include "lib/base/array.h"

#include <math.h>
#include <stdlib.h>

/* Variances of the coefficients. That of the common speed stands for not knowing it at
   all; the others let exponents be off by 1 (of N) and 0.5 (of P), or half of that for
   one class against the others, and the curves bend a little. */
static const double speed_variance = 100, size_variance = 1, ranks_variance = 0.25,
                    bend_variance = 0.02;
static const double own_speed_variance = 1, own_slope_variance = 0.06,
                    own_bend_variance = 0.005;
/* Of an observation: noise, and all that such a smooth function cannot follow. */
static const double noise_variance = 0.05 * 0.05;

static double square(double x)
{
    return x * x;
}

/* Covariance before any observation. */
static double prior_covariance(const struct mt_design_point *a,
                               const struct mt_design_point *b)
{
    const double size = a->size * b->size, ranks = a->ranks * b->ranks;
    const double bend = square(size) + size * ranks + square(ranks);
    double covariance = speed_variance + size_variance * size + ranks_variance * ranks +
                        bend_variance * bend;
    if (a->class == b->class)
        covariance += own_speed_variance + own_slope_variance * (size + ranks) +
                      own_bend_variance * bend;
    return covariance;
}

/* Covariances of point i with the targets. */
static double *targets_of(const struct mt_variance *posterior, int i)
{
    const size_t ntargets = (size_t)(posterior->count - posterior->first_target);
    return &posterior->targets[(size_t)i * ntargets];
}

static void begin(struct mt_variance *posterior)
{
    const struct mt_design_point *points = posterior->points;
    for (int i = 0; i < posterior->count; i++) {
        double *targets = targets_of(posterior, i);
        posterior->mean[i] = points[i].prior;
        posterior->variance[i] = prior_covariance(&points[i], &points[i]);
        for (int j = posterior->first_target; j < posterior->count; j++)
            *targets++ = prior_covariance(&points[i], &points[j]);
    }
}

int mt_variance_init(struct mt_variance *posterior,
                      const struct mt_design_point *points, int count, int first_target,
                      struct mt_error *err)
{
    enum { MOST_PAIRS = 10 * 1000 * 1000 }; /* of a run and what it may tell of */
    const size_t size = (size_t)count, ntargets = (size_t)(count - first_target);
    if (ntargets > 0 && size > MOST_PAIRS / ntargets)
        return mt_fail(err, MT_EINVAL,
                       "%d possible runs are too many to choose from: name fewer "
                       "processes per node, or fewer sizes",
                       first_target);
    struct mt_variance made = {
        .points = points, .count = count, .first_target = first_target};
    made.mean = calloc(size + 1, sizeof *made.mean);
    made.variance = calloc(size + 1, sizeof *made.variance);
    made.targets = calloc(size * ntargets + 1, sizeof *made.targets);
    if (!made.mean || !made.variance || !made.targets) {
        mt_variance_clear(&made);
        return mt_fail(err, MT_ENOMEM, "no memory for %d possible runs", count);
    }
    begin(&made);
    *posterior = made;
    return MT_OK;
}

void mt_variance_clear(struct mt_variance *posterior)
{
    free(posterior->mean);
    free(posterior->variance);
    free(posterior->targets);
    free(posterior->rows);
    *posterior = (struct mt_variance){0};
}

static int make_room(struct mt_variance *posterior, struct mt_error *err)
{
    const size_t row = (size_t)posterior->count * sizeof *posterior->rows;
    return mt_array_grow(&posterior->rows, posterior->nrows, row, "runs", err);
}

static double *row_at(const struct mt_variance *posterior, int k)
{
    return &posterior->rows[(size_t)k * (size_t)posterior->count];
}

static double covariance(const struct mt_variance *posterior, int i, int j)
{
    double covariance = prior_covariance(&posterior->points[i], &posterior->points[j]);
    for (int k = 0; k < posterior->nrows; k++) {
        const double *row = row_at(posterior, k);
        covariance -= row[i] * row[j];
    }
    return covariance;
}

/* Take what a row tells from the variances, or (sign -1) give it back. */
static void apply_row(struct mt_variance *posterior, const double *row, double sign)
{
    for (int i = 0; i < posterior->count; i++) {
        double *targets = targets_of(posterior, i);
        const double told = sign * row[i];
        posterior->variance[i] -= told * row[i];
        for (int j = posterior->first_target; j < posterior->count; j++)
            *targets++ -= told * row[j];
    }
}

/* A row of Cholesky's decomposition of the observations' covariance matrix, carried on
   over all points. */
int mt_variance_observe(struct mt_variance *posterior, int i, double log_seconds,
                         struct mt_error *err)
{
    const int status = make_room(posterior, err);
    if (status != MT_OK)
        return status;
    double *row = row_at(posterior, posterior->nrows);
    const double deviation = sqrt(fmax(posterior->variance[i], 0) + noise_variance);
    const double surprise = (log_seconds - posterior->mean[i]) / deviation;
    for (int j = 0; j < posterior->count; j++)
        row[j] = covariance(posterior, i, j) / deviation;
    for (int j = 0; j < posterior->count; j++)
        posterior->mean[j] += row[j] * surprise;
    apply_row(posterior, row, 1);
    posterior->nrows++;
    return MT_OK;
}

void mt_variance_forget(struct mt_variance *posterior, int nrows)
{
    while (posterior->nrows > nrows)
        apply_row(posterior, row_at(posterior, --posterior->nrows), -1);
}

double mt_variance_gain(const struct mt_variance *posterior, int i)
{
    const double *targets = targets_of(posterior, i);
    const int ntargets = posterior->count - posterior->first_target;
    double gain = 0;
    for (int j = 0; j < ntargets; j++)
        gain += square(targets[j]);
    return gain / (fmax(posterior->variance[i], 0) + noise_variance);
}
