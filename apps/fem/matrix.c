/* SPDX-License-Identifier: BSD-3-Clause */
/* The stiffness matrix in block compressed rows (BCSR, 3 x 3), and its product. */
#include "matrix.h"

#include <stdlib.h>

/* Append the columns of the row of the node at `place`, in order, at `start`; returns
   where they end. */
static size_t list_columns(const struct fem_matrix *matrix, const struct fem_mesh *mesh,
                           const int place[3], size_t start)
{
    int other[3], *columns = matrix->columns;
    size_t end = start;
    for (int which = 0; which < FEM_AROUND; which++) {
        fem_box_around(place, which, other);
        if (!fem_box_contains(&mesh->box, other))
            continue;
        const int column = fem_mesh_number(mesh, other);
        size_t at = end++;
        for (; at > start && columns[at - 1] > column; at--)
            columns[at] = columns[at - 1];
        columns[at] = column;
    }
    return end;
}

/* The first of the row's blocks from column `least` on. */
static size_t find_column(const struct fem_matrix *matrix, size_t row, size_t least)
{
    size_t at = matrix->starts[row];
    while (at < matrix->starts[row + 1] && (size_t)matrix->columns[at] < least)
        at++;
    return at;
}

/* Fill in the pattern of blocks; `places`: the own nodes' indices by their numbers. */
static void find_pattern(struct fem_matrix *matrix, const struct fem_mesh *mesh,
                         const size_t *places)
{
    const size_t own = fem_box_own(&mesh->box);
    for (size_t row = 0; row < own; row++) {
        int place[3];
        fem_box_own_place(&mesh->box, places[row], place);
        matrix->starts[row + 1] =
            list_columns(matrix, mesh, place, matrix->starts[row]);
        matrix->diagonal[row] = find_column(matrix, row, row);
        matrix->halo[row] = find_column(matrix, row, own);
    }
}

int fem_matrix_init(struct fem_matrix *matrix, const struct work_node *node,
                    const struct fem_mesh *mesh)
{
    *matrix = (struct fem_matrix){.box = mesh->box, .node = node};
    if (node->model_only)
        return 0;
    const size_t own = fem_box_own(&mesh->box);
    const size_t couplings = fem_box_couplings(&mesh->box);
    size_t *places = calloc(own, sizeof *places);
    matrix->starts = calloc(own + 1, sizeof *matrix->starts);
    matrix->diagonal = calloc(own, sizeof *matrix->diagonal);
    matrix->halo = calloc(own, sizeof *matrix->halo);
    matrix->columns = calloc(couplings, sizeof *matrix->columns);
    matrix->blocks = calloc(couplings, FEM_BLOCK * sizeof *matrix->blocks);
    if (!places || !matrix->starts || !matrix->diagonal || !matrix->halo ||
        !matrix->columns || !matrix->blocks) {
        free(places);
        return -1;
    }
    for (size_t i = 0; i < own; i++) {
        int place[3];
        fem_box_own_place(&mesh->box, i, place);
        places[fem_mesh_number(mesh, place)] = i;
    }
    find_pattern(matrix, mesh, places);
    free(places);
    return 0;
}

void fem_matrix_clear(struct fem_matrix *matrix)
{
    free(matrix->blocks);
    free(matrix->columns);
    free(matrix->halo);
    free(matrix->diagonal);
    free(matrix->starts);
    *matrix = (struct fem_matrix){.node = NULL};
}

double *fem_matrix_block(const struct fem_matrix *matrix, int row, int column)
{
    return matrix->blocks +
           FEM_BLOCK * find_column(matrix, (size_t)row, (size_t)column);
}

struct work fem_matrix_work(const struct fem_box *box)
{
    const double couplings = (double)fem_box_couplings(box);
    const double vectors = 2.0 * 3 * sizeof(double) * (double)fem_box_own(box);
    const double block = FEM_BLOCK * sizeof(double) + sizeof(int);
    return (struct work){.flops = FEM_BLOCK_FLOPS * couplings,
                         .efficiency = 0.25,
                         .working_set = block * couplings + vectors,
                         .bytes = block * couplings + vectors};
}

void fem_matrix_multiply(const struct fem_matrix *matrix, const double *x, double *y)
{
    const struct work product = fem_matrix_work(&matrix->box);
    if (!work_run(matrix->node, &product))
        return;
    const size_t own = fem_box_own(&matrix->box);
    for (size_t row = 0; row < own; row++) {
        double sum[3] = {0};
        for (size_t at = matrix->starts[row]; at < matrix->starts[row + 1]; at++)
            fem_block_multiply(matrix->blocks + FEM_BLOCK * at,
                               x + 3 * (size_t)matrix->columns[at], sum);
        for (int i = 0; i < 3; i++)
            y[3 * row + (size_t)i] = sum[i];
    }
}
