/* SPDX-License-Identifier: BSD-3-Clause */
/* A process's part of a matrix, and the operations on these parts. */
#include "matmul.h"

#include <cblas.h>

struct matmul_range matmul_range_part(int size, int parts, int index)
{
    const int first = (int)((long)size * index / parts);
    const int end = (int)((long)size * (index + 1) / parts);
    return (struct matmul_range){first, end - first};
}

size_t matmul_block_count(const struct matmul_block *block)
{
    return (size_t)block->rows.count * (size_t)block->columns.count;
}

void matmul_block_fill(struct matmul_block *block, const struct linear_system *matrix)
{
    double *value = block->values;
    for (int i = 0; i < block->rows.count; i++)
        for (int j = 0; j < block->columns.count; j++)
            *value++ = linear_system_entry(matrix, block->rows.first + i,
                                           block->columns.first + j);
}

void matmul_block_zero(struct matmul_block *block)
{
    const size_t count = matmul_block_count(block);
    for (size_t i = 0; i < count; i++)
        block->values[i] = 0;
}

/* Plain on purpose: b is traversed for every row of a, so cache sizes matter. */
static void multiply_plainly(const double *a, int stride, const struct matmul_block *b,
                             struct matmul_block *sum)
{
    const int columns = sum->columns.count;
    for (int i = 0; i < sum->rows.count; i++) {
        double *restrict sums = sum->values + (size_t)i * (size_t)columns;
        for (int k = 0; k < b->rows.count; k++) {
            const double factor = a[(size_t)i * (size_t)stride + (size_t)k];
            const double *restrict row = b->values + (size_t)k * (size_t)columns;
            for (int j = 0; j < columns; j++)
                sums[j] += factor * row[j];
        }
    }
}

void matmul_block_multiply(const struct work_node *node, bool blas,
                           const struct matmul_block *a, const struct matmul_block *b,
                           struct matmul_block *sum)
{
    const int rows = sum->rows.count, columns = sum->columns.count;
    const int inner = b->rows.count, stride = a->columns.count;
    const double steps = (double)rows * columns * inner;
    const size_t values =
        matmul_block_count(a) + matmul_block_count(b) + matmul_block_count(sum);
    const struct work plain = {.flops = 2 * steps,
                               .efficiency = 0.5,
                               .working_set = 8 * (double)values,
                               .bytes =
                                   8 * (steps + (double)rows * (2 * columns + inner))};
    const struct work blocked = {.flops = 2 * steps, .efficiency = 1};
    if (!work_run(node, blas ? &blocked : &plain))
        return;
    const double *first = a->values + (b->rows.first - a->columns.first);
    if (blas)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, inner, 1,
                    first, stride, b->values, columns, 1, sum->values, columns);
    else
        multiply_plainly(first, stride, b, sum);
}

void matmul_block_add(const struct work_node *node, const struct matmul_block *other,
                      struct matmul_block *sum)
{
    const size_t count = matmul_block_count(sum);
    /* An addition takes as long as a step of the plain multiplication. */
    const struct work work = {.flops = (double)count,
                              .efficiency = 0.25,
                              .working_set = 16 * (double)count,
                              .bytes = 24 * (double)count};
    if (work_run(node, &work))
        cblas_daxpy((int)count, 1, other->values, 1, sum->values, 1);
}
