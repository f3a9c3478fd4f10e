/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan.h"

#include <math.h>

static bool is_efficient(const struct mt_surface *surface, double efficiency,
                         double size, double nodes)
{
    const struct mt_surface_point point = mt_surface_at(surface, size, nodes);
    return point.valid && point.fits && point.efficiency >= efficiency;
}

/* Between a size that is efficient and one that is not, the last that is. */
static double halve(const struct mt_surface *surface, double efficiency, double nodes,
                    double is, double is_not)
{
    while (fabs(is - is_not) > 1) {
        const double middle = floor((is + is_not) / 2);
        if (is_efficient(surface, efficiency, middle, nodes))
            is = middle;
        else
            is_not = middle;
    }
    return is;
}

bool mt_iso_efficiency(const struct mt_surface *surface, double efficiency,
                       double nodes, struct mt_span sizes, struct mt_span *found)
{
    /* the neighbours that were tried below the first and above the last size found */
    double first = NAN, last = NAN, below = NAN, above = NAN, previous = NAN;
    double size = sizes.low;
    while (size <= sizes.high) {
        if (is_efficient(surface, efficiency, size, nodes)) {
            if (isnan(first)) {
                first = size;
                below = previous;
            }
            last = size;
            above = NAN;
        } else if (last == previous) {
            above = size;
        }
        previous = size;
        size = mt_scan_next(sizes, size);
    }
    if (isnan(first))
        return false;
    found->low = isnan(below) ? first : halve(surface, efficiency, nodes, first, below);
    found->high = isnan(above) ? last : halve(surface, efficiency, nodes, last, above);
    return true;
}
