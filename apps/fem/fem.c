/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fem - linear elasticity in three dimensions by finite elements: a plate or a cube of
 * N x N hexahedra, clamped at one end and loaded at the other. Its nodes are cut into
 * boxes, one for each rank, and the displacements are found by conjugate gradients,
 * preconditioned by additive Schwarz with block incomplete Cholesky (like
 * hpcmw-solver-test). Only the solver is timed.
 */
#include "apps/common/app.h"
#include "apps/common/work.h"
#include "assemble.h"
#include "solve.h"

#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MAX_PLATE = 1 << 14,
    MAX_CUBE = 1 << 10,
    FIXED_ITERATIONS = 50,
    MOST_ITERATIONS = 10000, /* until a tolerance is met */
    MAX_CHECKED = 20000,     /* unknowns */
    NOT_GIVEN = INT_MIN      /* iterations */
};

/* The largest accepted difference from a direct solution, relative to the largest
   displacement. */
static const double largest_difference = 1e-6;

struct options {
    int size, iterations;
    double tolerance; /* 0: a fixed number of iterations */
    char *weights;    /* owned; a file; NULL: even boxes */
    int cube, check, model_only;
};

struct problem {
    int nodes[3], parts[3]; /* of the whole mesh, along each axis */
    int rank;
    struct box *boxes;            /* owned; of all ranks; NULL: even boxes */
    struct parts_summary summary; /* of these */
    struct work_node node;
    struct fem_mesh mesh;
    struct fem_halo halo;
    struct fem_matrix matrix;
    struct fem_precondition precondition;
    struct fem_cg cg;
};

noreturn static void stop(const struct problem *problem, const char *reason)
{
    app_give_up("fem", "%s on rank %d, which has %zu of the nodes", reason,
                problem->rank, fem_box_own(&problem->mesh.box));
}

static void describe_mesh(const struct options *options, int nodes[3], int parts[3])
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    fem_assemble_nodes(options->size, options->cube ? options->size : 1, nodes);
    fem_box_cut(ranks, options->cube ? 3 : 2, parts);
}

static void fill_load(const struct problem *problem)
{
    const size_t own = fem_box_own(&problem->mesh.box);
    for (size_t i = 0; i < own; i++) {
        int place[3];
        fem_box_own_place(&problem->mesh.box, i, place);
        const int number = fem_mesh_number(&problem->mesh, place);
        fem_assemble_load(&problem->mesh.box, place,
                          problem->cg.load + 3 * (size_t)number);
    }
}

/* False: the weights are wrong, and rank 0 has printed the reason. */
static bool cut_by_weights(struct problem *problem, const char *path)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double *weights = app_weights("fem", path);
    if (!weights)
        return false;
    problem->boxes = calloc((size_t)ranks, sizeof *problem->boxes);
    if (!problem->boxes)
        app_give_up("fem", "no memory for the boxes of %d ranks", ranks);
    parts_cut_box(problem->boxes, problem->nodes, weights, ranks);
    for (int rank = 0; rank < ranks; rank++)
        parts_summarise(&problem->summary, box_volume(&problem->boxes[rank]),
                        weights[rank]);
    free(weights);
    return true;
}

static void build_mesh(struct problem *problem)
{
    struct fem_box box;
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (problem->boxes)
        fem_box_init_uneven(&box, problem->nodes, problem->boxes, ranks, problem->rank);
    else
        fem_box_init(&box, problem->nodes, problem->parts, problem->rank);
    problem->mesh = (struct fem_mesh){.box = box};
    if (!problem->node.model_only && fem_mesh_init(&problem->mesh, &box))
        stop(problem, "no memory for the mesh");
    if (fem_halo_init(&problem->halo, &problem->node, &problem->mesh))
        stop(problem, "no memory for messages");
}

