/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * element.h - the stiffness of one hexahedron with trilinear shape functions.
 */
#ifndef MT_APPS_FEM_ELEMENT_H
#define MT_APPS_FEM_ELEMENT_H

enum { FEM_CORNERS = 8 };

/* An isotropic linear elastic material. */
struct fem_material {
    double young; /* modulus */
    double poisson;
};

/* On which side along `axis` a corner is: 0 or 1. */
int fem_element_side(int corner, int axis);

/* The forces at a corner by displacements of another are stiffness[one][other], a
   3 x 3 block; by 2 x 2 x 2 Gauss points. */
void fem_element_stiffness(double corners[FEM_CORNERS][3],
                           const struct fem_material *material,
                           double stiffness[FEM_CORNERS][FEM_CORNERS][3][3]);

#endif
