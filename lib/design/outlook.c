/* SPDX-License-Identifier: BSD-3-Clause */
/* How likely the best configuration is the best, by simulation from the posterior. */
#include "internal.h"
#include "lib/math/least_squares.h"
#include "lib/model/internal.h"
#include "lib/stats/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double mt_as_good = 0.036;

/* Enough for a probability to within one or two per cent. */
enum { DRAWS = 2000 };

/* Added to the variances, so that configurations whose times are the same for all that
   is known have a covariance matrix that can be factored; more where that is too little
   against rounding. */
static const double least_variance = 1e-6, more_variance = 10, most_variance = 1e6;

/* Standard normal, by Box and Muller. */
static double normal(uint64_t *state)
{
    const double radius = sqrt(-2 * log(mt_random_open(mt_random_next(state))));
    return radius * cos(2 * M_PI * mt_random_open(mt_random_next(state)));
}

/* The logarithms of the seconds of a draw. */
static void draw(double *log_seconds, const struct mt_joint *joint, double *normals,
                 uint64_t *state)
{
    const size_t n = (size_t)joint->count;
    for (size_t i = 0; i < n; i++) {
        normals[i] = normal(state);
        log_seconds[i] = joint->means[i];
    }
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++)
            log_seconds[i] += joint->covariance[j * n + i] * normals[j];
}

static void judge(struct mt_outlook *outlook, const double *log_seconds, int count)
{
    double fastest = log_seconds[0];
    for (int i = 1; i < count; i++)
        fastest = fmin(fastest, log_seconds[i]);
    const double longer = log_seconds[0] - fastest;
    outlook->confidence += (longer <= log1p(mt_as_good)) / (double)DRAWS;
    outlook->gain += -expm1(-longer) / DRAWS;
}

/* Replace the covariance by its Cholesky factor. */
static int factor(struct mt_joint *joint, struct mt_error *err)
{
    const size_t n = (size_t)joint->count;
    double *covariance = calloc(n * n, sizeof *covariance);
    if (!covariance)
        return mt_fail(err, MT_ENOMEM, "no memory for %d configurations", joint->count);
    memcpy(covariance, joint->covariance, n * n * sizeof *covariance);
    int status = MT_ERANK;
    for (double variance = least_variance;
         status == MT_ERANK && variance < most_variance; variance *= more_variance) {
        memcpy(joint->covariance, covariance, n * n * sizeof *covariance);
        for (size_t i = 0; i < n; i++)
            joint->covariance[i * n + i] += variance;
        status = mt_factor_cholesky(joint->covariance, joint->count, err);
    }
    free(covariance);
    return status;
}

int mt_outlook_find(struct mt_outlook *outlook, const struct mt_contest *contest,
                    struct mt_error *err)
{
    const size_t n = (size_t)contest->count;
    struct mt_sample *runs = calloc(n, sizeof *runs);
    double *values = calloc(2 * n, sizeof *values);
    struct mt_joint joint = {0};
    struct mt_outlook found = {0};
    uint64_t state = 1;
    int status = runs && values
                     ? MT_OK
                     : mt_fail(err, MT_ENOMEM, "no memory for %d configurations",
                               contest->count);
    for (size_t i = 0; i < n && status == MT_OK; i++)
        runs[i] = (struct mt_sample){.configuration = contest->configurations[i],
                                     .size = contest->size};
    if (status == MT_OK)
        status = mt_models_joint(&joint, contest->problem, runs, contest->count,
                                 contest->count, err);
    if (status == MT_OK)
        status = factor(&joint, err);
    for (int i = 0; i < DRAWS && status == MT_OK; i++) {
        draw(values, &joint, values + n, &state);
        judge(&found, values, contest->count);
    }
    free(runs);
    free(values);
    mt_joint_clear(&joint);
    if (status == MT_OK)
        *outlook = found;
    return status;
}
