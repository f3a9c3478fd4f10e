/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline.h"

static const int64_t narrowest = INT64_C(1) << 20;

int64_t timeline_width(const struct timeline *timeline)
{
    return narrowest << timeline->doubled;
}

void timeline_widen(struct timeline *timeline, int doubled)
{
    for (; timeline->doubled < doubled; timeline->doubled++)
        for (int i = 0; i < INTERVALS; i++)
            timeline->waited[i] =
                2 * i + 1 < INTERVALS
                    ? timeline->waited[2 * i] + timeline->waited[2 * i + 1]
                    : 0;
}

void timeline_add(struct timeline *timeline, int64_t from, int64_t length,
                  int64_t waited)
{
    const int64_t end = from + length;
    while (end > INTERVALS * timeline_width(timeline))
        timeline_widen(timeline, timeline->doubled + 1);
    const int64_t width = timeline_width(timeline);
    for (int64_t at = from, next; at < end; at = next) {
        next = (at / width + 1) * width < end ? (at / width + 1) * width : end;
        timeline->waited[at / width] +=
            (int64_t)((double)waited * (double)(next - at) / (double)length);
    }
}

void timeline_shift(struct timeline *timeline, int64_t later)
{
    const struct timeline before = *timeline;
    const int64_t width = timeline_width(&before);
    *timeline = (struct timeline){.doubled = before.doubled};
    for (int i = 0; i < INTERVALS; i++)
        if (before.waited[i] > 0)
            timeline_add(timeline, i * width + later, width, before.waited[i]);
}
