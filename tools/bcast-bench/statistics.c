/* SPDX-License-Identifier: BSD-3-Clause */
#include "statistics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const double tolerance = 1.1;

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, int count, double share)
{
    const double position = share * (count - 1);
    const int below = (int)floor(position);
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (position - below) * (sorted[below + 1] - sorted[below]);
}

struct spread spread_of(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return (struct spread){.median = quantile(values, count, 0.5),
                           .p10 = quantile(values, count, 0.1),
                           .p90 = quantile(values, count, 0.9)};
}

double mean_of(const double *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

int settled_after(const double *values, int count, double level)
{
    bool later_is_worse = true; /* the last value may not be the one that passes */
    int settled = count;
    for (int i = count - 1; i >= 0; i--) {
        const bool worse = values[i] > tolerance * level;
        if (worse && later_is_worse)
            break;
        if (!worse)
            settled = i;
        later_is_worse = worse;
    }
    return settled;
}
