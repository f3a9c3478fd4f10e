/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts message lengths by the times that were measured between two nodes. */
#include "lengths.h"
#include "tuning.h"

#include <math.h>
#include <stdbool.h>

/* The times of long messages; the first is that of no bytes. */
struct times {
    const struct mt_link_point *points;
    int count;
    double latency;
};

static double bytes_at(const struct times *times, int i)
{
    return i == 0 ? 0 : times->points[i - 1].bytes;
}

static double seconds_at(const struct times *times, int i)
{
    return i == 0 ? times->latency : fmax(times->latency, times->points[i - 1].seconds);
}

/* Whether a straight line between two points predicts those in between. */
static bool is_straight(const struct times *times, int from, int to, double tolerance)
{
    const double slope = (seconds_at(times, to) - seconds_at(times, from)) /
                         (bytes_at(times, to) - bytes_at(times, from));
    for (int i = from + 1; i < to; i++) {
        const double told = seconds_at(times, from) +
                            slope * (bytes_at(times, i) - bytes_at(times, from));
        if (fabs(told / seconds_at(times, i) - 1) > tolerance)
            return false;
    }
    return true;
}

/* Fill in the points that predict the others; false: no room for them. */
static bool thin_out(struct mt_learn_link *link, const struct times *times,
                     double tolerance)
{
    link->nlengths = 0;
    for (int from = 0, to; from < times->count; from = to) {
        to = from + 1;
        while (to < times->count && is_straight(times, from, to + 1, tolerance))
            to++;
        if (link->nlengths == MT_MAX_LENGTHS)
            return false;
        const double as = (seconds_at(times, to) - times->latency) / link->byte;
        link->lengths[link->nlengths++] = (struct mt_length){bytes_at(times, to), as};
    }
    return true;
}

static bool is_in_proportion(const struct mt_learn_link *link,
                             const struct times *times)
{
    for (int i = 0; i < link->nlengths; i++) {
        const double off = link->byte * (link->lengths[i].as - link->lengths[i].bytes);
        if (fabs(off) >
            in_proportion * (times->latency + link->byte * link->lengths[i].as))
            return false;
    }
    return true;
}

void mt_learn_find_link(struct mt_learn_link *link, const struct mt_link_point *points,
                        int npoints)
{
    int nshort = 0, first = 0;
    double latency = INFINITY; /* the others have a few bytes on their way */
    *link = (struct mt_learn_link){0};
    for (; nshort < npoints && points[nshort].bytes < short_bytes; nshort++)
        latency = fmin(latency, points[nshort].seconds);
    const double of_short = latency;
    for (int i = nshort; i < npoints; i++)
        latency = fmin(latency, points[i].seconds);
    if (nshort == 0 || nshort == npoints)
        return;
    const struct mt_link_point *last = &points[npoints - 1];
    if (!(last->seconds > latency))
        return;
    while (latency > (1 - told_within) * of_short && points[first].bytes < shortest)
        first++;
    const struct times times = {points + first, npoints - first, latency};
    link->latency = latency;
    link->byte = (last->seconds - latency) / last->bytes;
    for (double tolerance = told_within; !thin_out(link, &times, tolerance);)
        tolerance *= relaxed;
    if (is_in_proportion(link, &times))
        link->nlengths = 0;
}
