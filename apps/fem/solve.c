/* SPDX-License-Identifier: BSD-3-Clause */
/* The method of conjugate gradients over all ranks, its preconditioner (additive
   Schwarz), and Cholesky's factorisation of the whole matrix for comparison. */
#include "solve.h"

#include "apps/common/work.h"
#include "assemble.h"

#include <lapacke.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Per operation on a value of a vector. */
enum { VECTOR_FLOPS = 2 };

/* Charge the time of `streams` reads and writes of vectors; returns whether to run the
   code. */
static bool charge(const struct work_node *node, size_t count, int streams)
{
    const double bytes = 8.0 * streams * (double)count;
    return work_run(node, &(struct work){.flops = VECTOR_FLOPS * (double)count,
                                         .efficiency = 0.1,
                                         .working_set = bytes,
                                         .bytes = bytes});
}

static double vector_dot(const struct work_node *node, size_t count, const double *a,
                         const double *b)
{
    double sum = 0;
    if (charge(node, count, 2))
        for (size_t i = 0; i < count; i++)
            sum += a[i] * b[i];
    return sum;
}

static void vector_add(const struct work_node *node, size_t count, double factor,
                       const double *a, double *y)
{
    if (charge(node, count, 3))
        for (size_t i = 0; i < count; i++)
            y[i] += factor * a[i];
}

static void vector_scale_and_add(const struct work_node *node, size_t count,
                                 const double *a, double factor, double *y)
{
    if (charge(node, count, 3))
        for (size_t i = 0; i < count; i++)
            y[i] = a[i] + factor * y[i];
}

/* Boxes are thin when they have fewer nodes along an axis. */
enum { THICKNESS = 3 };

/* Whether even boxes are thin. */
static bool are_thin(const struct fem_box *box)
{
    bool thin = false;
    for (int axis = 0; axis < 3; axis++)
        if (box->parts[axis] > 1)
            thin = thin || box->nodes[axis] / box->parts[axis] < THICKNESS;
    return thin;
}

/*
 * The weight of the first cycle in the second one. Where boxes meet, all of them
 * correct the same error. With thin or uneven boxes, that overcorrects: without
 * damping, the whole preconditioner would not be positive definite.
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
    vector_scale_and_add(matrix->node, values, r, -precondition->damping,
                         precondition->rest);
    fem_factor_solve(factor, precondition->rest, precondition->correction);
    vector_add(matrix->node, values, 1, precondition->correction, z);
}

double fem_precondition_flops(const struct fem_box *box)
{
    const double values = 3 * (double)fem_box_own(box);
    return 2 * fem_factor_work(box).flops + fem_matrix_work(box).flops +
           2 * VECTOR_FLOPS * values;
}

/* Operations per iteration. */
enum { DOTS = 3, ADDITIONS = 3 };

int fem_cg_init(struct fem_cg *cg, const struct fem_precondition *precondition)
{
    const struct fem_matrix *matrix = precondition->matrix;
    const size_t own = 3 * fem_box_own(&matrix->box);
    const size_t all = 3 * fem_box_all(&matrix->box);
    *cg = (struct fem_cg){.precondition = precondition};
    if (matrix->node->model_only)
        return 0;
    cg->load = calloc(own, sizeof *cg->load);
    cg->solution = calloc(all, sizeof *cg->solution);
    cg->residual = calloc(own, sizeof *cg->residual);
    cg->product = calloc(own, sizeof *cg->product);
    cg->preconditioned = calloc(all, sizeof *cg->preconditioned);
    cg->direction = calloc(all, sizeof *cg->direction);
    return cg->load && cg->solution && cg->residual && cg->product &&
                   cg->preconditioned && cg->direction
               ? 0
               : -1;
}

void fem_cg_clear(struct fem_cg *cg)
{
    free(cg->direction);
    free(cg->preconditioned);
    free(cg->product);
    free(cg->residual);
    free(cg->solution);
    free(cg->load);
    *cg = (struct fem_cg){.precondition = NULL};
}

/* A residual of exactly zero leaves no direction: nothing changes any more. */
static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/* direction = preconditioned residual + a multiple of the last direction, for
   conjugacy */
static void choose_direction(struct fem_cg *cg, double factor)
{
    const struct fem_matrix *matrix = cg->precondition->matrix;
    vector_scale_and_add(matrix->node, 3 * fem_box_own(&matrix->box),
                         cg->preconditioned, factor, cg->direction);
}

/* Go along the direction to the minimum of the error; `descent`: the residual times the
   preconditioned one. */
