/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * marks.h - what is marked on a map of a surface.
 */
#ifndef MT_SURFACE_MARKS_H
#define MT_SURFACE_MARKS_H

#include "map.h"

#include "motley/error.h"
#include "motley/surface.h"

#include <stdbool.h>

struct mt_mark {
    double nodes, size;
};
/* Zeroed is empty. */
struct mt_mark_list {
    struct mt_mark *marks; /* owned */
    int count;
};

/* Zeroed is empty. */
struct mt_surface_marks {
    struct mt_mark_list ridge; /* the best size of each number of nodes */
    struct mt_mark_list limit; /* the largest that fits into memory, where not all do */
    struct mt_mark_list cliffs; /* pairs: where a small step loses much, from and to */
    struct mt_mark_list overtaken; /* from where on another surface stays the faster */
    bool overtakes[2];             /* which of the two does so anywhere */
};

/* Find what there is to mark, evenly over the map, which is that of the first surface;
   the second is the one that overtakes it or is overtaken; NULL: there is none. `marks`
   must be empty; it is cleared on failure. */
MT_MUST_CHECK int mt_surface_marks_find(struct mt_surface_marks *marks,
                                        const struct mt_surface *const surfaces[2],
                                        const struct mt_surface_map *map,
                                        struct mt_error *err);
void mt_surface_marks_clear(struct mt_surface_marks *marks);

#endif
