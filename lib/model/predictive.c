/* SPDX-License-Identifier: BSD-3-Clause */
/* The predictive distribution of a configuration's time: a mixture of normal
   distributions of its logarithm, one a part of the posterior. */
#include "posterior.h"

#include "internal.h"
#include "lib/stats/stats.h"
#include "tuning.h"

#include <cblas.h>
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
        sum += mean->alike[i] * mt_discrepancy_alike(point, &posterior->points[i]) +
               mean->mixed[i] * mt_discrepancy_mixed(point, &posterior->points[i]);
    return sum;
}

/* Kernels between two points. */
struct kernels {
    double alike, mixed;
};

static struct kernels kernels_of(const struct mt_point *a, const struct mt_point *b)
{
    return (struct kernels){mt_discrepancy_alike(a, b), mt_discrepancy_mixed(a, b)};
}

/* Scratch for some points, computed part by part. */
struct view {
    const struct mt_posterior *posterior;
    struct mt_point *points; /* borrowed; their work is set anew by each part */
    int count;
    double *alike, *mixed; /* kernels between cells and points, by columns of a point */
    double alike_variance, mixed_variance; /* the part's weights of these kernels */
    double *kernels;  /* covariances of points and cells, likewise */
    double *whitened; /* L^-1 times these */
    double *rests;    /* slopes minus their prediction from the cells, by columns of a
                         point */
    double *means;
    double *rows;  /* rests times the covariance of u */
    double *block; /* of covariances, by columns of a point: a row for each of the first
                      `columns` points */
    int columns;
    struct mt_slopes slopes; /* owned */
    double *all;             /* owned; all of these arrays of numbers */
};

static int open_view(struct view *view, const struct mt_posterior *posterior,
                     struct mt_point *points, int count, int columns,
                     struct mt_error *err)
{
    const size_t n = (size_t)posterior->cells.count, m = (size_t)count;
    size_t p = 0;
    for (int i = 0; i < posterior->nparts; i++)
        if ((size_t)posterior->parts[i].parameters > p)
            p = (size_t)posterior->parts[i].parameters;
    double *all =
        calloc(m * (4 * n + 2 * p + 1 + (size_t)columns) + (MT_MOST_ROWS + 1) * p,
               sizeof *all);
    int *used = calloc(p, sizeof *used);
    if (!all || !used) {
        free(all);
        free(used);
        return mt_fail(err, MT_ENOMEM, "no memory for %d predictions", count);
    }
    *view = (struct view){.posterior = posterior,
                          .points = points,
                          .count = count,
                          .columns = columns,
                          .slopes.used = used,
                          .all = all};
    view->alike = all;
    view->mixed = view->alike + m * n;
    view->kernels = view->mixed + m * n;
    view->whitened = view->kernels + m * n;
    view->rests = view->whitened + m * n;
    view->rows = view->rests + m * p;
    view->means = view->rows + m * p;
    view->block = view->means + m;
    view->slopes.rows = view->block + m * (size_t)columns;
    view->slopes.gradient = view->slopes.rows + MT_MOST_ROWS * p;
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < n; k++) {
            const struct mt_point *cell = &posterior->points[k];
            view->alike[i * n + k] = mt_discrepancy_alike(&points[i], cell);
            view->mixed[i * n + k] = mt_discrepancy_mixed(&points[i], cell);
        }
    return MT_OK;
}

static void close_view(struct view *view)
{
    free(view->all);
    free(view->slopes.used);
}

/* C = A B, or A' B, plus `keep` times the old C; m x n, sums over k. Columns are
   contiguous. */
struct product {
    bool transposed;
    int m, n, k;
    double factor, keep;
};

static void multiply(const struct product *product, const double *a, const double *b,
                     double *c)
{
    const int rows = product->transposed ? product->k : product->m,
              columns = product->transposed ? product->m : product->k;
    if (product->n == 1) /* a product of matrices would copy A, which takes longer */
        cblas_dgemv(CblasColMajor, product->transposed ? CblasTrans : CblasNoTrans,
                    rows, columns, product->factor, a, rows, b, 1, product->keep, c, 1);
    else
        cblas_dgemm(CblasColMajor, product->transposed ? CblasTrans : CblasNoTrans,
                    CblasNoTrans, product->m, product->n, product->k, product->factor,
                    a, product->transposed ? product->k : product->m, b, product->k,
                    product->keep, c, product->m);
}