static void step(struct fem_cg *cg, double descent)
{
    const struct fem_matrix *matrix = cg->precondition->matrix;
    const struct fem_halo *halo = cg->precondition->halo;
    const size_t own = 3 * fem_box_own(&matrix->box);
    fem_halo_exchange(halo, cg->direction);
    fem_matrix_multiply(matrix, cg->direction, cg->product);
    double curvature = vector_dot(matrix->node, own, cg->direction, cg->product);
    MPI_Allreduce(MPI_IN_PLACE, &curvature, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    const double length = ratio(descent, curvature);
    vector_add(matrix->node, own, length, cg->direction, cg->solution);
    vector_add(matrix->node, own, -length, cg->product, cg->residual);
}

/* Begin with a solution of zero. */
static void start(struct fem_cg *cg)
{
    const size_t bytes =
        3 * sizeof(double) * fem_box_own(&cg->precondition->matrix->box);
    if (!cg->load)
        return;
    memset(cg->solution, 0, bytes);
    memset(cg->direction, 0, bytes);
    memcpy(cg->residual, cg->load, bytes);
}

int fem_cg_solve(struct fem_cg *cg, int iterations, double tolerance, bool *converged)
{
    const struct fem_matrix *matrix = cg->precondition->matrix;
    const size_t own = 3 * fem_box_own(&matrix->box);
    double enough = 0, last_descent = 0;
    start(cg);
    *converged = false;
    for (int i = 0; i < iterations; i++) {
        fem_precondition_apply(cg->precondition, cg->residual, cg->preconditioned);
        double sums[2] = {
            vector_dot(matrix->node, own, cg->residual, cg->preconditioned),
            vector_dot(matrix->node, own, cg->residual, cg->residual)};
        MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        const double descent = sums[0], norm = sqrt(sums[1]);
        if (i == 0)
            enough = tolerance * norm; /* the residual is still the load */
        else if (tolerance > 0 && norm <= enough) {
            *converged = true;
            return i;
        }
        choose_direction(cg, ratio(descent, last_descent));
        step(cg, descent);
        last_descent = descent;
    }
    return iterations;
}

double fem_cg_residual(struct fem_cg *cg)
{
    const struct fem_matrix *matrix = cg->precondition->matrix;
    const size_t own = 3 * fem_box_own(&matrix->box);
    double sums[2] = {0};
    fem_halo_exchange(cg->precondition->halo, cg->solution);
    fem_matrix_multiply(matrix, cg->solution, cg->product);
    for (size_t i = 0; i < own; i++) {
        const double rest = cg->load[i] - cg->product[i];
        sums[0] += rest * rest;
        sums[1] += cg->load[i] * cg->load[i];
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sqrt(sums[0] / sums[1]);
}

double fem_cg_flops(const struct fem_box *box)
{
    const double values = 3 * (double)fem_box_own(box);
    return fem_precondition_flops(box) + fem_matrix_work(box).flops +
           (DOTS + ADDITIONS) * VECTOR_FLOPS * values;
}

/* The lower band of a symmetric matrix, column by column from the diagonal down. */
struct band {
    int size, below; /* the diagonal */
    double *entries; /* owned */
};

/* The node at a place of the mesh; the clamped ones before the first are negative. */
static int node_at(const int nodes[3], int i, int j, int k)
{
    return (i * nodes[1] + j) * nodes[2] + k;
}

/* Add the element whose first corner is at (i, j, k). */
static void add_element(struct band *band, const int nodes[3], int i, int j, int k,
                        double stiffness[FEM_CORNERS][FEM_CORNERS][3][3])
{
    int unknown[FEM_CORNERS];
    for (int c = 0; c < FEM_CORNERS; c++)
        unknown[c] =
            3 * node_at(nodes, i + fem_element_side(c, 0), j + fem_element_side(c, 1),
                        k + fem_element_side(c, 2));
    for (int a = 0; a < 3 * FEM_CORNERS; a++)
        for (int b = 0; b < 3 * FEM_CORNERS; b++) {
            const int row = unknown[a / 3] + a % 3, column = unknown[b / 3] + b % 3;
            if (column >= 0 && row >= column)
                band->entries[(size_t)column * (size_t)(band->below + 1) +
                              (size_t)(row - column)] +=
                    stiffness[a / 3][b / 3][a % 3][b % 3];
        }
}

static int band_init(struct band *band, const int nodes[3])
{
    double stiffness[FEM_CORNERS][FEM_CORNERS][3][3];
    band->size = 3 * nodes[0] * nodes[1] * nodes[2];
    band->below = 3 * node_at(nodes, 1, 1, 1) + 2;
    band->entries =
        calloc((size_t)band->size * (size_t)(band->below + 1), sizeof *band->entries);
    if (!band->entries)
        return -1;
    fem_assemble_element(stiffness);
    for (int i = -1; i < nodes[0] - 1; i++)
        for (int j = 0; j < nodes[1] - 1; j++)
            for (int k = 0; k < nodes[2] - 1; k++)
                add_element(band, nodes, i, j, k, stiffness);
    return 0;
}

/* The load of each node of the mesh; NULL: memory is short. */
static double *make_load(const int nodes[3])
{
    struct fem_box box;
    fem_box_init(&box, nodes, (const int[3]){1, 1, 1}, 0);
    const size_t own = fem_box_own(&box);
    double *load = calloc(own, 3 * sizeof *load);
    for (size_t i = 0; load && i < own; i++) {
        int place[3];
        fem_box_own_place(&box, i, place);
        fem_assemble_load(&box, place, load + 3 * i);
    }
    return load;
}

double *fem_direct_solve(const int nodes[3])
{
    struct band band;
    double *x = make_load(nodes);
    if (band_init(&band, nodes) || !x ||
        LAPACKE_dpbsv(LAPACK_COL_MAJOR, 'L', band.size, band.below, 1, band.entries,
                      band.below + 1, x, band.size)) {
        free(x);
        x = NULL;
    }
    free(band.entries);
    return x;
}
