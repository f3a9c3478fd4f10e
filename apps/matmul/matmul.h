/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matmul.h - the product C = A B of square matrices on many processes: the common part
 * of its two methods, as a process's parts of matrices (block.c).
 */
#ifndef MT_APPS_MATMUL_H
#define MT_APPS_MATMUL_H

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

/* Part `index` (0 to `parts` - 1) of 0 to `size` - 1, cut into `parts` parts whose
   lengths differ by at most one. */
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

struct matmul {
    struct work_node node;
    int size; /* of the matrices */
    int blas; /* a flag: multiply by the BLAS */
    int rank, ranks;
    int parts[2];                /* that rows and columns of a matrix are cut into */
    struct matmul_block a, b, c; /* this process's parts; b changes hands */
    struct matmul_block guest;   /* data from another process */
    struct matmul_block partial; /* a sum of products for another process's block; grid
                                    only */
};

/* A method: the layout of the matrices, and the computation of their product. */
struct matmul_method {
    const char *name;
    /* Set `parts`; false: the method cannot use this number of ranks. */
    bool (*cut)(struct matmul *matmul);
    /* Set this process's parts of the matrices. A block without rows is not needed. */
    void (*lay_out)(struct matmul *matmul);
    /* Add the process's part of the product to c. */
    void (*multiply)(struct matmul *matmul);
};

/* A: rows, which pass from process to process in a ring. */
extern const struct matmul_method matmul_ring;
/* B: blocks, on a square grid of processes. */
extern const struct matmul_method matmul_grid;

#endif
