/* SPDX-License-Identifier: BSD-3-Clause */
#include "element.h"

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

/* The gradients of the corners' shape functions in space; returns the volume that a
   unit of the reference cube has at this point. */
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
