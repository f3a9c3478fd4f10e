/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * factor.h - block incomplete Cholesky without fill-in, BIC(0), of a rank's own
 * part of the matrix: (D + L) D^-1 (D + L^T), where L has blocks only where the matrix
 * has some.
 */
#ifndef MT_APPS_FEM_FACTOR_H
#define MT_APPS_FEM_FACTOR_H

#include "matrix.h"

/* The blocks of L's row i are starts[i] to starts[i + 1] - 1, in order of their
   columns. The arrays are owned; NULL: model only. */
struct fem_factor {
    struct fem_box box;
    const struct work_node *node; /* borrowed */
    size_t *starts;
    int *columns;
    double *lower;
    double *inverses; /* D's blocks, inverted */
    double *sums;     /* of the backward substitution */
};

enum fem_outcome { FEM_DONE, FEM_NO_MEMORY, FEM_NOT_DEFINITE };

/* Factorise; the caller clears it, also after a failure. */
enum fem_outcome fem_factor_init(struct fem_factor *factor,
                                 const struct fem_matrix *matrix);
void fem_factor_clear(struct fem_factor *factor);

/* Solve by forward and backward substitution; z's halo is left alone. */
void fem_factor_solve(const struct fem_factor *factor, const double *r, double *z);
/* The cost of a factorisation. */
struct work fem_factor_work(const struct fem_box *box);

#endif
