/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of messages over their size: finds sizes slower than smaller and larger ones,
   and makes the links' figures for the store. */
#include "check.h"

#include "cli/process/memory.h"
#include "lib/stats/stats.h"
#include "lib/store/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A rendezvous takes a round trip or two before the message starts. */
static const double protocol_latencies = 4;
/* A rendezvous adds a round trip, two latencies, half of which is left for a transfer
   that copies slowed down before. Where times jump, the probe refines sizes until they
   differ by less than a quarter. */
static const double step_latencies = 1, step_width = 1.25;
/* Bandwidths of smaller messages mean nothing. */
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

/* The bandwidth that both smaller and larger messages than the point's reach. */
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

double mt_curve_last_bandwidth(const struct mt_curve *curve)
{
    return curve->count > 0 ? mt_curve_bandwidth(curve, curve->count - 1) : NAN;
}

/* The extra time of all larger messages over the point's, beyond the transfer time of
   the next size at its bandwidth, in latencies. */
static double step_after(const struct mt_curve *curve, const double *times, int point)
{
    double least = INFINITY;
    for (int i = point + 1; i < curve->count; i++)
        least = fmin(least, times[i]);
    const double growth = curve->bytes[point + 1] / curve->bytes[point];
    return (least - growth * times[point]) / latency(times, count_short(curve));
}

double mt_curve_eager(const struct mt_curve *curve)
{
    for (int i = count_short(curve); i + 1 < curve->count; i++)
        if (curve->bytes[i + 1] <= step_width * curve->bytes[i] &&
            step_after(curve, curve->seconds, i) > step_latencies &&
            step_after(curve, curve->medians, i) > step_latencies)
            return curve->bytes[i];
    return NAN;
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

/* Figures under construction, and room for a number per link. Owned, except the names,
   which are the cluster's. */
struct summary {
    struct mt_link_figure *figures;
    double *numbers;
    int count;
};

/* A number of a link; NaN: it has none. */
typedef double link_number(const struct mt_checked_link *link, double bytes);

static double latency_of(const struct mt_checked_link *link, double bytes)
{
    (void)bytes;
    return mt_curve_latency(&link->curve);
}

static double bandwidth_of(const struct mt_checked_link *link, double bytes)
{
    (void)bytes;
    return mt_curve_last_bandwidth(&link->curve);
}

static double seconds_of(const struct mt_checked_link *link, double bytes)
{
    const struct mt_curve *curves[] = {&link->curve, &link->between};
    for (int i = 0; i < 2; i++) {
        const int point = mt_curve_find(curves[i], bytes);
        if (point >= 0)
            return curves[i]->medians[point];
    }
    return NAN;
}

/* The median of the links between groups g and h; NaN: none has that number. */
static double median_of(struct summary *summary, const struct mt_check *check,
                        const int groups[2], link_number *number, double bytes)
{
    int count = 0;
    for (int i = 0; i < check->nlinks; i++) {
        if (!mt_check_joins(check, &check->links[i], groups[0], groups[1]))
            continue;
        summary->numbers[count] = number(&check->links[i], bytes);
        count += isfinite(summary->numbers[count]);
    }
    return count > 0 ? mt_median(summary->numbers, count) : NAN;
}

/* Add points as far as there is room. */
static void add_lengths(struct mt_curve *lengths, const struct mt_curve *curve)
{
    for (int i = 0; i < curve->count; i++)
        mt_curve_add(lengths, curve->bytes[i], 0, 0);
}

/* Add the median times of messages, for all lengths that any of the links has. */
static void add_points(struct summary *summary, struct mt_link_figure *figure,
                       const struct mt_check *check, const int groups[2])
{
    struct mt_curve lengths = {0};
    for (int i = 0; i < check->nlinks; i++) {
        const struct mt_checked_link *link = &check->links[i];
        if (!mt_check_joins(check, link, groups[0], groups[1]))
            continue;
        add_lengths(&lengths, &link->curve);
        add_lengths(&lengths, &link->between);
    }
    if (lengths.count == 0)
        return;
    figure->points = mt_calloc((size_t)lengths.count, sizeof *figure->points);
    for (int i = 0; i < lengths.count; i++)
        figure->points[figure->npoints++] = (struct mt_link_point){
            lengths.bytes[i],
            median_of(summary, check, groups, seconds_of, lengths.bytes[i])};
}

static void sum_up(struct summary *summary, const struct mt_check *check, int g, int h)
{
    const struct mt_cluster *cluster = check->cluster;
    const int groups[] = {g, h};
    const double latency = median_of(summary, check, groups, latency_of, 0);
    if (isnan(latency))
        return;
    struct mt_link_figure *figure = &summary->figures[summary->count++];
    *figure = (struct mt_link_figure){
        .cluster = cluster->name,
        .from = cluster->groups[g].name,
        .to = cluster->groups[h].name,
        .latency = latency,
        .bandwidth = median_of(summary, check, groups, bandwidth_of, 0),
        .simulated = mt_cluster_simulated(cluster),
        .measured = time(NULL)};
    add_points(summary, figure, check, groups);
}

static int put(const struct summary *summary, const char *db, struct mt_error *err)
{
    const struct mt_link_figures links = {.all = summary->figures,
                                          .count = summary->count};
    struct mt_store *store = NULL;
    int status = mt_store_open(&store, db, MT_STORE_WRITE, err);
    if (status == MT_OK)
        status = mt_store_put_links(store, &links, err);
    mt_store_close(store);
    return status;
}

int mt_check_keep_links(const struct mt_check *check, const char *db,
                        struct mt_error *err)
{
    const int groups = check->cluster->ngroups;
    if (check->nlinks == 0)
        return MT_OK;
    const size_t pairs = (size_t)groups * (size_t)(groups + 1) / 2;
    struct summary summary = {.figures = mt_calloc(pairs, sizeof *summary.figures),
                              .numbers =
                                  mt_calloc((size_t)check->nlinks, sizeof(double))};
    int status = MT_OK;
    for (int g = 0; g < groups; g++)
        for (int h = g; h < groups; h++)
            sum_up(&summary, check, g, h);
    if (summary.count > 0)
        status = put(&summary, db, err);
    for (int i = 0; i < summary.count; i++)
        free(summary.figures[i].points);
    free(summary.figures);
    free(summary.numbers);
    return status;
}