static void build_solver(struct problem *problem)
{
    if (fem_matrix_init(&problem->matrix, &problem->node, &problem->mesh))
        stop(problem, "no memory for the matrix");
    if (problem->matrix.blocks)
        fem_assemble_matrix(&problem->matrix, &problem->mesh);
    switch (fem_precondition_init(&problem->precondition, &problem->matrix,
                                  &problem->halo)) {
    case FEM_DONE:
        break;
    case FEM_NO_MEMORY:
        stop(problem, "no memory for the factorisation");
        break;
    case FEM_NOT_DEFINITE:
        stop(problem, "the incomplete factorisation breaks down");
        break;
    }
    if (fem_cg_init(&problem->cg, &problem->precondition))
        stop(problem, "no memory for vectors");
    if (problem->cg.load)
        fill_load(problem);
}

static void problem_clear(struct problem *problem)
{
    fem_cg_clear(&problem->cg);
    fem_precondition_clear(&problem->precondition);
    fem_matrix_clear(&problem->matrix);
    fem_halo_clear(&problem->halo);
    fem_mesh_clear(&problem->mesh);
    free(problem->boxes);
}

/* Seconds of the slowest rank, on rank 0. */
static double time_solution(struct problem *problem, const struct options *options,
                            int *iterations, bool *converged)
{
    const double start = app_start();
    *iterations =
        fem_cg_solve(&problem->cg, options->iterations, options->tolerance, converged);
    return app_seconds(start);
}

static void print_times(const struct problem *problem, double seconds, int iterations)
{
    const int whole[3] = {1, 1, 1};
    const int *nodes = problem->nodes, *parts = problem->parts;
    struct fem_box box;
    fem_box_init(&box, nodes, whole, 0);
    printf("time %.9g s\n", seconds);
    printf("iteration %.9g s\n", seconds / iterations);
    printf("iterations %d\n", iterations);
    printf("rate %.9g iterations/s\n", iterations / seconds);
    printf("speed %.4g Gflop/s\n", fem_cg_flops(&box) * iterations / seconds / 1e9);
    printf("unknowns %zu\n", 3 * fem_box_own(&box));
    if (problem->boxes)
        parts_print(&problem->summary, "nodes");
    else
        printf("partition %d x %d x %d\n", parts[0], parts[1], parts[2]);
}

