/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surface_mesh.h - a surface as a mesh over numbers of nodes and sizes, for the picture
 * in perspective.
 */
#ifndef MT_CLI_SURFACE_MESH_H
#define MT_CLI_SURFACE_MESH_H

#include "map.h"
#include "motley/error.h"
#include "picture.h"

/* Zeroed is empty. */
struct mt_mesh {
    double *nodes, *sizes; /* owned; ascending, of the columns and of the rows */
    int columns, rows;     /* at least two of each */
    double *efficiency;    /* owned; [row * columns + column]; NaN: none */
};

/* The mesh of a map's cells. `mesh` must be empty, and is after a failure. */
MT_MUST_CHECK int mt_mesh_of_map(struct mt_mesh *mesh, const struct mt_surface_map *map,
                                 struct mt_error *err);
/* The mesh of what was measured: its columns and rows are the numbers of nodes and the
   sizes that occur. MT_EINVAL when these are not two of each. */
MT_MUST_CHECK int mt_mesh_of_points(struct mt_mesh *mesh,
                                    const struct mt_measured_point *points, int count,
                                    struct mt_error *err);
/* The map of so many cells, each of which has the nearest value of the mesh. `map` must
   be empty, and is after a failure. */
MT_MUST_CHECK int mt_mesh_to_map(struct mt_surface_map *map, const struct mt_mesh *mesh,
                                 int columns, int rows, struct mt_error *err);
void mt_mesh_clear(struct mt_mesh *mesh);

/* What a mesh spans. */
struct mt_span mt_mesh_nodes(const struct mt_mesh *mesh);
struct mt_span mt_mesh_sizes(const struct mt_mesh *mesh);

#endif
