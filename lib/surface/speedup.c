/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/scaling.h"

#include <math.h>

const char *mt_speedup_name(enum mt_speedup kind)
{
    static const char *const names[MT_NSPEEDUPS] = {
        [MT_SPEEDUP_FIXED_SIZE] = "fixed size",
        [MT_SPEEDUP_FIXED_TIME] = "fixed time",
        [MT_SPEEDUP_MEMORY_BOUNDED] = "memory bounded",
    };
    return names[kind];
}

/* What must not exceed a limit as the size grows. NaN: not valid. */
struct growth {
    const struct mt_surface *surface;
    enum mt_speedup kind;
    double nodes, limit;
};

static double quantity(enum mt_speedup kind, const struct mt_surface_point *point)
{
    return kind == MT_SPEEDUP_FIXED_TIME ? point->seconds : point->memory;
}

static double at(const struct growth *growth, double size)
{
    const struct mt_surface_point point =
        mt_surface_at(growth->surface, size, growth->nodes);
    return quantity(growth->kind, &point);
}

/* A size beyond the limit, as is its double; NaN: none up to 2^53. */
static double beyond(const struct growth *growth, double start)
{
    double size = start;
    while (size <= 0x1p53) {
        if (at(growth, size) > growth->limit && at(growth, 2 * size) > growth->limit)
            return size;
        size *= 2;
    }
    return NAN;
}

/* The largest size within the limit, from above, for times do not only grow: in steps
   of 1 % to the first that is within, and by halves between the last two. */
static double largest(const struct growth *growth, double start)
{
    double over = beyond(growth, start), size = over;
    while (size >= 1 && !(at(growth, size) <= growth->limit)) {
        over = size;
        size = fmin(size - 1, ceil(size / 1.01));
    }
    if (!(size >= 1))
        return NAN;
    while (over - size > 1) {
        const double middle = floor((size + over) / 2);
        if (at(growth, middle) <= growth->limit)
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
        const double rounding = 1e-12; /* as much, but for rounding, is not beyond */
        const struct growth growth = {.surface = surface,
                                      .kind = kind,
                                      .nodes = nodes,
                                      .limit = quantity(kind, &one) * (1 + rounding)};
        found = growth.limit > 0 ? largest(&growth, base) : NAN;
    }
    *size = found;
    return nodes * mt_surface_at(surface, found, nodes).speed / one.speed;
}
