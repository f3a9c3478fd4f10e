/* SPDX-License-Identifier: BSD-3-Clause */
#include "belief.h"

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
static double prior_covariance(const struct mt_point *a, const struct mt_point *b)
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
static double *targets_of(const struct mt_belief *belief, int i)
{
    const size_t ntargets = (size_t)(belief->count - belief->first_target);
    return &belief->targets[(size_t)i * ntargets];
}

static void begin(struct mt_belief *belief)
{
    const struct mt_point *points = belief->points;
    for (int i = 0; i < belief->count; i++) {
        double *targets = targets_of(belief, i);
        belief->mean[i] = points[i].prior;
        belief->variance[i] = prior_covariance(&points[i], &points[i]);
        for (int j = belief->first_target; j < belief->count; j++)
            *targets++ = prior_covariance(&points[i], &points[j]);
    }
}

int mt_belief_init(struct mt_belief *belief, const struct mt_point *points, int count,
                   int first_target, struct mt_error *err)
{
    const size_t size = (size_t)count, ntargets = (size_t)(count - first_target);
    struct mt_belief made = {
        .points = points, .count = count, .first_target = first_target};
    made.mean = calloc(size + 1, sizeof *made.mean);
    made.variance = calloc(size + 1, sizeof *made.variance);
    made.targets = calloc(size * ntargets + 1, sizeof *made.targets);
    if (!made.mean || !made.variance || !made.targets) {
        mt_belief_clear(&made);
        return mt_fail(err, MT_ENOMEM, "no memory for %d possible runs", count);
    }
    begin(&made);
    *belief = made;
    return MT_OK;
}

void mt_belief_clear(struct mt_belief *belief)
{
    free(belief->mean);
    free(belief->variance);
    free(belief->targets);
    free(belief->rows);
    *belief = (struct mt_belief){0};
}

static int make_room(struct mt_belief *belief, struct mt_error *err)
{
    if (belief->nrows < belief->allocated)
        return MT_OK;
    const int allocated = belief->allocated > 0 ? 2 * belief->allocated : 16;
    const size_t row = (size_t)belief->count * sizeof *belief->rows;
    double *more = realloc(belief->rows, (size_t)allocated * row);
    if (!more)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", allocated);
    belief->rows = more;
    belief->allocated = allocated;
    return MT_OK;
}

static double *row_at(const struct mt_belief *belief, int k)
{
    return &belief->rows[(size_t)k * (size_t)belief->count];
}

static double covariance(const struct mt_belief *belief, int i, int j)
{
    double covariance = prior_covariance(&belief->points[i], &belief->points[j]);
    for (int k = 0; k < belief->nrows; k++) {
        const double *row = row_at(belief, k);
        covariance -= row[i] * row[j];
    }
    return covariance;
}

/* Take what a row tells from the variances, or (sign -1) give it back. */
static void apply_row(struct mt_belief *belief, const double *row, double sign)
{
    for (int i = 0; i < belief->count; i++) {
        double *targets = targets_of(belief, i);
        const double told = sign * row[i];
        belief->variance[i] -= told * row[i];
        for (int j = belief->first_target; j < belief->count; j++)
            *targets++ -= told * row[j];
    }
}

/* A row of Cholesky's decomposition of the observations' covariance matrix, carried on
   over all points. */
int mt_belief_observe(struct mt_belief *belief, int i, double log_seconds,
                      struct mt_error *err)
{
    const int status = make_room(belief, err);
    if (status != MT_OK)
        return status;
    double *row = row_at(belief, belief->nrows);
    const double deviation = sqrt(fmax(belief->variance[i], 0) + noise_variance);
    const double surprise = (log_seconds - belief->mean[i]) / deviation;
    for (int j = 0; j < belief->count; j++)
        row[j] = covariance(belief, i, j) / deviation;
    for (int j = 0; j < belief->count; j++)
        belief->mean[j] += row[j] * surprise;
    apply_row(belief, row, 1);
    belief->nrows++;
    return MT_OK;
}

void mt_belief_forget(struct mt_belief *belief, int nrows)
{
    while (belief->nrows > nrows)
        apply_row(belief, row_at(belief, --belief->nrows), -1);
}

double mt_belief_gain(const struct mt_belief *belief, int i)
{
    const double *targets = targets_of(belief, i);
    const int ntargets = belief->count - belief->first_target;
    double gain = 0;
    for (int j = 0; j < ntargets; j++)
        gain += square(targets[j]);
    return gain / (fmax(belief->variance[i], 0) + noise_variance);
}
