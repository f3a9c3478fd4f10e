/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surface_marks.h - what is marked on a map of a surface.
 */
#ifndef MT_CLI_SURFACE_MARKS_H
#define MT_CLI_SURFACE_MARKS_H

#include "map.h"
#include "motley/error.h"
#include "picture.h"

struct mt_place {
    double nodes, size;
};
/* Zeroed is empty. */
struct mt_places {
    struct mt_place *places; /* owned */
    int count;
};

/* Zeroed is empty. */
struct mt_surface_marks {
    struct mt_places ridge;  /* the best size of each number of nodes */
    struct mt_places limit;  /* the largest that fits into memory, where not all do */
    struct mt_places cliffs; /* where a small step more loses much */
    struct mt_places overtaken; /* from where on another surface stays the faster */
    bool overtakes[2];          /* which of the two does so anywhere */
};

/* Find what there is to mark, evenly over the map, which is that of the drawing's first
   surface. `marks` must be empty; it is cleared on failure. */
MT_MUST_CHECK int mt_surface_marks_find(struct mt_surface_marks *marks,
                                        const struct mt_drawing *drawing,
                                        const struct mt_surface_map *map,
                                        struct mt_error *err);
void mt_surface_marks_clear(struct mt_surface_marks *marks);
/* What the places where one overtakes the other are called: "ap1000 overtakes". */
const char *mt_surface_overtakes_label(char label[128],
                                       const struct mt_drawing *drawing,
                                       const struct mt_surface_marks *marks);

#endif
