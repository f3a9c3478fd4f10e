/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mesh.h - the numbers of a box's nodes: the own ones come first, in reverse
 * Cuthill-McKee order, then those of the halo.
 */
#ifndef MT_APPS_FEM_MESH_H
#define MT_APPS_FEM_MESH_H

#include "box.h"

#include <stddef.h>

struct fem_mesh {
    struct fem_box box;
    int *number; /* owned; of the node at an index of the box */
};

/* Number the nodes of `box`. Returns 0, or -1 when memory is short: empty then. */
int fem_mesh_init(struct fem_mesh *mesh, const struct fem_box *box);
void fem_mesh_clear(struct fem_mesh *mesh);

/* The number of the node at a place of the box. */
int fem_mesh_number(const struct fem_mesh *mesh, const int place[3]);

/* Node i's neighbours are neighbours[starts[i]] to neighbours[starts[i + 1] - 1]. */
struct fem_graph {
    int nodes;
    size_t *starts;  /* owned; nodes + 1 */
    int *neighbours; /* owned */
};

/* Find the reverse Cuthill-McKee order, which gives neighbours close numbers: order[i]
   becomes the i-th node. Returns 0, or -1 if out of memory. */
int fem_order_find(const struct fem_graph *graph, int *order);

#endif
