/* SPDX-License-Identifier: BSD-3-Clause */
#include "precondition.h"

#include "vector.h"

#include <stdlib.h>

/* Boxes are thin when they have fewer nodes along an axis. */
enum { THICKNESS = 3 };

/* Of even boxes. */
static bool are_thin(const struct fem_box *box)
{
    bool thin = false;
    for (int axis = 0; axis < 3; axis++)
        if (box->parts[axis] > 1)
            thin = thin || box->nodes[axis] / box->parts[axis] < THICKNESS;
    return thin;
}

/*
 * How much of the first cycle the second one counts on. Where boxes meet, all of them
 * correct the same error. With thin ones, and where uneven ones meet, that is too much
 * of a good thing: without damping, the preconditioner as a whole would not be positive
 * definite.
 */
static double choose_damping(const struct fem_box *box)
{
    const int meeting = fem_box_most_meeting(box);
    return (box->boxes || are_thin(box)) && meeting > 2 ? 2.0 / meeting : 1;
}

enum fem_outcome fem_precondition_init(struct fem_precondition *precondition,
                                       const struct fem_matrix *matrix,
                                       const struct fem_halo *halo)
{
    const size_t own = fem_box_own(&matrix->box);
    *precondition =
        (struct fem_precondition){.matrix = matrix, .halo = halo, .damping = 1};
    if (!matrix->node->model_only) {
        precondition->damping = choose_damping(&matrix->box);
        precondition->rest = calloc(own, 3 * sizeof(double));
        precondition->correction = calloc(own, 3 * sizeof(double));
        if (!precondition->rest || !precondition->correction)
            return FEM_NO_MEMORY;
    }
    return fem_factor_init(&precondition->factor, matrix);
}

void fem_precondition_clear(struct fem_precondition *precondition)
{
    fem_factor_clear(&precondition->factor);
    free(precondition->correction);
    free(precondition->rest);
    *precondition = (struct fem_precondition){.matrix = NULL};
}

void fem_precondition_apply(const struct fem_precondition *precondition,
                            const double *r, double *z)
{
    const struct fem_matrix *matrix = precondition->matrix;
    const struct fem_factor *factor = &precondition->factor;
    const size_t values = 3 * fem_box_own(&matrix->box);
    fem_factor_solve(factor, r, z);
    fem_halo_exchange(precondition->halo, z);
    fem_matrix_multiply(matrix, z, precondition->rest);
    fem_vector_scale_and_add(matrix->node, values, r, -precondition->damping,
                             precondition->rest);
    fem_factor_solve(factor, precondition->rest, precondition->correction);
    fem_vector_add(matrix->node, values, 1, precondition->correction, z);
}

double fem_precondition_flops(const struct fem_box *box)
{
    const double values = 3 * (double)fem_box_own(box);
    return 2 * fem_factor_work(box).flops + fem_matrix_work(box).flops +
           2 * FEM_VECTOR_FLOPS * values;
}
