/* SPDX-License-Identifier: BSD-3-Clause */
/* How likely the best configuration is the best, by simulation from the posterior. */
#include "internal.h"
#include "lib/math/least_squares.h"
#include "lib/model/internal.h"
#include "lib/stats/random.h"
#include "lib/stats/stats.h"
#include "tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Added to the variances, so that the covariance matrix of configurations with the same
   predicted time can be factored. */
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

/* The logarithm of the first one's time over the fastest one's, in a draw; the
   covariance has been replaced by its Cholesky factor. */
static double draw(const struct mt_joint *joint, double *log_seconds, uint64_t *state)
{
    const size_t n = (size_t)joint->count;
    double fastest = INFINITY;
    memcpy(log_seconds, joint->means, n * sizeof *log_seconds);
    for (size_t j = 0; j < n; j++) {
        const double z = normal(state);
        for (size_t i = j; i < n; i++)
            log_seconds[i] += joint->covariance[j * n + i] * z;
        fastest = fmin(fastest, log_seconds[j]); /* no later z changes it */
    }
    return log_seconds[0] - fastest;
}

int mt_outlook_find(struct mt_outlook *outlook, const struct mt_contest *contest,
                    struct mt_error *err)
{
    const size_t n = (size_t)contest->count;
    struct mt_sample *runs = calloc(n, sizeof *runs);
    double *values = calloc(n, sizeof *values);
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
    for (size_t i = 0; i < n && status == MT_OK; i++)
        joint.covariance[i * n + i] += least_variance;
    if (status == MT_OK)
        status = mt_factor_cholesky(joint.covariance, joint.count, err);
    for (int i = 0; i < DRAWS && status == MT_OK; i++) {
        const double longer = draw(&joint, values, &state);
        found.confidence += (longer <= log1p(mt_as_good)) / (double)DRAWS;
        found.gain += -expm1(-longer) / DRAWS;
    }
    free(runs);
    free(values);
    mt_joint_clear(&joint);
    if (status == MT_OK)
        *outlook = found;
    return status;
}
