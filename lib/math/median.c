/* SPDX-License-Identifier: BSD-3-Clause */
#include "median.h"

#include <math.h>
#include <stdlib.h>

static int compare_values(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double mt_median(double *values, int count)
{
    if (count == 0)
        return NAN;
    qsort(values, (size_t)count, sizeof *values, compare_values);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}
