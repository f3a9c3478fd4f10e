/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map.h - a surface for pictures: the efficiency in cells that are evenly spaced on
 * logarithmic axes.
 *
 * Sizes are whole numbers; a cell has the best size in its row, since sizes that nodes
 * cannot share evenly would hide the form of the surface. Numbers of nodes are whole,
 * too; between two of them, a cell has the formulas' value, or, if these are not valid
 * there (half a node, or not a square), an interpolation between the next valid
 * numbers.
 */
#ifndef MT_SURFACE_MAP_H
#define MT_SURFACE_MAP_H

#include "motley/error.h"
#include "motley/surface.h"

#include <stdbool.h>

/* Empty if zeroed. */
struct mt_surface_map {
    struct mt_span nodes, sizes; /* those of the first and of the last cell */
    int columns, rows;           /* of the nodes, and of the sizes */
    double *efficiency; /* owned; [row * columns + column]; NaN: nothing is valid */
    double *valid;      /* owned; valid numbers of nodes, ascending: the one closest to
                           the middle of each column */
    int nvalid;
};

/* Fill `map`, of which the spans, columns and rows are set and all else is empty.
   MT_EINVAL when the surface has no valid point there, or either span is a single
   number; then, or without memory, `map` is empty. */
MT_MUST_CHECK int mt_surface_map_make(struct mt_surface_map *map,
                                      const struct mt_surface *surface,
                                      struct mt_error *err);
void mt_surface_map_clear(struct mt_surface_map *map);

/* The highest efficiency; 0: none. */
double mt_highest_efficiency(const double *efficiency, int count);
/* The step, in percent, between colours, lines or digits for efficiencies up to
   `highest`. */
int mt_efficiency_step(double highest);

/* The value of cell `index` of `cells` on a logarithmic axis; also between cells. */
double mt_span_at(struct mt_span span, double index, int cells);
/* The cell of a value, the inverse: between 0 and cells - 1 for values in the span. */
double mt_span_cell(struct mt_span span, double value, int cells);

struct mt_mark {
    double nodes, size;
};
/* Empty if zeroed. */
struct mt_mark_list {
    struct mt_mark *marks; /* owned */
    int count;
};

/* Empty if zeroed. */
struct mt_surface_marks {
    struct mt_mark_list ridge;  /* the best size of each number of nodes */
    struct mt_mark_list limit;  /* the largest sizes that fit into memory, if not all
                                   do */
    struct mt_mark_list cliffs; /* pairs: from and to of a small step that loses much */
    struct mt_mark_list overtaken; /* numbers of nodes from which one surface stays
                                      faster */
    bool overtakes[2];             /* which of the two does so somewhere */
};

/* Find the marks, evenly over the map of the first surface. The second surface
   overtakes it or is overtaken; NULL: none. `marks` must be empty; it is cleared on
   failure. */
MT_MUST_CHECK int mt_surface_marks_find(struct mt_surface_marks *marks,
                                        const struct mt_surface *const surfaces[2],
                                        const struct mt_surface_map *map,
                                        struct mt_error *err);
void mt_surface_marks_clear(struct mt_surface_marks *marks);

#endif
