/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fem_direct.h - the displacements of a small mesh by a direct solver, for comparison:
 * Cholesky's factorisation of the whole stiffness matrix, in a band, on one rank.
 */
#ifndef MT_APPS_FEM_DIRECT_H
#define MT_APPS_FEM_DIRECT_H

/* Displacements, three a node, of a mesh with so many nodes along its axes, the last
   axis fastest; to be released by free(). NULL: memory is short, or the matrix is not
   positive definite. */
double *fem_direct_solve(const int nodes[3]);

#endif
