/* SPDX-License-Identifier: BSD-3-Clause */
/* Expected seconds of a run, from those of runs that have ended. */
#include "internal.h"

#include <math.h>

double mt_estimate_work(const struct mt_program *program, double size)
{
    double work = mt_program_work(program, size, 1);
    return work > 0 ? work : size;
}

void mt_estimate_add(struct mt_estimate *estimate, double work, double seconds)
{
    estimate->runs++;
    estimate->seconds += seconds;
    estimate->work += work;
    estimate->seconds_work += seconds * work;
    estimate->work_work += work * work;
    estimate->most_work = fmax(estimate->most_work, work);
}

double mt_estimate_seconds(const struct mt_estimate *estimate, double work)
{
    if (estimate->runs == 0)
        return NAN;
    const double n = estimate->runs;
    const double mean_seconds = estimate->seconds / n, mean_work = estimate->work / n;
    const double variance = estimate->work_work / n - mean_work * mean_work;
    const double covariance = estimate->seconds_work / n - mean_seconds * mean_work;
    if (covariance <= 0 || variance <= 1e-12 * mean_work * mean_work)
        return mean_seconds;
    const double b = covariance / variance;
    const double a = mean_seconds - b * mean_work;
    if (a < 0)
        return estimate->seconds_work / estimate->work_work * work;
    return a + b * work;
}

bool mt_estimate_covers(const struct mt_estimate *estimate, double work)
{
    return work <= estimate->most_work;
}
