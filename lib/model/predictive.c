/* SPDX-License-Identifier: BSD-3-Clause */
/* The predictive distribution of a configuration's time: a mixture of normal
   distributions of its logarithm, one a part of the posterior. */
#include "posterior.h"

#include "internal.h"
#include "lib/stats/stats.h"
#include "tuning.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

double mt_posterior_mean(const struct mt_posterior *posterior,
                         const struct mt_point *point)
{
    const struct mt_mean *mean = &posterior->mean;
    struct mt_point there = *point;
    double sum = 0, exponent = 0;
    for (int i = 0; i < mean->nparts; i++) {
        const struct mt_mean_part *part = &mean->parts[i];
        if (part->hypothesis.exponent != exponent) {
            exponent = part->hypothesis.exponent;
            mt_point_set_work(&there, posterior, exponent);
        }
        sum += part->weight *
               mt_hypothesis_value(posterior, &part->hypothesis, part->u, &there, NULL);
    }
    for (int i = 0; i < posterior->cells.count; i++)
        sum += mean->alike[i] *
                   mt_discrepancy_alike(posterior, point, &posterior->points[i]) +
               mean->mixed[i] * mt_discrepancy_mixed(point, &posterior->points[i]);
    return sum;
}

/* Scratch of a prediction. */
struct scratch {
    double *alike, *mixed, *k, *solved, *all;
    struct mt_slopes slopes;
};

static int make_scratch(struct scratch *scratch, const struct mt_posterior *posterior,
                        struct mt_error *err)
{
    const int n = posterior->cells.count;
    int parameters = 0;
    for (int i = 0; i < posterior->nparts; i++)
        if (posterior->parts[i].parameters > parameters)
            parameters = posterior->parts[i].parameters;
    double *all =
        calloc((size_t)(4 * n + (MT_MOST_ROWS + 1) * parameters), sizeof *all);
    if (!all)
        return mt_fail(err, MT_ENOMEM, "no memory for a prediction");
    *scratch = (struct scratch){all,         all + n, all + 2 * n,
                                all + 3 * n, all,     {.gradient = all + 4 * n}};
    scratch->slopes.rows = scratch->slopes.gradient + parameters;
    return MT_OK;
}

/* The mean and the deviation of the true time by one part. */
static void predict_part(const struct mt_posterior *posterior,
                         const struct mt_part *part, const struct mt_point *point,
                         struct scratch *scratch, double *mean, double *deviation)
{
    const int n = posterior->cells.count, p = part->parameters;
    const double tau = mt_grid_tau(part->grid),
                 mixed = mt_grid_mixed(posterior, part->grid);
    double *slope = scratch->slopes.gradient;
    for (int i = 0; i < n; i++)
        scratch->solved[i] = scratch->k[i] =
            tau * tau * scratch->alike[i] + mixed * scratch->mixed[i];
    *mean = mt_hypothesis_value(posterior, &part->hypothesis, part->u, point,
                                &scratch->slopes) +
            dot(scratch->k, part->correction, n);
    LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'N', 'N', n, 1,
                        posterior->factors[part->grid], n, scratch->solved, n);
    double variance = tau * tau * mt_discrepancy_alike(posterior, point, point) +
                      mixed * mt_discrepancy_mixed(point, point) -
                      dot(scratch->solved, scratch->solved, n);
    for (int a = 0; a < p; a++)
        slope[a] -= dot(scratch->k, &part->slopes[a * n], n);
    for (int a = 0; a < p; a++)
        variance += slope[a] * dot(&part->covariance[a * p], slope, p);
    *deviation = sqrt(fmax(variance, 0));
}

