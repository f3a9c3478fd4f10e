/* SPDX-License-Identifier: BSD-3-Clause */
#include "marks.h"

#include "internal.h"
#include "lib/base/array.h"

#include <math.h>
#include <stdlib.h>

/* The numbers of nodes and sizes that are examined; more marks would blur. */
enum { MARKED_NODES = 40, MARKED_SIZES = 30 };

/* On fewer nodes, one more is not a small step. */
enum { LEAST_NODES_OF_CLIFF = 10 };

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

/* What is marked on a number of nodes. */
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
        /* At the border the best size may be beyond it. */
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
    /* The first one only says which is faster at the start; of several the last counts,
       as unevenly shared work makes both jitter. */
    if (status == MT_OK && crossings.count > 1) {
        const struct mt_crossing *last = &crossings.crossings[crossings.count - 1];
        marks->overtakes[last->b_faster] = true;
        status = add_mark(&marks->overtaken, last->nodes, size, err);
    }
    mt_crossings_clear(&crossings);
    return status;
}

/* What is marked at a size. */
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
