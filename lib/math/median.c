/* SPDX-License-Identifier: BSD-3-Clause */
#include "median.h"

#include "lib/base/array.h"

#include <math.h>
#include <stdlib.h>

double mt_median(double *values, int count)
{
    if (count == 0)
        return NAN;
    qsort(values, (size_t)count, sizeof *values, mt_compare_doubles);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}
