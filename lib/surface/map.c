/* SPDX-License-Identifier: BSD-3-Clause */
/* The cells of pictures of a surface, and their marks. */
#include "map.h"

#include "internal.h"
#include "lib/base/array.h"
#include "tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int add_mark(struct mt_mark_list *list, double nodes, double size,
                    struct mt_error *err)
{
    const int status =
        mt_array_grow(&list->marks, list->count, sizeof *list->marks, "marks", err);
    if (status == MT_OK)
        list->marks[list->count++] = (struct mt_mark){.nodes = nodes, .size = size};
    return status;
}

static int add_cliffs(struct mt_mark_list *list, const struct mt_cliffs *cliffs,
                      struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < cliffs->count && status == MT_OK; i++) {
        const struct mt_cliff *cliff = &cliffs->cliffs[i];
        const bool along_nodes = cliff->along_nodes;
        if (along_nodes && cliff->from < LEAST_NODES_OF_CLIFF)
            continue;
        status = add_mark(list, along_nodes ? cliff->from : cliff->other,
                          along_nodes ? cliff->other : cliff->from, err);
        if (status == MT_OK)
            status = add_mark(list, along_nodes ? cliff->to : cliff->other,
                              along_nodes ? cliff->other : cliff->to, err);
    }
    return status;
}

/* Find the marks on a number of nodes. */
static int mark_nodes(struct mt_surface_marks *marks, const struct mt_surface *surface,
                      double nodes, const struct mt_surface_map *map,
                      struct mt_error *err)
{
    const struct mt_span sizes = map->sizes;
    struct mt_surface_point best;
    struct mt_cliffs cliffs = {0};
    double size;
    int status = MT_OK;
    if (mt_best_size(surface, nodes, map->sizes, &best, &size)) {
        /* At the border, the best size may lie beyond it. */
        const double row = mt_span_cell(map->sizes, size, map->rows);
        if (row >= 0.5 && row <= map->rows - 1.5)
            status = add_mark(&marks->ridge, nodes, size, err);
    }
    const double limit = mt_surface_memory_limit(surface, nodes, sizes.low, sizes.high);
    if (status == MT_OK && !(limit >= sizes.high))
        status = add_mark(&marks->limit, nodes, isnan(limit) ? sizes.low : limit, err);
    if (status == MT_OK)
        status = mt_cliffs_of_sizes(&cliffs, surface, nodes, sizes, err);
    if (status == MT_OK)
        status = add_cliffs(&marks->cliffs, &cliffs, err);
    mt_cliffs_clear(&cliffs);
    return status;
}

/* Where one surface overtakes the other at a size. */
static int mark_overtaken(struct mt_surface_marks *marks,
                          const struct mt_surface *const surfaces[2], double size,
                          struct mt_span nodes, struct mt_error *err)
{
    struct mt_crossings crossings = {0};
    int status =
        mt_crossings_find(&crossings, surfaces[0], surfaces[1], size, nodes, err);
    /* The first crossing is only the order at the start; the last of several counts, as
       unevenly shared work makes both jitter. */
    if (status == MT_OK && crossings.count > 1) {
        const struct mt_crossing *last = &crossings.crossings[crossings.count - 1];
        marks->overtakes[last->b_faster] = true;
        status = add_mark(&marks->overtaken, last->nodes, size, err);
    }
    mt_crossings_clear(&crossings);
    return status;
}

/* Find the marks at a size. */
static int mark_size(struct mt_surface_marks *marks,
                     const struct mt_surface *const surfaces[2], double size,
                     struct mt_span nodes, struct mt_error *err)
{
    struct mt_cliffs cliffs = {0};
    int status = mt_cliffs_of_nodes(&cliffs, surfaces[0], size, nodes, err);
    if (status == MT_OK)
        status = add_cliffs(&marks->cliffs, &cliffs, err);
    mt_cliffs_clear(&cliffs);
    if (status == MT_OK && surfaces[1])
        status = mark_overtaken(marks, surfaces, size, nodes, err);
    return status;
}

int mt_surface_marks_find(struct mt_surface_marks *marks,
                          const struct mt_surface *const surfaces[2],
                          const struct mt_surface_map *map, struct mt_error *err)
{
    int status = MT_OK;
    double from = -INFINITY; /* in cells, to keep the marks apart */
    for (int i = 0; i < map->nvalid && status == MT_OK; i++) {
        double cell = mt_span_cell(map->nodes, map->valid[i], MARKED_NODES);
        if (cell < from)
            continue;
        from = cell + 1;
        status = mark_nodes(marks, surfaces[0], map->valid[i], map, err);
    }
    double previous = 0;
    for (int i = 0; i < MARKED_SIZES && status == MT_OK; i++) {
        double size = round(mt_span_at(map->sizes, i, MARKED_SIZES));
        if (size == previous)
            continue;
        previous = size;
        status = mark_size(marks, surfaces, size, map->nodes, err);
    }
    if (status != MT_OK)
        mt_surface_marks_clear(marks);
    return status;
}

void mt_surface_marks_clear(struct mt_surface_marks *marks)
{
    free(marks->ridge.marks);
    free(marks->limit.marks);
    free(marks->cliffs.marks);
    free(marks->overtaken.marks);
    *marks = (struct mt_surface_marks){0};
}

double mt_span_at(struct mt_span span, double index, int cells)
{
    return span.low * pow(span.high / span.low, index / (cells - 1));
}

double mt_span_cell(struct mt_span span, double value, int cells)
{
    return log(value / span.low) / log(span.high / span.low) * (cells - 1);
}

