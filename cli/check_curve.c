/* SPDX-License-Identifier: BSD-3-Clause */
#include "check_curve.h"

#include <math.h>
#include <string.h>

/* A rendezvous takes a round trip or two before the message may go. */
static const double protocol_latencies = 4;

bool mt_curve_add(struct mt_curve *curve, double bytes, double seconds)
{
    int at = 0;
    while (at < curve->count && curve->bytes[at] < bytes)
        at++;
    if (at < curve->count && curve->bytes[at] == bytes) {
        curve->seconds[at] = fmin(curve->seconds[at], seconds);
        return true;
    }
    if (curve->count == MT_CURVE_POINTS)
        return false;
    const size_t above = (size_t)(curve->count++ - at);
    memmove(&curve->bytes[at + 1], &curve->bytes[at], above * sizeof bytes);
    memmove(&curve->seconds[at + 1], &curve->seconds[at], above * sizeof seconds);
    curve->bytes[at] = bytes;
    curve->seconds[at] = seconds;
    return true;
}

double mt_curve_bandwidth(const struct mt_curve *curve, int point)
{
    return curve->bytes[point] / curve->seconds[point];
}

int mt_curve_find(const struct mt_curve *curve, double bytes)
{
    for (int i = 0; i < curve->count; i++)
        if (curve->bytes[i] == bytes)
            return i;
    return -1;
}

static double best_bandwidth(const struct mt_curve *curve, int begin, int end)
{
    double best = 0;
    for (int i = begin; i < end; i++)
        best = fmax(best, mt_curve_bandwidth(curve, i));
    return best;
}

/* What both smaller and larger messages than that of the point reach. */
static double bandwidth_around(const struct mt_curve *curve, int point)
{
    return fmin(best_bandwidth(curve, 0, point),
                best_bandwidth(curve, point + 1, curve->count));
}

static double least_seconds(const struct mt_curve *curve)
{
    double least = INFINITY;
    for (int i = 0; i < curve->count; i++)
        least = fmin(least, curve->seconds[i]);
    return least;
}

static bool is_low(const struct mt_curve *curve, int point)
{
    const double around = bandwidth_around(curve, point);
    return around > 0 &&
           curve->seconds[point] > 2 * curve->bytes[point] / around +
                                       protocol_latencies * least_seconds(curve);
}

bool mt_curve_next_dip(struct mt_curve_dip *dip, const struct mt_curve *curve,
                       int start)
{
    for (int first = start, end; first < curve->count; first = end + 1) {
        end = first;
        while (end < curve->count && is_low(curve, end))
            end++;
        if (end - first < 2)
            continue;
        *dip = (struct mt_curve_dip){first, end - 1, INFINITY, INFINITY};
        for (int i = first; i < end; i++) {
            dip->lowest = fmin(dip->lowest, mt_curve_bandwidth(curve, i));
            dip->around = fmin(dip->around, bandwidth_around(curve, i));
        }
        return true;
    }
    return false;
}
