/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear_system.h - a dense random system A x = b whose entries any process can compute
 * at any time, and the residual of an x.
 */
#ifndef MT_APPS_LINEAR_SYSTEM_H
#define MT_APPS_LINEAR_SYSTEM_H

#include <mpi.h>

/* A residual of at least this means that the solver is wrong (HPL's threshold). */
enum { LINEAR_SYSTEM_TOLERANCE = 16 };

struct linear_system {
    int size;      /* less than 2^24 */
    unsigned seed; /* less than 2^16: another seed makes another system */
};

/* Row `row` of A's column `column`, in [-0.5, 0.5); column `size` is b. */
double linear_system_entry(const struct linear_system *system, int row, int column);

/*
 * HPL's scaled residual ||Ax - b|| / (eps (||A|| ||x|| + ||b||) size), with the maximum
 * norms and eps = 2^-53; NaN when x is not finite, and when memory is short. `x` is the
 * same on all ranks, which share the work; the result is, too.
 */
double linear_system_residual(const struct linear_system *system, const double *x,
                              MPI_Comm comm);

#endif
