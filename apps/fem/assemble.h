/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * assemble.h - a plate or cube of hexahedra, clamped at one end of its first axis and
 * loaded at the other: its stiffness matrix and its load. The clamped nodes do not
 * move, so the mesh leaves them out: the elements there have one layer of corners
 * outside of it.
 */
#ifndef MT_APPS_FEM_ASSEMBLE_H
#define MT_APPS_FEM_ASSEMBLE_H

#include "matrix.h"

/* One hexahedron with trilinear shape functions. */

enum { FEM_CORNERS = 8 };

/* An isotropic linear elastic material. */
struct fem_material {
    double young; /* modulus */
    double poisson;
};

/* The side of a corner along `axis`: 0 or 1. */
int fem_element_side(int corner, int axis);

/* stiffness[one][other], a 3 x 3 block, maps displacements of one corner to forces at
   another; by 2 x 2 x 2 Gauss points. */
void fem_element_stiffness(double corners[FEM_CORNERS][3],
                           const struct fem_material *material,
                           double stiffness[FEM_CORNERS][FEM_CORNERS][3][3]);

/* A mesh of them. */

/* The nodes along each axis of size x size x layers elements. */
void fem_assemble_nodes(int size, int layers, int nodes[3]);

/* The stiffness of each of the elements, unit cubes all of them. */
void fem_assemble_element(double stiffness[FEM_CORNERS][FEM_CORNERS][3][3]);

/* Add the elements' stiffness to `matrix`, which is zero. */
void fem_assemble_matrix(const struct fem_matrix *matrix, const struct fem_mesh *mesh);

/* The force on the node at a place of the box: a unit of force on each unit of area
   pulls at the loaded end, and bends it. */
void fem_assemble_load(const struct fem_box *box, const int place[3], double force[3]);

#endif
