/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.h - a box's rows of the sparse stiffness matrix: a row for each own node,
 * of 3 x 3 blocks in compressed rows.
 */
#ifndef MT_APPS_FEM_MATRIX_H
#define MT_APPS_FEM_MATRIX_H

#include "apps/common/work.h"
#include "mesh.h"

enum { FEM_BLOCK = 9, FEM_BLOCK_FLOPS = 18 };

/*
 * The blocks of row i are starts[i] to starts[i + 1] - 1, in order of their columns:
 * those before the diagonal, the diagonal's at diagonal[i], and those of the halo's
 * nodes from halo[i] on. The arrays are owned; NULL: model only.
 */
struct fem_matrix {
    struct fem_box box;
    const struct work_node *node; /* borrowed */
    size_t *starts, *diagonal, *halo;
    int *columns;
    double *blocks; /* row by row */
};

/* A matrix of zeros with a block for each pair of nodes that share an element. Returns
   0, or -1 when memory is short; the caller clears it, also after a failure. */
int fem_matrix_init(struct fem_matrix *matrix, const struct work_node *node,
                    const struct fem_mesh *mesh);
void fem_matrix_clear(struct fem_matrix *matrix);

/* The block of a row and a column, which must be there. */
double *fem_matrix_block(const struct fem_matrix *matrix, int row, int column);

/* y = A x, x with its halo */
void fem_matrix_multiply(const struct fem_matrix *matrix, const double *x, double *y);
/* The cost of a product. */
struct work fem_matrix_work(const struct fem_box *box);

/* y += B x, B a block */
static inline void fem_block_multiply(const double *block, const double *x, double *y)
{
    for (int i = 0; i < 3; i++, block += 3)
        y[i] += block[0] * x[0] + block[1] * x[1] + block[2] * x[2];
}

#endif
