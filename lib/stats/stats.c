/* SPDX-License-Identifier: BSD-3-Clause */
/* Medians, and the normal and Student's t distribution. */
#include "stats.h"

#include "lib/base/array.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

const double mt_deviations_per_mad = 1.4826;

double mt_median(double *values, int count)
{
    if (count == 0)
        return NAN;
    qsort(values, (size_t)count, sizeof *values, mt_compare_doubles);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

double mt_normal_probability(double x)
{
    return erfc(-x / M_SQRT2) / 2;
}

double mt_normal_quantile(double probability)
{
    const double precision = 1e-9;
    double low = -10, high = 10;
    while (high - low > precision) {
        const double middle = (low + high) / 2;
        if (mt_normal_probability(middle) < probability)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* Abramowitz and Stegun, 26.7.3 and 26.7.4: a series in powers of a cosine. */
double mt_student_probability(double x, int freedom)
{
    const bool odd = freedom % 2 != 0;
    const double square = freedom / (freedom + x * x); /* of the cosine */
    const double sine = copysign(sqrt(1 - square), x);
    double term = odd ? sqrt(square) : 1, sum = freedom > 1 ? term : 0;
    for (int k = odd ? 3 : 2; k < freedom; k += 2) {
        term *= square * (k - 1) / k;
        sum += term;
    }
    return odd ? 0.5 + (atan(x / sqrt(freedom)) + sine * sum) / M_PI
               : 0.5 + 0.5 * sine * sum;
}

double mt_student_quantile(double probability, int freedom)
{
    const double precision = 1e-9;
    double low = 0, high = 100;
    if (probability <= 0.5)
        return 0;
    while (high - low > precision) {
        const double middle = (low + high) / 2;
        if (mt_student_probability(middle, freedom) < probability)
            low = middle;
        else
            high = middle;
    }
    return high;
}