int mt_posterior_predict(const struct mt_posterior *posterior,
                         const struct mt_point *point, struct mt_normals *normals,
                         struct mt_error *err)
{
    const int n = posterior->cells.count, count = posterior->nparts;
    struct scratch scratch = {0};
    double *all = malloc(4 * (size_t)count * sizeof *all);
    if (!all)
        return mt_fail(err, MT_ENOMEM, "no memory for a prediction");
    const int status = make_scratch(&scratch, posterior, err);
    if (status != MT_OK) {
        free(all);
        return status;
    }
    *normals =
        (struct mt_normals){count, all, all + count, all + 2 * count, all + 3 * count};
    const double other_size =
        posterior->one_size ? mt_other_size_sd * point->log_size : 0;
    const double noise = mt_point_noise(posterior, point);
    struct mt_point there = *point;
    double exponent = 0;
    for (int i = 0; i < n; i++) {
        scratch.alike[i] =
            mt_discrepancy_alike(posterior, point, &posterior->points[i]);
        scratch.mixed[i] = mt_discrepancy_mixed(point, &posterior->points[i]);
    }
    for (int i = 0; i < count; i++) {
        const struct mt_part *part = &posterior->parts[i];
        if (part->hypothesis.exponent != exponent) {
            exponent = part->hypothesis.exponent;
            mt_point_set_work(&there, posterior, exponent);
        }
        predict_part(posterior, part, &there, &scratch, &normals->means[i],
                     &normals->deviations[i]);
        normals->weights[i] = part->weight;
        normals->deviations[i] = hypot(normals->deviations[i], other_size);
        normals->noises[i] = noise * mt_grid_sigma(part->grid);
    }
    free(scratch.all);
    return MT_OK;
}

void mt_normals_clear(struct mt_normals *normals)
{
    free(normals->weights);
    *normals = (struct mt_normals){0};
}

double mt_normals_probability(const struct mt_normals *normals, double x)
{
    double sum = 0;
    for (int i = 0; i < normals->count; i++)
        sum += normals->weights[i] *
               mt_normal_probability((x - normals->means[i]) /
                                     hypot(normals->deviations[i], normals->noises[i]));
    return sum;
}

double mt_normals_quantile(const struct mt_normals *normals, double probability)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < normals->count; i++) {
        const double reach = 6 * hypot(normals->deviations[i], normals->noises[i]);
        low = fmin(low, normals->means[i] - reach);
        high = fmax(high, normals->means[i] + reach);
    }
    while (high - low > 1e-9) {
        const double middle = (low + high) / 2;
        if (mt_normals_probability(normals, middle) < probability)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* What joint distributions of a part are made from. */
struct joint_scratch {
    double *alike, *mixed; /* kernels between cells and points, by columns of a point */
    double *solved;        /* L^-1 times the kernels */
    double *slopes;        /* of what the cells do not tell, by columns of a point */
    double *means;
};

/* The means and slopes of one part at all points. */
static void look_from(const struct mt_posterior *posterior, const struct mt_part *part,
                      struct mt_point *points, int count,
                      const struct joint_scratch *scratch, struct mt_slopes *slopes)
{
    const int n = posterior->cells.count, p = part->parameters;
    const double tau = mt_grid_tau(part->grid),
                 mixed = mt_grid_mixed(posterior, part->grid);
    for (int i = 0; i < count; i++) {
        double *kernel = &scratch->solved[i * n], *slope = &scratch->slopes[i * p];
        mt_point_set_work(&points[i], posterior, part->hypothesis.exponent);
        for (int k = 0; k < n; k++)
            kernel[k] = tau * tau * scratch->alike[i * n + k] +
                        mixed * scratch->mixed[i * n + k];
        scratch->means[i] = mt_hypothesis_value(posterior, &part->hypothesis, part->u,
                                                &points[i], slopes) +
                            dot(kernel, part->correction, n);
        for (int a = 0; a < p; a++)
            slope[a] = slopes->gradient[a] - dot(kernel, &part->slopes[a * n], n);
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'N', 'N', n, 1,
                            posterior->factors[part->grid], n, kernel, n);
    }
}

/* Add the first and second moments of one part to those of the mixture. */
static void add_part(const struct mt_posterior *posterior, const struct mt_part *part,
                     struct mt_point *points, const struct joint_scratch *scratch,
                     struct mt_slopes *slopes, struct mt_joint *joint)
{
    const int n = posterior->cells.count, p = part->parameters;
    const int columns = joint->columns;
    const double tau = mt_grid_tau(part->grid),
                 mixed = mt_grid_mixed(posterior, part->grid);
    look_from(posterior, part, points, joint->count, scratch, slopes);
    for (int i = 0; i < joint->count; i++) {
        double *row = slopes->rows; /* the slopes times the covariance of u */
        for (int a = 0; a < p; a++)
            row[a] = dot(&part->covariance[a * p], &scratch->slopes[i * p], p);
        for (int k = 0; k <= columns; k++) {
            const int other = k < columns ? k : i;
            const double covariance =
                tau * tau *
                    mt_discrepancy_alike(posterior, &points[i], &points[other]) +
                mixed * mt_discrepancy_mixed(&points[i], &points[other]) -
                dot(&scratch->solved[i * n], &scratch->solved[other * n], n) +
                dot(row, &scratch->slopes[other * p], p);
            *(k < columns ? &joint->covariance[i * columns + k]
                          : &joint->variances[i]) +=
                part->weight * (covariance + scratch->means[i] * scratch->means[other]);
        }
        joint->means[i] += part->weight * scratch->means[i];
    }
}

