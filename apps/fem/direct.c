/* SPDX-License-Identifier: BSD-3-Clause */
#include "direct.h"

#include "assemble.h"

#include <lapacke.h>
#include <stdlib.h>

/* The lower band of a symmetric matrix, column by column from the diagonal down. */
struct band {
    int size, below; /* the diagonal */
    double *entries; /* owned */
};

/* The node at a place of the mesh; the clamped ones before the first are negative. */
static int node_at(const int nodes[3], int i, int j, int k)
{
    return (i * nodes[1] + j) * nodes[2] + k;
}

/* Add the element whose first corner is at (i, j, k). */
static void add_element(struct band *band, const int nodes[3], int i, int j, int k,
                        double stiffness[FEM_CORNERS][FEM_CORNERS][3][3])
{
    int unknown[FEM_CORNERS];
    for (int c = 0; c < FEM_CORNERS; c++)
        unknown[c] =
            3 * node_at(nodes, i + fem_element_side(c, 0), j + fem_element_side(c, 1),
                        k + fem_element_side(c, 2));
    for (int a = 0; a < 3 * FEM_CORNERS; a++)
        for (int b = 0; b < 3 * FEM_CORNERS; b++) {
            const int row = unknown[a / 3] + a % 3, column = unknown[b / 3] + b % 3;
            if (column >= 0 && row >= column)
                band->entries[(size_t)column * (size_t)(band->below + 1) +
                              (size_t)(row - column)] +=
                    stiffness[a / 3][b / 3][a % 3][b % 3];
        }
}

static int band_init(struct band *band, const int nodes[3])
{
    double stiffness[FEM_CORNERS][FEM_CORNERS][3][3];
    band->size = 3 * nodes[0] * nodes[1] * nodes[2];
    band->below = 3 * node_at(nodes, 1, 1, 1) + 2;
    band->entries =
        calloc((size_t)band->size * (size_t)(band->below + 1), sizeof *band->entries);
    if (!band->entries)
        return -1;
    fem_assemble_element(stiffness);
    for (int i = -1; i < nodes[0] - 1; i++)
        for (int j = 0; j < nodes[1] - 1; j++)
            for (int k = 0; k < nodes[2] - 1; k++)
                add_element(band, nodes, i, j, k, stiffness);
    return 0;
}

/* The load of each node of the mesh; NULL: memory is short. */
static double *make_load(const int nodes[3])
{
    struct fem_box box;
    fem_box_init(&box, nodes, (const int[3]){1, 1, 1}, 0);
    const size_t own = fem_box_own(&box);
    double *load = calloc(own, 3 * sizeof *load);
    for (size_t i = 0; load && i < own; i++) {
        int place[3];
        fem_box_own_place(&box, i, place);
        fem_assemble_load(&box, place, load + 3 * i);
    }
    return load;
}

double *fem_direct_solve(const int nodes[3])
{
    struct band band;
    double *x = make_load(nodes);
    if (band_init(&band, nodes) || !x ||
        LAPACKE_dpbsv(LAPACK_COL_MAJOR, 'L', band.size, band.below, 1, band.entries,
                      band.below + 1, x, band.size)) {
        free(x);
        x = NULL;
    }
    free(band.entries);
    return x;
}
