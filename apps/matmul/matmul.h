/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matmul.h - the product C = A B of square matrices on many processes: what its two
 * methods have in common.
 */
#ifndef MT_APPS_MATMUL_H
#define MT_APPS_MATMUL_H

#include "block.h"

struct matmul {
    struct work_node node;
    int size; /* of the matrices */
    int blas; /* a flag: multiply by the BLAS */
    int rank, ranks;
    int parts[2];                /* that rows and columns of a matrix are cut into */
    struct matmul_block a, b, c; /* this process's parts; b changes hands */
    struct matmul_block guest;   /* what comes from another process */
    struct matmul_block partial; /* a sum of products that are not c's; grid only */
};

/* A method: how the matrices are laid out, and how that comes to their product. */
struct matmul_method {
    const char *name;
    /* Set `parts`; false when there is no way for so many ranks. */
    bool (*cut)(struct matmul *matmul);
    /* Say which parts of the matrices are this process's. A block without rows is not
       needed. */
    void (*lay_out)(struct matmul *matmul);
    /* Add the process's part of the product to c. */
    void (*multiply)(struct matmul *matmul);
};

/* A: rows, which pass from process to process in a ring. */
extern const struct matmul_method matmul_ring;
/* B: blocks, on a square grid of processes. */
extern const struct matmul_method matmul_grid;

#endif
