/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include "lib/math/median.h"

#include <math.h>
#include <string.h>

/* A rendezvous takes a round trip or two before the message may go. */
static const double protocol_latencies = 4;
/* What is smaller has no bandwidth to speak of. */
static const double short_bytes = 1024;

bool mt_curve_add(struct mt_curve *curve, double bytes, double seconds, double median)
{
    int at = 0;
    while (at < curve->count && curve->bytes[at] < bytes)
        at++;
    if (at < curve->count && curve->bytes[at] == bytes) {
        curve->seconds[at] = fmin(curve->seconds[at], seconds);
        curve->medians[at] = fmin(curve->medians[at], median);
        return true;
    }
    if (curve->count == MT_CURVE_POINTS)
        return false;
    const size_t above = (size_t)(curve->count++ - at);
    memmove(&curve->bytes[at + 1], &curve->bytes[at], above * sizeof bytes);
    memmove(&curve->seconds[at + 1], &curve->seconds[at], above * sizeof seconds);
    memmove(&curve->medians[at + 1], &curve->medians[at], above * sizeof median);
    curve->bytes[at] = bytes;
    curve->seconds[at] = seconds;
    curve->medians[at] = median;
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

/* The best of points `begin` to `end` - 1, if messages take these times. */
static double best_bandwidth(const struct mt_curve *curve, const double *times,
                             int begin, int end)
{
    double best = 0;
    for (int i = begin; i < end; i++)
        best = fmax(best, curve->bytes[i] / times[i]);
    return best;
}

/* What both smaller and larger messages than that of the point reach. */
static double bandwidth_around(const struct mt_curve *curve, const double *times,
                               int point)
{
    return fmin(best_bandwidth(curve, times, 0, point),
                best_bandwidth(curve, times, point + 1, curve->count));
}

static double latency(const double *times, int nshort)
{
    double sorted[MT_CURVE_POINTS];
    memcpy(sorted, times, (size_t)nshort * sizeof *times);
    return mt_median(sorted, nshort);
}

static int count_short(const struct mt_curve *curve)
{
    int nshort = 0;
    while (nshort < curve->count && curve->bytes[nshort] < short_bytes)
        nshort++;
    return nshort;
}

double mt_curve_latency(const struct mt_curve *curve)
{
    return latency(curve->medians, count_short(curve));
}

static bool is_late(const struct mt_curve *curve, const double *times, int point)
{
    const double around = bandwidth_around(curve, times, point);
    const int nshort = count_short(curve);
    return point >= nshort && around > 0 &&
           times[point] > 2 * curve->bytes[point] / around +
                              protocol_latencies * latency(times, nshort);
}

static bool is_low(const struct mt_curve *curve, int point)
{
    return is_late(curve, curve->seconds, point) &&
           is_late(curve, curve->medians, point);
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
            dip->around = fmin(dip->around, bandwidth_around(curve, curve->seconds, i));
        }
        return true;
    }
    return false;
}
