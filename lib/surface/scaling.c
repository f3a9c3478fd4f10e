/* SPDX-License-Identifier: BSD-3-Clause */
/* Best sizes, speed-ups and iso-efficiency of a surface. */
#include "internal.h"
#include "tuning.h"

#include <math.h>

/* The best so far. */
struct ridge_search {
    const struct mt_surface *surface;
    double nodes;
    double size;                   /* NaN: none yet */
    struct mt_surface_point point; /* there */
    double top;                    /* the best efficiency */
};

/* On a plateau, where efficiencies differ by rounding only, the last size is taken. */
static void try_size(struct ridge_search *search, double size)
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

/* Try numbers on both sides of the best one, in smaller and smaller steps. */
static void refine_ridge(struct ridge_search *search, struct mt_span sizes)
{
    double reach = mt_scan_step(sizes, search->size);
    while (reach > 1) {
        const double low = fmax(sizes.low, search->size - reach);
        const double high = fmin(sizes.high, search->size + reach);
        reach = ceil(reach / ridge_pieces);
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
    struct ridge_search search = {.surface = surface, .nodes = nodes, .size = NAN};
    double next = sizes.low;
    while (next <= sizes.high) {
        try_size(&search, next);
        next = mt_scan_next(sizes, next);
    }
    if (isnan(search.size))
        return false;
    refine_ridge(&search, sizes);
    *size = search.size;
    *point = search.point;
    return true;
}

const char *mt_speedup_name(enum mt_speedup kind)
{
    static const char *const names[MT_NSPEEDUPS] = {
        [MT_SPEEDUP_FIXED_SIZE] = "fixed size",
        [MT_SPEEDUP_FIXED_TIME] = "fixed time",
        [MT_SPEEDUP_MEMORY_BOUNDED] = "memory bounded",
    };
    return names[kind];
}

/* The search for the largest size whose time or memory stays within a limit. */
struct growth {
    const struct mt_surface *surface;
    enum mt_speedup kind;
    double nodes, limit;
};

static double growing_quantity(enum mt_speedup kind,
                               const struct mt_surface_point *point)
{
    return kind == MT_SPEEDUP_FIXED_TIME ? point->seconds : point->memory;
}

static double quantity_at(const struct growth *growth, double size)
{
    const struct mt_surface_point point =
        mt_surface_at(growth->surface, size, growth->nodes);
    return growing_quantity(growth->kind, &point);
}

/* A size beyond the limit, as is twice that size; NaN: none up to 2^53. */
static double size_beyond(const struct growth *growth, double start)
{
    double size = start;
    while (size <= 0x1p53) {
        if (quantity_at(growth, size) > growth->limit &&
            quantity_at(growth, 2 * size) > growth->limit)
            return size;
        size *= 2;
    }
    return NAN;
}

/* The largest size within the limit. Times are not monotone, so it is approached from
   above: in steps of 1 % down to the first within, then by bisection. */
static double largest_within(const struct growth *growth, double start)
{
    double over = size_beyond(growth, start), size = over;
    while (size >= 1 && !(quantity_at(growth, size) <= growth->limit)) {
        over = size;
        size = fmin(size - 1, ceil(size / size_step));
    }
    if (!(size >= 1))
        return NAN;
    while (over - size > 1) {
        const double middle = floor((size + over) / 2);
        if (quantity_at(growth, middle) <= growth->limit)
            size = middle;
        else
            over = middle;
    }
    return size;
}

double mt_speedup(const struct mt_surface *surface, enum mt_speedup kind, double base,
                  double nodes, double *size)
{
    const struct mt_surface_point one = mt_surface_at(surface, base, 1);
    double found = base;
    if (kind != MT_SPEEDUP_FIXED_SIZE) {
        const double rounding =
            1e-12; /* a quantity that exceeds the limit by rounding only is within */
        const struct growth growth = {.surface = surface,
                                      .kind = kind,
                                      .nodes = nodes,
                                      .limit = growing_quantity(kind, &one) *
                                               (1 + rounding)};
        found = growth.limit > 0 ? largest_within(&growth, base) : NAN;
    }
    *size = found;
    return nodes * mt_surface_at(surface, found, nodes).speed / one.speed;
}

static bool is_efficient(const struct mt_surface *surface, double efficiency,
                         double size, double nodes)
{
    const struct mt_surface_point point = mt_surface_at(surface, size, nodes);
    return point.valid && point.fits && point.efficiency >= efficiency;
}

/* Bisect between an efficient size and an inefficient one. */
static double halve_sizes(const struct mt_surface *surface, double efficiency,
                          double nodes, double is, double is_not)
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
    found->low =
        isnan(below) ? first : halve_sizes(surface, efficiency, nodes, first, below);
    found->high =
        isnan(above) ? last : halve_sizes(surface, efficiency, nodes, last, above);
    return true;
}
