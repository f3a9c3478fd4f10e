/* SPDX-License-Identifier: BSD-3-Clause */
#include "internal.h"

#include <math.h>

enum { FREEDOM = 10 };
/* Deviations up to the end of an interval: of them 95 % are below it. */
static const double end_of_interval = 1.8124611228;

/* The probability of a value up to x (Abramowitz and Stegun, 26.7.4). */
static double student_probability(double x)
{
    const double square = FREEDOM / (FREEDOM + x * x); /* of the cosine there */
    double term = 1, sum = 1;
    for (int k = 2; k < FREEDOM; k += 2) {
        term *= square * (k - 1) / k;
        sum += term;
    }
    return 0.5 + 0.5 * copysign(sqrt(1 - square), x) * sum;
}

/* Where that probability is reached, from 0.5 on. */
static double student_quantile(double probability)
{
    double low = 0, high = 100;
    if (probability <= 0.5)
        return 0;
    while (high - low > 1e-9) {
        const double middle = (low + high) / 2;
        if (student_probability(middle) < probability)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Of the logarithm; NaN: there is no interval. */
static double deviation_of(const struct mt_prediction *prediction)
{
    const double deviation =
        log(prediction->high / prediction->low) / 2 / end_of_interval;
    return isfinite(deviation) && deviation >= 0 ? deviation : NAN;
}

static double median_of(const struct mt_prediction *prediction)
{
    return sqrt(prediction->low * prediction->high);
}

double mt_prediction_seconds_at(const struct mt_prediction *prediction, double chance)
{
    const double deviation = chance > 0 ? deviation_of(prediction) : NAN;
    return isnan(deviation)
               ? prediction->seconds
               : median_of(prediction) * exp(deviation * student_quantile(chance));
}

double mt_prediction_chance(const struct mt_prediction *prediction, double seconds)
{
    const double deviation = deviation_of(prediction);
    if (deviation == 0)
        return seconds >= prediction->seconds ? 1 : 0;
    const double distance = log(seconds / median_of(prediction));
    return student_probability(distance / deviation);
}
