/* SPDX-License-Identifier: BSD-3-Clause */
/* Block incomplete Cholesky factorisation without fill-in, BIC(0), and its solution. */
#include "factor.h"

#include <stdlib.h>
#include <string.h>

/* Inverts a symmetric block; returns whether it is positive definite. */
static bool invert(const double *a, double *inverse)
{
    const double minor = a[0] * a[4] - a[1] * a[3];
    inverse[0] = a[4] * a[8] - a[5] * a[7];
    inverse[1] = inverse[3] = a[2] * a[7] - a[1] * a[8];
    inverse[2] = inverse[6] = a[1] * a[5] - a[2] * a[4];
    inverse[4] = a[0] * a[8] - a[2] * a[6];
    inverse[5] = inverse[7] = a[2] * a[3] - a[0] * a[5];
    inverse[8] = minor;
    const double determinant =
        a[0] * inverse[0] + a[1] * inverse[3] + a[2] * inverse[6];
    for (int i = 0; i < FEM_BLOCK; i++)
        inverse[i] /= determinant;
    return a[0] > 0 && minor > 0 && determinant > 0;
}

/* a -= B C E^T, all of them blocks */
static void subtract_product(double *a, const double *b, const double *c,
                             const double *e)
{
    double product[FEM_BLOCK] = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                product[3 * i + j] += b[3 * i + k] * c[3 * k + j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                a[3 * i + j] -= product[3 * i + k] * e[3 * j + k];
}

/* Compute L's block `at`, which still is the matrix's, in the row that begins at
   `start`: eliminate the columns before it that its row and the row of its column have
   in common. */
static void eliminate(const struct fem_factor *factor, size_t start, size_t at)
{
    const size_t other = (size_t)factor->columns[at];
    size_t i = start, j = factor->starts[other];
    while (i < at && j < factor->starts[other + 1]) {
        const int here = factor->columns[i], there = factor->columns[j];
        if (here == there)
            subtract_product(factor->lower + FEM_BLOCK * at,
                             factor->lower + FEM_BLOCK * i,
                             factor->inverses + FEM_BLOCK * (size_t)here,
                             factor->lower + FEM_BLOCK * j);
        i += here <= there;
        j += there <= here;
    }
}

static bool factorise(const struct fem_factor *factor, const struct fem_matrix *matrix)
{
    const size_t own = fem_box_own(&factor->box);
    for (size_t row = 0; row < own; row++) {
        const size_t start = factor->starts[row], end = factor->starts[row + 1];
        double diagonal[FEM_BLOCK];
        memcpy(diagonal, matrix->blocks + FEM_BLOCK * matrix->diagonal[row],
               sizeof diagonal);
        for (size_t at = start; at < end; at++) {
            const double *block = factor->lower + FEM_BLOCK * at;
            eliminate(factor, start, at);
            subtract_product(diagonal, block,
                             factor->inverses + FEM_BLOCK * (size_t)factor->columns[at],
                             block);
        }
        if (!invert(diagonal, factor->inverses + FEM_BLOCK * row))
            return false;
    }
    return true;
}

/* Copy the blocks below the matrix's diagonal. */
static void copy_lower(struct fem_factor *factor, const struct fem_matrix *matrix)
{
    const size_t own = fem_box_own(&factor->box);
    for (size_t row = 0; row < own; row++) {
        const size_t from = matrix->starts[row], to = factor->starts[row];
        const size_t count = matrix->diagonal[row] - from;
        memcpy(factor->columns + to, matrix->columns + from,
               count * sizeof *factor->columns);
        memcpy(factor->lower + FEM_BLOCK * to, matrix->blocks + FEM_BLOCK * from,
               count * FEM_BLOCK * sizeof *factor->lower);
        factor->starts[row + 1] = to + count;
    }
}

/* Blocks below the diagonal. */
static size_t count_lower(const struct fem_box *box)
{
    return (fem_box_own_couplings(box) - fem_box_own(box)) / 2;
}

enum fem_outcome fem_factor_init(struct fem_factor *factor,
                                 const struct fem_matrix *matrix)
{
    const size_t own = fem_box_own(&matrix->box), lower = count_lower(&matrix->box);
    *factor = (struct fem_factor){.box = matrix->box, .node = matrix->node};
    if (matrix->node->model_only)
        return FEM_DONE;
    factor->starts = calloc(own + 1, sizeof *factor->starts);
    factor->columns = calloc(lower + 1, sizeof *factor->columns);
    factor->lower = calloc(lower + 1, FEM_BLOCK * sizeof *factor->lower);
    factor->inverses = calloc(own, FEM_BLOCK * sizeof *factor->inverses);
    factor->sums = calloc(own, 3 * sizeof *factor->sums);
    if (!factor->starts || !factor->columns || !factor->lower || !factor->inverses ||
        !factor->sums)
        return FEM_NO_MEMORY;
    copy_lower(factor, matrix);
    return factorise(factor, matrix) ? FEM_DONE : FEM_NOT_DEFINITE;
}

void fem_factor_clear(struct fem_factor *factor)
{
    free(factor->sums);
    free(factor->inverses);
    free(factor->lower);
    free(factor->columns);
    free(factor->starts);
    *factor = (struct fem_factor){.node = NULL};
}

/* z = (D + L)^-1 r */
static void substitute_forward(const struct fem_factor *factor, const double *r,
                               double *z)
{
    const size_t own = fem_box_own(&factor->box);
    for (size_t row = 0; row < own; row++) {
        double known[3] = {0}, rest[3], *here = z + 3 * row;
        for (size_t at = factor->starts[row]; at < factor->starts[row + 1]; at++)
            fem_block_multiply(factor->lower + FEM_BLOCK * at,
                               z + 3 * (size_t)factor->columns[at], known);
        for (size_t i = 0; i < 3; i++) {
            rest[i] = r[3 * row + i] - known[i];
            here[i] = 0;
        }
        fem_block_multiply(factor->inverses + FEM_BLOCK * row, rest, here);
    }
}

/* y += B^T x, B a block */
static void multiply_transposed(const double *block, const double *x, double *y)
{
    for (int j = 0; j < 3; j++)
        y[j] += block[j] * x[0] + block[3 + j] * x[1] + block[6 + j] * x[2];
}

/* z = (I + D^-1 L^T)^-1 z: each row's solution is subtracted from the rows above, as
   only L's rows are stored. */
static void substitute_backward(const struct fem_factor *factor, double *z)
{
    const size_t own = fem_box_own(&factor->box);
    memset(factor->sums, 0, own * 3 * sizeof *factor->sums);
    for (size_t row = own; row-- > 0;) {
        double change[3] = {0}, *here = z + 3 * row;
        fem_block_multiply(factor->inverses + FEM_BLOCK * row, factor->sums + 3 * row,
                           change);
        for (size_t i = 0; i < 3; i++)
            here[i] -= change[i];
        for (size_t at = factor->starts[row]; at < factor->starts[row + 1]; at++)
            multiply_transposed(factor->lower + FEM_BLOCK * at, here,
                                factor->sums + 3 * (size_t)factor->columns[at]);
    }
}

struct work fem_factor_work(const struct fem_box *box)
{
    const double own = (double)fem_box_own(box), lower = (double)count_lower(box);
    const double block = FEM_BLOCK * sizeof(double);
    const double vectors = 3.0 * 3 * sizeof(double) * own;
    const double bytes = (block + sizeof(int)) * lower + block * own + vectors;
    /* All of it passes forward and backward. */
    return (struct work){.flops = 2 * FEM_BLOCK_FLOPS * (lower + own),
                         .efficiency = 0.2,
                         .working_set = bytes,
                         .bytes = 2 * bytes};
}

void fem_factor_solve(const struct fem_factor *factor, const double *r, double *z)
{
    const struct work work = fem_factor_work(&factor->box);
    if (!work_run(factor->node, &work))
        return;
    substitute_forward(factor, r, z);
    substitute_backward(factor, z);
}
