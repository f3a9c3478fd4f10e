/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * curve.h - how long messages take over their size, and the sizes at which they
 * take too long.
 */
#ifndef MT_CLI_CHECK_CURVE_H
#define MT_CLI_CHECK_CURVE_H

#include <stdbool.h>

enum { MT_CURVE_POINTS = 128 };

/* By ascending size. Zeroed is empty. A plain value that owns nothing. */
struct mt_curve {
    int count;
    double bytes[MT_CURVE_POINTS];
    double seconds[MT_CURVE_POINTS]; /* the shortest time */
    double medians[MT_CURVE_POINTS];
};

/* Add the times of messages of a size; of two of one size the shorter ones are kept.
   Returns false when there is no room. */
bool mt_curve_add(struct mt_curve *curve, double bytes, double seconds, double median);
/* Bytes per second of a point. */
double mt_curve_bandwidth(const struct mt_curve *curve, int point);
/* The usual time of messages of less than 1 KiB, as now and then one is lucky; NaN:
   there are none. */
double mt_curve_latency(const struct mt_curve *curve);
/* The point of that size, or -1. */
int mt_curve_find(const struct mt_curve *curve, double bytes);

/* Points `first` to `last`, whose bandwidth is at most `lowest`, while smaller and
   larger messages reach `around`. */
struct mt_curve_dip {
    int first, last;
    double lowest, around;
};

/*
 * The first dip that begins at point `start` or later; false: there is none. At each of
 * two or more neighbouring sizes messages have less than half the bandwidth that both
 * some smaller and some larger ones have, both by the shortest times and by the
 * medians: now and then a message is lucky. Steps of a few latencies do not count: MPIs
 * make them where they change to another protocol.
 */
bool mt_curve_next_dip(struct mt_curve_dip *dip, const struct mt_curve *curve,
                       int start);

#endif
