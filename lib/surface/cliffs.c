/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where a small step in N or P loses much efficiency. */
#include "internal.h"
#include "lib/base/array.h"
#include "tuning.h"

#include <math.h>
#include <stdlib.h>

/* The efficiencies along a line, where the runs are valid and fit. */
struct line_point {
    double at, efficiency;
};
struct line {
    struct line_point *points; /* owned */
    int count;
};

static int add_point(struct line *line, double at, double efficiency,
                     struct mt_error *err)
{
    const int status =
        mt_array_grow(&line->points, line->count, sizeof *line->points, "points", err);
    if (status == MT_OK)
        line->points[line->count++] = (struct line_point){at, efficiency};
    return status;
}

static bool is_loss(const struct line *line, int from, int to)
{
    return line->points[to].efficiency < (1 - MT_CLIFF) * line->points[from].efficiency;
}

/* The place with the lowest efficiency within a small step; `from`: none. For nodes,
   only the next number counts: a tenth more nodes may lose a tenth of the efficiency
   just by being useless, which is not a cliff. */
static int lowest_in_reach(const struct line *line, int from, bool along_nodes)
{
    const double reach =
        fmax(line->points[from].at + 1, line->points[from].at * small_step);
    const int end = along_nodes && from + 2 < line->count ? from + 2 : line->count;
    int lowest = from;
    for (int i = from + 1; i < end && line->points[i].at <= reach; i++)
        if (lowest == from ||
            line->points[i].efficiency < line->points[lowest].efficiency)
            lowest = i;
    return lowest;
}

/* Whether the efficiency falls as steeply between two neighbours as on a cliff. */
static bool is_steep(const struct line *line, int from)
{
    const double length =
        log(line->points[from + 1].at / line->points[from].at) / log(small_step);
    const bool is_one = line->points[from + 1].at <= line->points[from].at + 1;
    const double steps = is_one ? fmin(length, 1) : length;
    return line->points[from + 1].efficiency <
           pow(1 - MT_CLIFF, steps) * line->points[from].efficiency;
}

static int add_cliff(struct mt_cliffs *cliffs, const struct mt_cliff *like,
                     const struct line *line, int from, int to, struct mt_error *err)
{
    /* trim both ends to steep steps */
    while (from + 1 < to && !is_steep(line, from) && is_loss(line, from + 1, to))
        from++;
    while (from + 1 < to && !is_steep(line, to - 1) && is_loss(line, from, to - 1))
        to--;

    const int status = mt_array_grow(&cliffs->cliffs, cliffs->count,
                                     sizeof *cliffs->cliffs, "cliffs", err);
    if (status != MT_OK)
        return status;
    cliffs->cliffs[cliffs->count++] = (struct mt_cliff){
        .along_nodes = like->along_nodes,
        .other = like->other,
        .from = line->points[from].at,
        .to = line->points[to].at,
        .before = line->points[from].efficiency,
        .after = line->points[to].efficiency,
    };
    return MT_OK;
}

/* Add the cliffs of a line to `cliffs`, with the common members of `like`. */
static int find_cliffs(struct mt_cliffs *cliffs, const struct mt_cliff *like,
                       const struct line *line, struct mt_error *err)
{
    int from = -1, to = -1, status = MT_OK;
    for (int i = 0; i < line->count && status == MT_OK; i++) {
        const int lowest = lowest_in_reach(line, i, like->along_nodes);
        if (!is_loss(line, i, lowest))
            continue;
        if (i > to) {
            if (from >= 0)
                status = add_cliff(cliffs, like, line, from, to, err);
            from = i;
        }
        to = lowest > to ? lowest : to;
    }
    if (from >= 0 && status == MT_OK)
        status = add_cliff(cliffs, like, line, from, to, err);
    return status;
}

int mt_cliffs_of_sizes(struct mt_cliffs *cliffs, const struct mt_surface *surface,
                       double nodes, struct mt_span sizes, struct mt_error *err)
{
    const struct mt_cliff like = {.along_nodes = false, .other = nodes};
    struct line line = {0};
    int status = MT_OK;
    double size = sizes.low;
    while (size <= sizes.high && status == MT_OK) {
        const struct mt_surface_point point = mt_surface_at(surface, size, nodes);
        if (point.valid && point.fits)
            status = add_point(&line, size, point.efficiency, err);
        size = mt_scan_next(sizes, size);
    }
    if (status == MT_OK)
        status = find_cliffs(cliffs, &like, &line, err);
    free(line.points);
    return status;
}

int mt_cliffs_of_nodes(struct mt_cliffs *cliffs, const struct mt_surface *surface,
                       double size, struct mt_span nodes, struct mt_error *err)
{
    const struct mt_cliff like = {.along_nodes = true, .other = size};
    struct line line = {0};
    int status = MT_OK;
    struct mt_surface_point point;
    double n = nodes.low;
    while (status == MT_OK && mt_scan_possible(surface, size, nodes.high, &n, &point)) {
        status = add_point(&line, n, point.efficiency, err);
        n = mt_scan_next(nodes, n);
    }
    if (status == MT_OK)
        status = find_cliffs(cliffs, &like, &line, err);
    free(line.points);
    return status;
}

void mt_cliffs_clear(struct mt_cliffs *cliffs)
{
    free(cliffs->cliffs);
    *cliffs = (struct mt_cliffs){0};
}
