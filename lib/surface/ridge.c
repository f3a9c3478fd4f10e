/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan.h"

#include <math.h>

/* The best so far. */
struct search {
    const struct mt_surface *surface;
    double nodes;
    double size;                   /* NaN: none yet */
    struct mt_surface_point point; /* there */
    double top;                    /* the best efficiency */
};

/* On a plateau, where efficiencies differ by rounding only, the last size is taken. */
static void try_size(struct search *search, double size)
{
    const double rounding = 1e-12;
    const struct mt_surface_point point =
        mt_surface_at(search->surface, size, search->nodes);
    if (!point.valid || !point.fits)
        return;
    if (isnan(search->size) || point.efficiency >= search->top * (1 - rounding)) {
        search->size = size;
        search->point = point;
        search->top = fmax(search->top, point.efficiency);
    }
}

/* Try numbers on both sides of the best one, closer and closer to it. */
static void refine(struct search *search, struct mt_span sizes)
{
    const double pieces = 32;
    double reach = mt_scan_step(sizes, search->size);
    while (reach > 1) {
        const double low = fmax(sizes.low, search->size - reach);
        const double high = fmin(sizes.high, search->size + reach);
        reach = ceil(reach / pieces);
        double next = low;
        while (next <= high) {
            try_size(search, next);
            next = fmax(mt_scan_after(next), next + reach);
        }
    }
}

bool mt_best_size(const struct mt_surface *surface, double nodes, struct mt_span sizes,
                  struct mt_surface_point *point, double *size)
{
    struct search search = {.surface = surface, .nodes = nodes, .size = NAN};
    double next = sizes.low;
    while (next <= sizes.high) {
        try_size(&search, next);
        next = mt_scan_next(sizes, next);
    }
    if (isnan(search.size))
        return false;
    refine(&search, sizes);
    *size = search.size;
    *point = search.point;
    return true;
}