/* The whole solution on rank 0, the last axis fastest; to be released by free(). */
static double *gather(const struct problem *problem)
{
    const struct fem_box *box = &problem->mesh.box;
    const int *nodes = problem->nodes;
    const size_t count = 3 * (size_t)nodes[0] * (size_t)nodes[1] * (size_t)nodes[2];
    double *values = calloc(count, sizeof *values);
    if (!values)
        stop(problem, "no memory for the whole solution");
    for (size_t own = 0; own < fem_box_own(box); own++) {
        int place[3];
        size_t node = 0;
        fem_box_own_place(box, own, place);
        const int number = fem_mesh_number(&problem->mesh, place);
        for (int axis = 0; axis < 3; axis++)
            node =
                node * (size_t)nodes[axis] + (size_t)(box->first[axis] + place[axis]);
        for (size_t i = 0; i < 3; i++)
            values[3 * node + i] = problem->cg.solution[3 * (size_t)number + i];
    }
    MPI_Reduce(problem->rank == 0 ? MPI_IN_PLACE : values, values, (int)count,
               MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return values;
}

/* Whether the solution agrees with a direct solver's; rank 0 prints the difference. */
static bool check(const struct problem *problem)
{
    double *values = gather(problem), difference = 0;
    if (problem->rank == 0) {
        const int *nodes = problem->nodes, count = 3 * nodes[0] * nodes[1] * nodes[2];
        double *direct = fem_direct_solve(nodes), largest = 0;
        if (!direct)
            stop(problem, "no direct solution");
        for (int i = 0; i < count; i++) {
            largest = fmax(largest, fabs(direct[i]));
            if (!(fabs(values[i] - direct[i]) <= difference)) /* a NaN stays */
                difference = fabs(values[i] - direct[i]);
        }
        difference /= largest;
        printf("difference to a direct solution %g\n", difference);
        if (!(difference <= largest_difference))
            fprintf(stderr, "fem: the result differs from a direct solution\n");
        free(direct);
    }
    free(values);
    MPI_Bcast(&difference, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return difference <= largest_difference;
}

/* Whether the solution meets the tolerance and the check; rank 0 prints the
   residual. */
static bool is_good(struct problem *problem, const struct options *options,
                    bool converged)
{
    if (options->model_only)
        return true;
    const double residual = fem_cg_residual(&problem->cg);
    const bool good = converged || options->tolerance == 0;
    if (problem->rank == 0) {
        printf("residual %g\n", residual);
        if (!good)
            fprintf(stderr, "fem: no convergence in %d iterations\n",
                    options->iterations);
    }
    return (!options->check || check(problem)) && good;
}

static int run(void *self)
{
    const struct options *options = self;
    struct problem problem = {.rank = 0};
    int iterations;
    bool converged;
    work_node_init(&problem.node, options->model_only);
    MPI_Comm_rank(MPI_COMM_WORLD, &problem.rank);
    describe_mesh(options, problem.nodes, problem.parts);
    if (options->weights && !cut_by_weights(&problem, options->weights))
        return EXIT_FAILURE;
    build_mesh(&problem);
    build_solver(&problem);
    const double seconds = time_solution(&problem, options, &iterations, &converged);
    if (problem.rank == 0)
        print_times(&problem, seconds, iterations);
    const bool good = is_good(&problem, options, converged);
    problem_clear(&problem);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Whether the mesh can be cut for this many ranks, and checked. */
static bool check_mesh(const struct options *options)
{
    const int most = options->cube ? MAX_CUBE : MAX_PLATE;
    int ranks, nodes[3], parts[3];
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    describe_mesh(options, nodes, parts);
    if (options->size < parts[0] || options->size > most)
        return app_complain("fem", "--size must be between %d and %d on %d ranks: '%d'",
                            parts[0], most, ranks, options->size);
    const double unknowns = 3.0 * nodes[0] * nodes[1] * nodes[2];
    if (options->check && unknowns > MAX_CHECKED)
        return app_complain("fem", "--check takes at most %d unknowns, not '%.0f'",
                            MAX_CHECKED, unknowns);
    return true;
}

/* Whether the options are consistent, and possible on this many ranks. */
static bool check_options(void *self)
{
    struct options *options = self;
    if (options->iterations == NOT_GIVEN)
        options->iterations =
            options->tolerance > 0 ? MOST_ITERATIONS : FIXED_ITERATIONS;
    if (options->iterations < 1)
        return app_complain("fem", "--iterations must be at least 1: '%d'",
                            options->iterations);
    if (!(options->tolerance >= 0 && options->tolerance < 1))
        return app_complain("fem", "--tolerance must be between 0 and 1: '%g'",
                            options->tolerance);
    if (options->model_only && !work_simulated)
        return app_complain("fem", "--model-only works in a simulation only");
    if (options->model_only && options->tolerance > 0)
        return app_complain("fem", "--model-only never reaches a --tolerance");
    if (options->model_only && options->check)
        return app_complain("fem", "--model-only leaves nothing to --check");
    return check_mesh(options);
}

int main(int argc, char **argv)
{
    struct options options = {.iterations = NOT_GIVEN};
    struct poptOption table[] = {
        {"size", 'n', POPT_ARG_INT, &options.size, 0,
         "elements along an edge of the plate, which is one element thick", "N"},
        {"cube", '\0', POPT_ARG_NONE, &options.cube, 0, "make it N elements thick",
         NULL},
        {"iterations", 'i', POPT_ARG_INT, &options.iterations, 0,
         "how many (50); with --tolerance, at most (10000)", "COUNT"},
        {"tolerance", 't', POPT_ARG_DOUBLE, &options.tolerance, 0,
         "stop when the residual has shrunk to this part of the load", "SHARE"},
        {"weights", 'w', POPT_ARG_STRING, &options.weights, 0,
         "make the parts as large as the weights say, one a line for each rank",
         "FILE"},
        {"check", 'c', POPT_ARG_NONE, &options.check, 0,
         "compare with a direct solution (small meshes; best with --tolerance)", NULL},
        {"model-only", '\0', POPT_ARG_NONE, &options.model_only, 0,
         "leave out the arithmetic and the mesh (simulated build)", NULL},
        POPT_TABLEEND,
    };
    const struct app app = {"fem", table, check_options, run, &options};
    openblas_set_num_threads(1); /* a rank has one core */
    const int status = app_main(&app, argc, argv);
    free(options.weights);
    return status;
}