int mt_posterior_joint(const struct mt_posterior *posterior, struct mt_point *points,
                       struct mt_joint *joint, struct mt_error *err)
{
    const int n = posterior->cells.count, count = joint->count;
    const size_t cells = (size_t)n, m = (size_t)count, columns = (size_t)joint->columns;
    struct scratch one = {0};
    struct mt_joint made = {.count = count,
                            .columns = joint->columns,
                            .means = calloc(m, sizeof *made.means),
                            .variances = calloc(m, sizeof *made.variances),
                            .covariance = calloc(m * columns, sizeof *made.covariance)};
    int status = make_scratch(&one, posterior, err);
    const size_t p =
        status == MT_OK ? (size_t)(one.slopes.rows - one.slopes.gradient) : 0;
    double *all = calloc(3 * cells * m + m * p + m, sizeof *all);
    if (status == MT_OK && (!all || !made.means || !made.variances || !made.covariance))
        status = mt_fail(err, MT_ENOMEM, "no memory for %d points", count);
    struct joint_scratch scratch = {.alike = all};
    scratch.mixed = all + cells * m;
    scratch.solved = all + 2 * cells * m;
    scratch.slopes = all + 3 * cells * m;
    scratch.means = scratch.slopes + m * p;
    for (int i = 0; i < count && status == MT_OK; i++)
        for (int k = 0; k < n; k++) {
            scratch.alike[i * n + k] =
                mt_discrepancy_alike(posterior, &points[i], &posterior->points[k]);
            scratch.mixed[i * n + k] =
                mt_discrepancy_mixed(&points[i], &posterior->points[k]);
        }
    for (int s = 0; s < posterior->nparts && status == MT_OK; s++) {
        const struct mt_part *part = &posterior->parts[s];
        add_part(posterior, part, points, &scratch, &one.slopes, &made);
        made.noise += part->weight * mt_grid_sigma(part->grid);
    }
    for (int i = 0; i < count && status == MT_OK; i++) {
        made.variances[i] = fmax(0, made.variances[i] - made.means[i] * made.means[i]);
        for (int k = 0; k < joint->columns; k++)
            made.covariance[i * joint->columns + k] -= made.means[i] * made.means[k];
    }
    free(one.all);
    free(all);
    if (status == MT_OK)
        *joint = made;
    else
        mt_joint_clear(&made);
    return status;
}

int mt_posterior_left_out(const struct mt_posterior *posterior, double *errors,
                          double *deviations, struct mt_error *err)
{
    /* Of a Gaussian model with the covariance W of the cells, W^-1 residuals over the
       diagonal of W^-1 (Sundararajan and Keerthi 2001); with u integrated out,
       W^-1 = V^-1 - V^-1 J C J' V^-1. */
    const struct mt_part *part = &posterior->parts[0];
    const int n = posterior->cells.count, p = part->parameters;
    const size_t size = (size_t)n * (size_t)n * sizeof(double);
    double *inverse = malloc(size);
    if (!inverse)
        return mt_fail(err, MT_ENOMEM, "no memory for the errors of %d runs", n);
    memcpy(inverse, posterior->factors[part->grid], size);
    LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', n, inverse, n);
    for (int i = 0; i < n; i++) {
        double diagonal = inverse[i * (n + 1)];
        for (int a = 0; a < p; a++)
            for (int b = 0; b < p; b++)
                diagonal -= part->slopes[a * n + i] * part->covariance[a * p + b] *
                            part->slopes[b * n + i];
        errors[i] = part->correction[i] / diagonal;
        if (deviations)
            deviations[i] = 1 / sqrt(diagonal);
    }
    free(inverse);
    return MT_OK;
}
