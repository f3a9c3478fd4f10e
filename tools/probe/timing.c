/* SPDX-License-Identifier: BSD-3-Clause */
#include "timing.h"

#include "apps/common/work.h"

#include <stdlib.h>

enum { REPEATS_PER_SWEEP = TIMING_MOST_REPEATS / TIMING_SWEEPS };

static const double seconds_per_sweep = 0.002;

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
    return repeats >= REPEATS_PER_SWEEP ||
           (repeats > 0 && (work_simulated || seconds >= seconds_per_sweep));
}

void samples_add(struct samples *samples, double seconds)
{
    samples->seconds[samples->repeats++] = seconds;
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

struct timing samples_timing(struct samples *samples, int bytes)
{
    const double median = median_of(samples->seconds, samples->repeats);
    return (struct timing){
        .bytes = bytes, .least = samples->seconds[0], .median = median};
}
