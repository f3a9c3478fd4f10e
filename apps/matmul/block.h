/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matmul_block.h - a process's part of a matrix, and what is done with such parts when
 * matrices are multiplied.
 */
#ifndef MT_APPS_MATMUL_BLOCK_H
#define MT_APPS_MATMUL_BLOCK_H

#include "apps/common/linear_system.h"
#include "apps/common/work.h"

#include <stdbool.h>
#include <stddef.h>

/* Rows, or columns, of a matrix. */
struct matmul_range {
    int first, count;
};

/* Values row by row, each row as long as there are columns. */
struct matmul_block {
    struct matmul_range rows, columns;
    double *values; /* NULL: model only */
};

/* Part `index` of 0 to `size` - 1 in so many parts, none more than one longer than
   another. */
struct matmul_range matmul_range_part(int size, int parts, int index);

/* Values of a block. */
size_t matmul_block_count(const struct matmul_block *block);
/* Fill a block with the values that the coefficients of `matrix` have there. */
void matmul_block_fill(struct matmul_block *block, const struct linear_system *matrix);
void matmul_block_zero(struct matmul_block *block);

/* sum += (those columns of a that are b's rows) b, by plain loops or by the BLAS. */
void matmul_block_multiply(const struct work_node *node, bool blas,
                           const struct matmul_block *a, const struct matmul_block *b,
                           struct matmul_block *sum);
/* sum += other, which is as large. */
void matmul_block_add(const struct work_node *node, const struct matmul_block *other,
                      struct matmul_block *sum);

#endif
