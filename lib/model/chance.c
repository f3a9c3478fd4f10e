/* SPDX-License-Identifier: BSD-3-Clause */
/* The probability that a run ends within a limit. */
#include "internal.h"

#include "lib/stats/stats.h"

#include <math.h>

enum { FREEDOM = 10 };
/* Deviations up to the end of an interval: of them 95 % are below it. */
static const double end_of_interval = 1.8124611228;

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
    return isnan(deviation) ? prediction->seconds
                            : median_of(prediction) *
                                  exp(deviation * mt_student_quantile(chance, FREEDOM));
}

double mt_prediction_chance(const struct mt_prediction *prediction, double seconds)
{
    const double deviation = deviation_of(prediction);
    if (deviation == 0)
        return seconds >= prediction->seconds ? 1 : 0;
    const double distance = log(seconds / median_of(prediction));
    return mt_student_probability(distance / deviation, FREEDOM);
}
