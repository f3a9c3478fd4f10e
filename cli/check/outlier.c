/* SPDX-License-Identifier: BSD-3-Clause */
#include "outlier.h"

#include <math.h>

static int count_at_most(const double *values, int count, double limit)
{
    int found = 0;
    for (int i = 0; i < count; i++)
        found += values[i] <= limit;
    return found;
}

/* The value that `rank` values are below of, were they sorted; NaN: there are not as
   many. They are few, and this needs no memory. */
static double of_rank(const double *values, int count, int rank)
{
    double found = NAN;
    for (int i = 0; i < count; i++)
        if (count_at_most(values, count, values[i]) > rank)
            found = fmin(found, values[i]);
    return found;
}

int mt_outliers(bool *out, double *median, const double *values, int count,
                double tolerance)
{
    const int known = count_at_most(values, count, INFINITY);
    const double above = of_rank(values, count, known / 2);
    const double below = of_rank(values, count, (known - 1) / 2);
    const double limit = known == 2 ? tolerance / 2 : tolerance;
    int outliers = 0;
    *median = 0.5 * (below + above);
    for (int i = 0; i < count; i++) {
        out[i] = fabs(values[i] - *median) > limit;
        outliers += out[i];
    }
    return outliers;
}

int mt_laggards(bool *out, double *most, const double *values, int count, double factor)
{
    const int known = count_at_most(values, count, INFINITY);
    int laggards = 0;
    *most = of_rank(values, count, known / 2);
    for (int i = 0; i < count; i++) {
        out[i] = values[i] * factor < *most;
        laggards += out[i];
    }
    return laggards;
}
