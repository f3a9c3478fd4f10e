/* SPDX-License-Identifier: BSD-3-Clause */
/* Medians of a call's times, and whether one way of making it beats another. */
#include "measured.h"
#include "preload/tuning.h"

#include <stdlib.h>

void samples_add(struct samples *samples, int64_t time)
{
    if (samples->count == MOST_SAMPLES)
        return;
    int i = samples->count++;
    for (; i > 0 && samples->time[i - 1] > time; i--)
        samples->time[i] = samples->time[i - 1];
    samples->time[i] = time;
}

int64_t samples_median(const struct samples *samples)
{
    return samples->count ? samples->time[(samples->count - 1) / 2] : 0;
}

void measured_learn(struct measured *measured, int64_t time, bool same)
{
    if (same && measured->told > 0) {
        const int64_t change = llabs(time - measured->mean);
        measured->noise = measured->noise ? (measured->noise + change) / 2 : change;
        measured->mean = (measured->mean + time) / 2;
    } else {
        measured->mean = time;
    }
    measured->told++;
}

bool measured_is_known(const struct measured *measured)
{
    return measured->told > 1;
}

bool measured_is_less(const struct measured *own, const struct measured *native)
{
    const int64_t wanted = native->mean - native->mean * LEAST_ADVANTAGE / 100;
    return measured_is_known(own) && measured_is_known(native) &&
           own->mean + own->noise + native->noise < wanted;
}
