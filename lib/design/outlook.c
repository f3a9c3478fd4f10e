/* SPDX-License-Identifier: BSD-3-Clause */
/* How likely the best configuration is the best, by simulation from the posterior. */
#include "internal.h"
#include "lib/math/least_squares.h"
#include "lib/model/internal.h"
#include "lib/stats/random.h"
#include "lib/stats/stats.h"

#include <math.h>
#include <stdlib.h>

const double mt_as_good = 0.036;

/* Enough for a probability to within one or two per cent. */
enum { DRAWS = 2000 };

/* Added to the variances, so that configurations whose times are the same for all that
   is known have a covariance matrix that can be factored. */
static const double least_variance = 1e-6;

double mt_improvement(double log_ratio, double deviation)
{
    if (deviation <= 0)
        return fmax(0, -expm1(log_ratio));
    return mt_normal_probability(-log_ratio / deviation) -
           exp(log_ratio + deviation * deviation / 2) *
               mt_normal_probability(-log_ratio / deviation - deviation);
}

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
        for (size_t i = 0; i < n; i++)
            joint.covariance[i * n + i] += least_variance;
    if (status == MT_OK)
        status = mt_factor_cholesky(joint.covariance, joint.count, err);
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