/* The means of one part, and the factors of its covariances. */
static void look_from(struct view *view, const struct mt_part *part)
{
    const struct mt_posterior *posterior = view->posterior;
    const int n = posterior->cells.count, p = part->parameters, count = view->count;
    view->alike_variance = pow(mt_grid_tau(part->grid), 2);
    view->mixed_variance = mt_grid_mixed(posterior, part->grid);
    for (size_t i = 0; i < (size_t)count * (size_t)n; i++)
        view->kernels[i] = view->alike_variance * view->alike[i] +
                           view->mixed_variance * view->mixed[i];
    for (int i = 0; i < count; i++) {
        mt_point_set_work(&view->points[i], posterior, part->hypothesis.exponent);
        view->means[i] = mt_hypothesis_value(posterior, &part->hypothesis, part->u,
                                             &view->points[i], &view->slopes);
        memcpy(&view->rests[(size_t)i * p], view->slopes.gradient,
               (size_t)p * sizeof *view->rests);
    }
    multiply(&(struct product){true, count, 1, n, 1, 1}, view->kernels,
             part->correction, view->means);
    multiply(&(struct product){false, n, count, n, 1, 0},
             posterior->whiteners[part->grid], view->kernels, view->whitened);
    multiply(&(struct product){true, p, count, n, -1, 1}, part->slopes, view->whitened,
             view->rests);
    multiply(&(struct product){false, p, count, p, 1, 0}, part->covariance, view->rests,
             view->rows);
    if (view->columns == 0)
        return;
    multiply(&(struct product){true, view->columns, count, n, -1, 0}, view->whitened,
             view->whitened, view->block);
    multiply(&(struct product){true, view->columns, count, p, 1, 1}, view->rests,
             view->rows, view->block);
}

/* The contribution of the kernels between two points to their covariance, by the
   current part. */
static double prior_covariance(const struct view *view, const struct kernels *kernels)
{
    return view->alike_variance * kernels->alike +
           view->mixed_variance * kernels->mixed;
}

/* The variance of a point's true time; the kernels are those of the point with itself.
 */
static double variance(const struct view *view, const struct kernels *kernels,
                       const struct mt_part *part, int i)
{
    const int n = view->posterior->cells.count, p = part->parameters;
    const double *whitened = &view->whitened[(size_t)i * n];
    return prior_covariance(view, kernels) - dot(whitened, whitened, n) +
           dot(&view->rows[(size_t)i * p], &view->rests[(size_t)i * p], p);
}

