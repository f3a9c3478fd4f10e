/* SPDX-License-Identifier: BSD-3-Clause */
#include "strips.h"

#include <math.h>

double mt_partition_strips(const struct mt_partition_areas *areas, int first, int end,
                           double length)
{
    const double *sums = areas->sums;
    double *least = areas->least;

    least[first] = 0.0;
    for (int last = first + 1; last <= end; last++) {
        least[last] = INFINITY;
        for (int begin = last - 1; begin >= first; begin--) {
            /* Each of its rectangles is as wide as the strip; their heights add up to
               its length. */
            double strip =
                length + (last - begin) * (sums[last] - sums[begin]) / length;
            if (strip >= least[last])
                break; /* as are all that take more */
            if (least[begin] + strip < least[last]) {
                least[last] = least[begin] + strip;
                areas->from[last] = begin;
            }
        }
    }
    return least[end];
}
