/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan.h"

#include <math.h>

/*
 * A node must add `least` operations per second, so nodes are worth having as long as
 * the machine's speed less `least` a node grows. The largest such difference, not the
 * first node that adds too little: where rows are dealt out unevenly, a node often adds
 * nothing before the next ones do.
 */
double mt_worthwhile_nodes(const struct mt_surface *surface, double size,
                           struct mt_span nodes, double share)
{
    const double rounding = 1e-9; /* a node that adds just enough counts */
    struct mt_surface_point point;
    double n = nodes.low, best = NAN, most = -INFINITY;
    if (!mt_scan_possible(surface, size, nodes.high, &n, &point))
        return NAN;
    const double least = share * point.speed * (1 - rounding);
    while (mt_scan_possible(surface, size, nodes.high, &n, &point)) {
        const double gained = n * (point.speed - least);
        if (gained >= most) {
            most = gained;
            best = n;
        }
        n = mt_scan_next(nodes, n);
    }
    return best;
}
