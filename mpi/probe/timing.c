/* SPDX-License-Identifier: BSD-3-Clause */
#include "timing.h"

#include "work.h"

#include <stdlib.h>

enum { LEAST_REPEATS = 3 };

static const double seconds_per_size = 0.01;

int timing_sizes(int sizes[TIMING_MOST_SIZES], int max_bytes)
{
    int count = 0;
    for (long power = 1; power <= max_bytes; power *= 2) {
        const long between = power / 2 * 3;
        sizes[count++] = (int)power;
        if (between > power && between <= max_bytes)
            sizes[count++] = (int)between;
    }
    return count;
}

bool timing_enough(int repeats, double seconds)
{
    return repeats >= TIMING_MOST_REPEATS ||
           (repeats >= LEAST_REPEATS &&
            (work_simulated || seconds >= seconds_per_size));
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median_of(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

struct timing timing_of(int bytes, double *seconds, int repeats)
{
    const double median = median_of(seconds, repeats);
    return (struct timing){.bytes = bytes, .least = seconds[0], .median = median};
}
