/* SPDX-License-Identifier: BSD-3-Clause */
#include "assemble.h"

static const struct fem_material material = {.young = 1, .poisson = 0.3};

static const double load[3] = {0.8, 0, -0.6};

void fem_assemble_nodes(int size, int layers, int nodes[3])
{
    nodes[0] = size;
    nodes[1] = size + 1;
    nodes[2] = layers + 1;
}

void fem_assemble_element(double stiffness[FEM_CORNERS][FEM_CORNERS][3][3])
{
    double corners[FEM_CORNERS][3];
    for (int corner = 0; corner < FEM_CORNERS; corner++)
        for (int axis = 0; axis < 3; axis++)
            corners[corner][axis] = fem_element_side(corner, axis);
    fem_element_stiffness(corners, &material, stiffness);
}

/* Where the first corner of the element is that has its corner `corner` at `place`;
   returns whether there is such an element. */
static bool find_element(const struct fem_box *box, const int place[3], int corner,
                         int origin[3])
{
    bool exists = true;
    for (int axis = 0; axis < 3; axis++) {
        origin[axis] = place[axis] - fem_element_side(corner, axis);
        const int first = box->first[axis] + origin[axis];
        const int clamped = axis == 0 ? -1 : 0;
        exists = exists && first >= clamped && first + 1 < box->nodes[axis];
    }
    return exists;
}

/* Add the row of blocks of an element's corner to the row of its node. */
static void add_element(const struct fem_matrix *matrix, const struct fem_mesh *mesh,
                        int row, const int origin[3], double stiffness[][3][3])
{
    for (int corner = 0; corner < FEM_CORNERS; corner++) {
        int place[3];
        for (int axis = 0; axis < 3; axis++)
            place[axis] = origin[axis] + fem_element_side(corner, axis);
        if (!fem_box_contains(&mesh->box, place))
            continue; /* clamped */
        double *block = fem_matrix_block(matrix, row, fem_mesh_number(mesh, place));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                block[3 * i + j] += stiffness[corner][i][j];
    }
}

void fem_assemble_matrix(const struct fem_matrix *matrix, const struct fem_mesh *mesh)
{
    double stiffness[FEM_CORNERS][FEM_CORNERS][3][3];
    const size_t own = fem_box_own(&mesh->box);
    fem_assemble_element(stiffness);
    for (size_t i = 0; i < own; i++) {
        int place[3], origin[3];
        fem_box_own_place(&mesh->box, i, place);
        for (int corner = 0; corner < FEM_CORNERS; corner++)
            if (find_element(&mesh->box, place, corner, origin))
                add_element(matrix, mesh, fem_mesh_number(mesh, place), origin,
                            stiffness[corner]);
    }
}

/* The share of a unit load along an axis that a node has: half of it from each of the
   elements beside it. */
static double share(const struct fem_box *box, int axis, int place)
{
    const int node = box->first[axis] + place;
    return (node > 0 ? 0.5 : 0) + (node < box->nodes[axis] - 1 ? 0.5 : 0);
}

void fem_assemble_load(const struct fem_box *box, const int place[3], double force[3])
{
    const bool loaded = box->first[0] + place[0] == box->nodes[0] - 1;
    const double area = share(box, 1, place[1]) * share(box, 2, place[2]);
    for (int i = 0; i < 3; i++)
        force[i] = loaded ? area * load[i] : 0;
}
