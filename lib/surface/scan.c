/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan.h"

#include <math.h>

double mt_scan_after(double value)
{
    return fmax(value + 1, nextafter(value, INFINITY));
}

double mt_scan_step(struct mt_span span, double value)
{
    enum { SHORT = 4096, STEPS_OF_VALUE = 400 };
    if (span.high - span.low <= SHORT)
        return 1;
    return fmax(1, floor(value / STEPS_OF_VALUE));
}

double mt_scan_next(struct mt_span span, double value)
{
    const double next = fmax(mt_scan_after(value), value + mt_scan_step(span, value));
    return next > span.high && value < span.high ? span.high : next;
}

bool mt_scan_possible(const struct mt_surface *surface, double size, double high,
                      double *nodes, struct mt_surface_point *point)
{
    double n = *nodes;
    while (n <= high) {
        const struct mt_surface_point there = mt_surface_at(surface, size, n);
        if (there.valid && there.fits) {
            *nodes = n;
            *point = there;
            return true;
        }
        n = mt_scan_after(n);
    }
    return false;
}
