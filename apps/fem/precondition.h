/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * precondition.h - additive Schwarz: each rank solves with an incomplete
 * factorisation of its own part of the matrix, twice; between the two cycles,
 * neighbours learn what the first one came to.
 */
#ifndef MT_APPS_FEM_PRECONDITION_H
#define MT_APPS_FEM_PRECONDITION_H

#include "factor.h"
#include "halo.h"

struct fem_precondition {
    const struct fem_matrix *matrix; /* borrowed */
    const struct fem_halo *halo;     /* borrowed */
    struct fem_factor factor;
    double damping;
    double *rest, *correction; /* owned; NULL: model only */
};

/* Factorise `matrix`; to be cleared in any case. */
enum fem_outcome fem_precondition_init(struct fem_precondition *precondition,
                                       const struct fem_matrix *matrix,
                                       const struct fem_halo *halo);
void fem_precondition_clear(struct fem_precondition *precondition);

/* z = M^-1 r; z has room for the halo, which is not up to date afterwards. */
void fem_precondition_apply(const struct fem_precondition *precondition,
                            const double *r, double *z);
/* Operations of that. */
double fem_precondition_flops(const struct fem_box *box);

#endif
