/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solve.h - the method of conjugate gradients, preconditioned, over all ranks; and a
 * direct solver for comparison, on one rank: Cholesky's factorisation of the whole
 * stiffness matrix, in a band.
 */
#ifndef MT_APPS_FEM_SOLVE_H
#define MT_APPS_FEM_SOLVE_H

#include "factor.h"
#include "halo.h"

/*
 * The preconditioner, additive Schwarz: each rank solves with an incomplete
 * factorisation of its own part of the matrix, twice; between the two cycles,
 * neighbours exchange the result of the first.
 */
struct fem_precondition {
    const struct fem_matrix *matrix; /* borrowed */
    const struct fem_halo *halo;     /* borrowed */
    struct fem_factor factor;
    double damping;
    double *rest, *correction; /* owned; NULL: model only */
};

/* Factorise `matrix`; the caller clears it, also after a failure. */
enum fem_outcome fem_precondition_init(struct fem_precondition *precondition,
                                       const struct fem_matrix *matrix,
                                       const struct fem_halo *halo);
void fem_precondition_clear(struct fem_precondition *precondition);

/* z = M^-1 r; z has room for the halo, which is not up to date afterwards. */
void fem_precondition_apply(const struct fem_precondition *precondition,
                            const double *r, double *z);
/* Operations of that. */
double fem_precondition_flops(const struct fem_box *box);

/* A system to solve, and room for the method's vectors; NULL: model only. */
struct fem_cg {
    const struct fem_precondition *precondition; /* borrowed */
    double *load, *solution;                     /* owned, as all below */
    double *residual, *product;
    double *preconditioned, *direction; /* with halo */
};

/* The load and the solution begin as zeros. Returns 0, or -1 when memory is short; the
   caller clears it, also after a failure. */
int fem_cg_init(struct fem_cg *cg, const struct fem_precondition *precondition);
void fem_cg_clear(struct fem_cg *cg);

/*
 * Solve from zero in at most `iterations`, until the residual's norm is at most
 * `tolerance` times that of the load; 0: never. Returns the number of iterations, and
 * whether it `converged`.
 */
int fem_cg_solve(struct fem_cg *cg, int iterations, double tolerance, bool *converged);

/* The norm of the solution's residual, recomputed, relative to the load's. */
double fem_cg_residual(struct fem_cg *cg);

/* Operations of an iteration. */
double fem_cg_flops(const struct fem_box *box);

/* Displacements, three per node, of a mesh of `nodes` nodes along its axes, the last
   axis fastest; the caller frees them. NULL: out of memory, or the matrix is not
   positive definite. */
double *fem_direct_solve(const int nodes[3]);

#endif
