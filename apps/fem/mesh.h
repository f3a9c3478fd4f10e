/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fem_mesh.h - the numbers of a box's nodes: the own ones come first, in reverse
 * Cuthill-McKee order, then those of the halo.
 */
#ifndef MT_APPS_FEM_MESH_H
#define MT_APPS_FEM_MESH_H

#include "box.h"

struct fem_mesh {
    struct fem_box box;
    int *number; /* owned; of the node at an index of the box */
};

/* Number the nodes of `box`. Returns 0, or -1 when memory is short: empty then. */
int fem_mesh_init(struct fem_mesh *mesh, const struct fem_box *box);
void fem_mesh_clear(struct fem_mesh *mesh);

/* The number of the node at a place of the box. */
int fem_mesh_number(const struct fem_mesh *mesh, const int place[3]);

#endif