int mt_posterior_predict(const struct mt_posterior *posterior,
                         const struct mt_point *point, struct mt_normals *normals,
                         struct mt_error *err)
{
    const size_t count = (size_t)posterior->nparts;
    const double other_size =
        posterior->one_size ? mt_other_size_sd * point->log_size : 0;
    const double noise = mt_point_noise(posterior, point);
    const struct kernels kernels = kernels_of(point, point);
    struct mt_point there = *point;
    struct view view;
    double *all = malloc(4 * count * sizeof *all);
    if (!all)
        return mt_fail(err, MT_ENOMEM, "no memory for a prediction");
    const int status = open_view(&view, posterior, &there, 1, 0, err);
    if (status != MT_OK) {
        free(all);
        return status;
    }
    *normals = (struct mt_normals){(int)count, all, all + count, all + 2 * count,
                                   all + 3 * count};
    for (size_t i = 0; i < count; i++) {
        const struct mt_part *part = &posterior->parts[i];
        look_from(&view, part);
        normals->weights[i] = part->weight;
        normals->means[i] = view.means[0];
        normals->deviations[i] =
            hypot(sqrt(fmax(variance(&view, &kernels, part, 0), 0)), other_size);
        normals->noises[i] = noise * mt_grid_sigma(part->grid);
    }
    close_view(&view);
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
    if (!isfinite(low) || !isfinite(high))
        return NAN;
    while (high - low > 1e-9) {
        const double middle = (low + high) / 2;
        if (mt_normals_probability(normals, middle) < probability)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* Add the first and second moments of one part to those of the mixture. The kernels
   are those of a point with the columns, then with itself. */
static void add_part(struct view *view, const struct mt_part *part,
                     const struct kernels *kernels, struct mt_joint *joint)
{
    const int columns = joint->columns;
    look_from(view, part);
    for (int i = 0; i < joint->count; i++) {
        const double mean = view->means[i];
        for (int k = 0; k < columns; k++)
            joint->covariance[i * columns + k] +=
                part->weight * (prior_covariance(view, kernels++) +
                                view->block[i * columns + k] + mean * view->means[k]);
        joint->variances[i] +=
            part->weight * (variance(view, kernels++, part, i) + mean * mean);
        joint->means[i] += part->weight * mean;
    }
    joint->noise += part->weight * mt_grid_sigma(part->grid);
}

int mt_posterior_joint(const struct mt_posterior *posterior, struct mt_point *points,
                       struct mt_joint *joint, struct mt_error *err)
{
    const int count = joint->count, columns = joint->columns;
    struct view view = {0};
    struct mt_joint made = {
        .count = count,
        .columns = columns,
        .means = calloc((size_t)count, sizeof(double)),
        .variances = calloc((size_t)count, sizeof(double)),
        .covariance = calloc((size_t)count * (size_t)columns, sizeof(double))};
    struct kernels *kernels =
        calloc((size_t)count * ((size_t)columns + 1), sizeof *kernels);
    int status = made.means && made.variances && made.covariance && kernels
                     ? open_view(&view, posterior, points, count, columns, err)
                     : mt_fail(err, MT_ENOMEM, "no memory for %d points", count);
    for (int i = 0; i < count && status == MT_OK; i++)
        for (int k = 0; k <= columns; k++)
            kernels[i * (columns + 1) + k] =
                kernels_of(&points[i], &points[k < columns ? k : i]);
    for (int s = 0; s < posterior->nparts && status == MT_OK; s++)
        add_part(&view, &posterior->parts[s], kernels, &made);
    for (int i = 0; i < count && status == MT_OK; i++) {
        made.variances[i] = fmax(0, made.variances[i] - made.means[i] * made.means[i]);
        for (int k = 0; k < columns; k++)
            made.covariance[i * columns + k] -= made.means[i] * made.means[k];
    }
    close_view(&view);
    free(kernels);
    if (status == MT_OK)
        *joint = made;
    else
        mt_joint_clear(&made);
    return status;
}

int mt_posterior_left_out(const struct mt_posterior *posterior, double *errors,
                          double *deviations, struct mt_error *err)
{
    /* In a Gaussian model, where the cells have the covariance W, the errors are W^-1
       residuals over the diagonal of W^-1 (Sundararajan and Keerthi 2001); with u
       integrated out, W^-1 = V^-1 - V^-1 J C J' V^-1. */
    const struct mt_part *part = &posterior->parts[0];
    const int n = posterior->cells.count, p = part->parameters;
    const double *whitener = posterior->whiteners[part->grid];
    double *solved = malloc(2 * (size_t)(n * p) * sizeof *solved);
    if (!solved)
        return mt_fail(err, MT_ENOMEM, "no memory for the errors of %d runs", n);
    double *spread = solved + n * p; /* V^-1 J, and that times C */
    multiply(&(struct product){true, n, p, n, 1, 0}, whitener, part->slopes, solved);
    multiply(&(struct product){false, n, p, p, 1, 0}, solved, part->covariance, spread);
    for (int i = 0; i < n; i++) {
        const double *column = &whitener[(size_t)i * n];
        double diagonal = dot(column, column, n);
        for (int a = 0; a < p; a++)
            diagonal -= solved[a * n + i] * spread[a * n + i];
        errors[i] = part->correction[i] / diagonal;
        if (deviations)
            deviations[i] = 1 / sqrt(diagonal);
    }
    free(solved);
    return MT_OK;
}
