/* SPDX-License-Identifier: BSD-3-Clause */
/* The stiffness of a hexahedron with trilinear shape functions, by Gauss points, and of
   a mesh of them. */
#include "assemble.h"

#include <math.h>
#include <string.h>

enum { GAUSS_POINTS = 8 };

int fem_element_side(int corner, int axis)
{
    return corner >> axis & 1;
}

/* -1 or 1 */
static double direction(int corner, int axis)
{
    return 2 * fem_element_side(corner, axis) - 1;
}

/* The derivatives of the corners' shape functions (1 +- r)(1 +- s)(1 +- t) / 8. */
static void derive_shapes(const double point[3], double slopes[FEM_CORNERS][3])
{
    for (int corner = 0; corner < FEM_CORNERS; corner++)
        for (int axis = 0; axis < 3; axis++) {
            slopes[corner][axis] = direction(corner, axis) / 2;
            for (int other = 0; other < 3; other++)
                if (other != axis)
                    slopes[corner][axis] *=
                        (1 + direction(corner, other) * point[other]) / 2;
        }
}

/* Inverts a 3 x 3 matrix; returns its determinant. */
static double invert(double a[3][3], double inverse[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            inverse[j][i] = a[i1][j1] * a[i2][j2] - a[i1][j2] * a[i2][j1];
        }
    const double determinant =
        a[0][0] * inverse[0][0] + a[0][1] * inverse[1][0] + a[0][2] * inverse[2][0];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inverse[i][j] /= determinant;
    return determinant;
}

/* The gradients of the corners' shape functions in space; returns the volume of a unit
   of the reference cube at this point. */
static double find_gradients(double corners[FEM_CORNERS][3], const double point[3],
                             double gradients[FEM_CORNERS][3])
{
    double slopes[FEM_CORNERS][3], jacobian[3][3] = {{0}}, inverse[3][3];
    derive_shapes(point, slopes);
    for (int corner = 0; corner < FEM_CORNERS; corner++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                jacobian[i][j] += slopes[corner][i] * corners[corner][j];
    const double volume = invert(jacobian, inverse);
    for (int corner = 0; corner < FEM_CORNERS; corner++)
        for (int i = 0; i < 3; i++) {
            gradients[corner][i] = 0;
            for (int j = 0; j < 3; j++)
                gradients[corner][i] += inverse[i][j] * slopes[corner][j];
        }
    return volume;
}

/* Add a Gauss point's share of the block of two corners with gradients `a` and `b`. */
static void add_share(double block[3][3], const double a[3], const double b[3],
                      double lambda, double shear)
{
    const double product = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            block[i][j] += lambda * a[i] * b[j] + shear * a[j] * b[i];
        block[i][i] += shear * product;
    }
}

void fem_element_stiffness(double corners[FEM_CORNERS][3],
                           const struct fem_material *material,
                           double stiffness[FEM_CORNERS][FEM_CORNERS][3][3])
{
    /* Lame's constants */
    const double shear = material->young / (2 * (1 + material->poisson));
    const double lambda = 2 * shear * material->poisson / (1 - 2 * material->poisson);

    memset(stiffness, 0, sizeof(double[FEM_CORNERS][FEM_CORNERS][3][3]));
    for (int gauss = 0; gauss < GAUSS_POINTS; gauss++) {
        double point[3], gradients[FEM_CORNERS][3];
        for (int axis = 0; axis < 3; axis++)
            point[axis] = direction(gauss, axis) / sqrt(3);
        const double volume = find_gradients(corners, point, gradients);
        for (int a = 0; a < FEM_CORNERS; a++)
            for (int b = 0; b < FEM_CORNERS; b++)
                add_share(stiffness[a][b], gradients[a], gradients[b], volume * lambda,
                          volume * shear);
    }
}

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

/* Find the first corner of the element whose corner `corner` is at `place`; return
   whether that element exists. */
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

/* A node's share of a unit load along an axis: half of it from each adjacent
   element. */
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
