/* SPDX-License-Identifier: BSD-3-Clause */
/* The probability that a run ends within a limit. */
#include "internal.h"

#include "lib/stats/stats.h"

#include <math.h>
#include <stdbool.h>

/* Deviations of a normal distribution between its median and an end of the interval. */
static const double end_of_interval = 1.6448536270;

/* The standard deviation of the logarithm on that side of the median; NaN: the
   prediction has no interval. */
static double deviation_of(const struct mt_prediction *prediction, bool above)
{
    const double ratio = above ? prediction->high / prediction->seconds
                               : prediction->seconds / prediction->low;
    const double deviation = log(ratio) / end_of_interval;
    return isfinite(deviation) && deviation >= 0 ? deviation : NAN;
}

double mt_prediction_seconds_at(const struct mt_prediction *prediction, double chance)
{
    const double deviation = chance > 0 ? deviation_of(prediction, true) : NAN;
    return isnan(deviation)
               ? prediction->seconds
               : prediction->seconds * exp(deviation * mt_normal_quantile(chance));
}

double mt_prediction_chance(const struct mt_prediction *prediction, double seconds)
{
    const double deviation = deviation_of(prediction, seconds >= prediction->seconds);
    if (deviation == 0)
        return seconds >= prediction->seconds ? 1 : 0;
    return mt_normal_probability(log(seconds / prediction->seconds) / deviation);
}