/* The best efficiency at the whole sizes around a row; NaN: none is valid. */
static double best_of_row(const struct mt_surface_map *map,
                          const struct mt_surface *surface, double nodes, double row)
{
    double best = NAN, last = 0;
    for (int i = 0; i < SIZES_OF_ROW; i++) {
        double offset = (double)i / (SIZES_OF_ROW - 1) - 0.5;
        double size = round(mt_span_at(map->sizes, row + offset, map->rows));
        if (size == last || size < map->sizes.low || size > map->sizes.high)
            continue;
        last = size;
        best = fmax(best, mt_surface_at(surface, size, nodes).efficiency);
    }
    return best;
}

static bool any_valid(const struct mt_surface_map *map,
                      const struct mt_surface *surface, double nodes)
{
    for (int i = 0; i < ROWS_TO_TRY; i++) {
        double row =
            (double)(map->rows - 1) * (ROWS_TO_TRY - 1 - i) / (ROWS_TO_TRY - 1);
        if (!isnan(best_of_row(map, surface, nodes, row)))
            return true;
    }
    return false;
}

/* The valid number of nodes that is next to the middle of the column; NaN: it has
   none. */
static double valid_of_column(const struct mt_surface_map *map,
                              const struct mt_surface *surface, int column)
{
    const double low = fmax(mt_span_at(map->nodes, column - 0.5, map->columns), 1);
    const double high = mt_span_at(map->nodes, column + 0.5, map->columns);
    const double middle = round(mt_span_at(map->nodes, column, map->columns));
    for (int i = 0; i < NODES_TO_TRY; i++) {
        const int away = (i + 1) / 2; /* alternate below and above the middle */
        const double nodes = i % 2 ? middle + away : middle - away;
        if (nodes >= low && nodes <= high && nodes >= map->nodes.low &&
            nodes <= map->nodes.high && any_valid(map, surface, nodes))
            return nodes;
        if (middle - away < low && middle + away > high)
            break;
    }
    return NAN;
}

static void find_valid_nodes(struct mt_surface_map *map,
                             const struct mt_surface *surface)
{
    for (int column = 0; column < map->columns; column++) {
        double nodes = valid_of_column(map, surface, column);
        if (!isnan(nodes) && (map->nvalid == 0 || nodes > map->valid[map->nvalid - 1]))
            map->valid[map->nvalid++] = nodes;
    }
}

/* Interpolate between two values; at the border of the valid region, take the nearer
   one. */
static double between(double before, double after, double share)
{
    if (isnan(before) || isnan(after))
        return share < 0.5 ? before : after;
    return before + share * (after - before);
}

/* `exact` are the values of the valid numbers of nodes, map->rows of each. */
static void fill_cells(struct mt_surface_map *map, const struct mt_surface *surface,
                       const double *exact)
{
    for (int column = 0, next = 0; column < map->columns; column++) {
        const double nodes = mt_span_at(map->nodes, column, map->columns);
        while (next < map->nvalid - 1 && map->valid[next] < nodes)
            next++;
        const int previous = next > 0 && map->valid[next] > nodes ? next - 1 : next;
        double share = 0;
        if (previous < next)
            share = log(nodes / map->valid[previous]) /
                    log(map->valid[next] / map->valid[previous]);
        for (int row = 0; row < map->rows; row++) {
            double value = best_of_row(map, surface, nodes, row);
            if (isnan(value))
                value = between(exact[previous * map->rows + row],
                                exact[next * map->rows + row], share);
            map->efficiency[row * map->columns + column] = value;
        }
    }
}

static int fill_map(struct mt_surface_map *map, const struct mt_surface *surface,
                    double *exact, struct mt_error *err)
{
    find_valid_nodes(map, surface);
    if (map->nvalid == 0)
        return mt_fail(err, MT_EINVAL,
                       "nothing to draw: no size and number of nodes "
                       "is valid");
    for (int i = 0; i < map->nvalid; i++)
        for (int row = 0; row < map->rows; row++)
            exact[i * map->rows + row] = best_of_row(map, surface, map->valid[i], row);
    fill_cells(map, surface, exact);
    return MT_OK;
}

int mt_surface_map_make(struct mt_surface_map *map, const struct mt_surface *surface,
                        struct mt_error *err)
{
    if (map->nodes.low == map->nodes.high || map->sizes.low == map->sizes.high)
        return mt_fail(err, MT_EINVAL,
                       "a map needs more than one size and number of nodes");
    const size_t cells = (size_t)map->columns * (size_t)map->rows;
    map->efficiency = calloc(cells, sizeof(double));
    map->valid = calloc((size_t)map->columns, sizeof(double));
    double *exact = calloc(cells, sizeof(double));
    int status = MT_OK;
    if (!map->efficiency || !map->valid || !exact)
        status = mt_fail(err, MT_ENOMEM, "no memory for a map");
    if (status == MT_OK)
        status = fill_map(map, surface, exact, err);
    free(exact);
    if (status != MT_OK)
        mt_surface_map_clear(map);
    return status;
}

void mt_surface_map_clear(struct mt_surface_map *map)
{
    free(map->efficiency);
    free(map->valid);
    *map = (struct mt_surface_map){0};
}

double mt_highest_efficiency(const double *efficiency, int count)
{
    double highest = 0;
    for (int i = 0; i < count; i++)
        highest = fmax(highest, efficiency[i]);
    return highest;
}

int mt_efficiency_step(double highest)
{
    static const int steps[] = {20, 10, 5, 2};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (100 * highest > 5.5 * steps[i])
            return steps[i];
    return 1;
}
