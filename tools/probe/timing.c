/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the messages to time, and the repeats; no MPI. */
#include "probe.h"

#include "apps/common/work.h"
#include "lib/stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* A larger relative deviation from a straight line is a jump, or a disturbance at that
   size. */
static const double jumps = 0.1;
/* Messages below `shortest` cost a latency. A jump is located well enough between two
   sizes whose ratio is `close_enough`; a bend, from which times only grow faster,
   within the larger ratio, as they go on as beyond it. */
static const double shortest = 128, close_enough = 1.04, close_enough_for_bend = 1.2;

/* Whether the time of `at` is off the straight line through two others. */
static bool is_off(const struct timing *a, const struct timing *b,
                   const struct timing *at)
{
    const double slope = (b->least - a->least) / (b->bytes - a->bytes);
    const double expected = b->least + slope * (at->bytes - b->bytes);
    return fabs(expected - at->least) > jumps * at->least;
}

int timing_between(const struct timing *timings, int count)
{
    double widest = close_enough;
    int size = 0;
    for (int i = 1; i + 2 < count && count < TIMING_MOST_SIZES; i++) {
        const struct timing *low = &timings[i], *high = low + 1;
        const double width = (double)high->bytes / low->bytes;
        const bool before = is_off(low - 1, low, high),
                   beyond = is_off(high + 1, high, low);
        if (low->bytes >= shortest && width > widest &&
            ((before && beyond) ||
             ((before || beyond) && width > close_enough_for_bend))) {
            widest = width;
            size = (int)(((long)low->bytes + high->bytes) / 2);
        }
    }
    return size;
}

void timing_insert(struct timing *timings, int count, const struct timing *timing)
{
    int at = count;
    while (at > 0 && timings[at - 1].bytes > timing->bytes)
        at--;
    memmove(&timings[at + 1], &timings[at], (size_t)(count - at) * sizeof *timings);
    timings[at] = *timing;
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

struct timing samples_timing(struct samples *samples, int bytes)
{
    const double median = mt_median(samples->seconds, samples->repeats);
    return (struct timing){
        .bytes = bytes, .least = samples->seconds[0], .median = median};
}
