/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jacobi - Jacobi iterations for Poisson's equation on a cubic grid, with a 19-point
 * stencil whose coefficients are read from memory at each point (the access pattern of
 * the Himeno benchmark), in single precision. All ranks agree on the residual after
 * every iteration. The threads of a rank share its planes.
 */
#include "apps/common/app.h"
#include "apps/common/work.h"
#include "halo.h"

#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fields of a point in addition to its value: the coefficients of the six neighbours
   along the axes and of the mixed differences in three planes, the inverse of the
   diagonal, the source, and a mask (0 keeps a point as it is). */
enum field {
    NEXT_I,
    NEXT_J,
    NEXT_K,
    PREVIOUS_I,
    PREVIOUS_J,
    PREVIOUS_K,
    MIXED_IJ,
    MIXED_JK,
    MIXED_IK,
    INVERSE,
    SOURCE,
    MASK,
    FIELDS
};

enum { MAX_SIZE = 4096, FLOPS_PER_POINT = 34 };

static const float relaxation = 0.8F;

struct options {
    int size, iterations;
    char *partition; /* owned; NULL: the default */
    char *weights;   /* owned; a file; NULL: even boxes */
    bool slabs;
    int check, model_only;
};

/* A grid and the values on it; all pointers owned, NULL: model only. */
struct problem {
    struct work_node node;
    struct grid grid;
    struct halo halo;
    struct parts_summary summary; /* of uneven boxes */
    float *values, *updated;
    float *fields;   /* one after the other */
    int threads;     /* that share the planes */
    double residual; /* of the last iteration */
};

static float start_value(int i, int j, int k, int size)
{
    const double scale = 1.0 / (size + 1);
    return (float)(sin(3 * i * scale) * cos(2 * j * scale) + k * scale);
}

static void fill(struct problem *problem)
{
    static const float coefficients[FIELDS] = {
        [NEXT_I] = 1,         [NEXT_J] = 1,       [NEXT_K] = 1,
        [PREVIOUS_I] = 1,     [PREVIOUS_J] = 1,   [PREVIOUS_K] = 1,
        [MIXED_IJ] = 0.05F,   [MIXED_JK] = 0.04F, [MIXED_IK] = 0.03F,
        [INVERSE] = 1.0F / 6, [SOURCE] = 0.001F,  [MASK] = 1,
    };
    const struct grid *grid = &problem->grid;
    const size_t volume = grid_volume(grid);
    /* first touch by the threads that relax() will use, for memory near them */
    const size_t plane = grid_index(grid, 1, 0, 0);
#pragma omp parallel for num_threads(problem->threads)
    for (int i = 1; i <= grid->box.points[0]; i++)
        for (int field = 0; field < FIELDS; field++)
            memset(problem->fields + (size_t)field * volume + (size_t)i * plane, 0,
                   plane * sizeof *problem->fields);
    for (int field = 0; field < FIELDS; field++)
        for (size_t i = 0; i < volume; i++)
            problem->fields[(size_t)field * volume + i] = coefficients[field];
    for (int i = 0; i < grid->box.points[0] + 2; i++)
        for (int j = 0; j < grid->box.points[1] + 2; j++)
            for (int k = 0; k < grid->box.points[2] + 2; k++)
                problem->values[grid_index(grid, i, j, k)] =
                    start_value(grid->box.first[0] + i, grid->box.first[1] + j,
                                grid->box.first[2] + k, grid->size);
    memcpy(problem->updated, problem->values, volume * sizeof *problem->values);
}

/* Relax `count` points from index `first` on; returns the sum of their squared changes.
   `si` and `sj` are the distances of neighbours along the first two axes. */
static double relax_row(const struct problem *problem, size_t first, int count,
                        ptrdiff_t si, ptrdiff_t sj)
{
    const size_t volume = grid_volume(&problem->grid);
    const float *p = problem->values + first, *f = problem->fields + first;
    float *updated = problem->updated + first;
    double sum = 0;
    for (int k = 0; k < count; k++, p++, f++) {
        const float along =
            f[NEXT_I * volume] * p[si] + f[NEXT_J * volume] * p[sj] +
            f[NEXT_K * volume] * p[1] + f[PREVIOUS_I * volume] * p[-si] +
            f[PREVIOUS_J * volume] * p[-sj] + f[PREVIOUS_K * volume] * p[-1];
        const float mixed =
            f[MIXED_IJ * volume] *
                (p[si + sj] - p[si - sj] - p[sj - si] + p[-si - sj]) +
            f[MIXED_JK * volume] * (p[sj + 1] - p[sj - 1] - p[1 - sj] + p[-sj - 1]) +
            f[MIXED_IK * volume] * (p[si + 1] - p[si - 1] - p[1 - si] + p[-si - 1]);
        const float change =
            ((along + mixed + f[SOURCE * volume]) * f[INVERSE * volume] - p[0]) *
            f[MASK * volume];
        sum += (double)(change * change);
        updated[k] = p[0] + relaxation * change;
    }
    return sum;
}

static double relax(const struct problem *problem)
{
    const struct grid *grid = &problem->grid;
    const int *points = grid->box.points;
    const ptrdiff_t si = (ptrdiff_t)grid_index(grid, 1, 0, 0);
    const ptrdiff_t sj = (ptrdiff_t)grid_index(grid, 0, 1, 0);
    double sum = 0;
#pragma omp parallel for num_threads(problem->threads) reduction(+ : sum)
    for (int i = 1; i <= points[0]; i++)
        for (int j = 1; j <= points[1]; j++)
            sum += relax_row(problem, grid_index(grid, i, j, 1), points[2], si, sj);
    return sum;
}

static void iterate(struct problem *problem)
{
    const struct grid *grid = &problem->grid;
    const double points = box_volume(&grid->box);
    /* All fields and the values are read; the updated ones are read and written. */
    const double bytes = (FIELDS + 3) * sizeof(float) * points;
    const struct work kernel = {.flops = FLOPS_PER_POINT * points,
                                .efficiency = 0.4,
                                .working_set = bytes,
                                .bytes = bytes};
    double sum = 0;
    halo_exchange(&problem->halo, problem->values);
    if (work_run(&problem->node, &kernel))
        sum = relax(problem);
    float *old = problem->values;
    problem->values = problem->updated;
    problem->updated = old;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, grid->comm);
    problem->residual = sqrt(sum);
}

noreturn static void out_of_memory(const struct problem *problem)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    app_give_up("jacobi", "no memory for %zu points on rank %d",
                grid_volume(&problem->grid), rank);
}

/* False: the weights are wrong, and rank 0 has printed the reason. */
static bool cut_grid(struct problem *problem, const struct options *options)
{
    const int cube[3] = {0, 0, 0}, slab[3] = {0, 1, 1};
    if (!options->weights) {
        grid_cut_even(&problem->grid, MPI_COMM_WORLD, options->size,
                      options->slabs ? slab : cube);
        return true;
    }
    double *weights = app_weights("jacobi", options->weights);
    if (!weights)
        return false;
    if (grid_cut_by_weights(&problem->grid, MPI_COMM_WORLD, options->size,
                            options->slabs, weights))
        app_give_up("jacobi", "no memory for the boxes of all ranks");
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int rank = 0; rank < ranks; rank++)
        parts_summarise(&problem->summary, box_volume(&problem->grid.boxes[rank]),
                        weights[rank]);
    free(weights);
    return true;
}

static bool problem_init(struct problem *problem, const struct options *options)
{
    *problem = (struct problem){.threads = app_threads()};
    work_node_init(&problem->node, options->model_only);
    if (!cut_grid(problem, options))
        return false;
    const struct work_node *node = &problem->node;
    if (halo_init(&problem->halo, &problem->grid, node))
        out_of_memory(problem);
    const size_t volume = grid_volume(&problem->grid);
    problem->values = work_array(node, volume, sizeof(float));
    problem->updated = work_array(node, volume, sizeof(float));
    problem->fields = work_array(node, volume * FIELDS, sizeof(float));
    if (node->model_only)
        return true;
    if (!problem->values || !problem->updated || !problem->fields)
        out_of_memory(problem);
    fill(problem);
    return true;
}

static void problem_clear(struct problem *problem)
{
    free(problem->fields);
    free(problem->updated);
    free(problem->values);
    halo_clear(&problem->halo);
    grid_clear(&problem->grid);
}

/* Seconds of the slowest rank, on rank 0. */
static double time_iterations(struct problem *problem, int iterations)
{
    const double start = app_start();
    for (int i = 0; i < iterations; i++)
        iterate(problem);
    return app_seconds(start);
}

/* The whole grid with its boundary, in double precision, for --check. Both arrays are
   owned. */
struct reference {
    int size;
    double *values, *updated;
};

static size_t reference_index(const struct reference *whole, int i, int j, int k)
{
    const size_t edge = (size_t)whole->size + 2;
    return ((size_t)i * edge + (size_t)j) * edge + (size_t)k;
}

/* The new value of a point by the formula: the neighbours along the axes, and the mixed
   differences in the three planes. */
static double reference_point(const struct reference *whole, int i, int j, int k)
{
    static const double mixed[3][3] = {{0, 0.05, 0.03}, {0, 0, 0.04}, {0, 0, 0}};
    double sum = 0.001;
    for (int a = 0; a < 3; a++) {
        for (int sign = -1; sign <= 1; sign += 2)
            sum += whole->values[reference_index(
                whole, i + sign * (a == 0), j + sign * (a == 1), k + sign * (a == 2))];
        for (int b = a + 1; b < 3; b++)
            for (int corner = 0; corner < 4; corner++) {
                const int sa = corner & 1 ? 1 : -1, sb = corner & 2 ? 1 : -1;
                const int di = sa * (a == 0), dj = sa * (a == 1) + sb * (b == 1),
                          dk = sb * (b == 2);
                sum += sa * sb * mixed[a][b] *
                       whole->values[reference_index(whole, i + di, j + dj, k + dk)];
            }
    }
    const double old = whole->values[reference_index(whole, i, j, k)];
    return old + 0.8 * (sum / 6 - old);
}

/* Relax all points; returns the residual. */
static double reference_iterate(struct reference *whole)
{
    double sum = 0;
    for (int i = 1; i <= whole->size; i++)
        for (int j = 1; j <= whole->size; j++)
            for (int k = 1; k <= whole->size; k++) {
                const size_t at = reference_index(whole, i, j, k);
                whole->updated[at] = reference_point(whole, i, j, k);
                sum += pow((whole->updated[at] - whole->values[at]) / 0.8, 2);
            }
    double *old = whole->values;
    whole->values = whole->updated;
    whole->updated = old;
    return sqrt(sum);
}

static int reference_init(struct reference *whole, int size)
{
    const size_t volume = (size_t)(size + 2) * (size_t)(size + 2) * (size_t)(size + 2);
    *whole = (struct reference){.size = size,
                                .values = calloc(volume, sizeof(double)),
                                .updated = calloc(volume, sizeof(double))};
    if (!whole->values || !whole->updated)
        return -1;
    for (int i = 0; i < size + 2; i++)
        for (int j = 0; j < size + 2; j++)
            for (int k = 0; k < size + 2; k++)
                whole->values[reference_index(whole, i, j, k)] =
                    (double)start_value(i, j, k, size);
    memcpy(whole->updated, whole->values, volume * sizeof(double));
    return 0;
}

/* The largest difference between a rank's box and the same points of the whole grid. */
static double difference(const struct problem *box, const struct reference *whole)
{
    const int *first = box->grid.box.first, *points = box->grid.box.points;
    double largest = 0;
    for (int i = 1; i <= points[0]; i++)
        for (int j = 1; j <= points[1]; j++)
            for (int k = 1; k <= points[2]; k++) {
                const double here =
                    (double)box->values[grid_index(&box->grid, i, j, k)];
                const double there = whole->values[reference_index(
                    whole, first[0] + i, first[1] + j, first[2] + k)];
                if (!(fabs(here - there) <= largest)) /* a NaN stays */
                    largest = fabs(here - there);
            }
    return largest;
}

/* Whether every rank's result agrees with a serial run in double precision, within
   single precision. */
static bool check(const struct problem *problem, const struct options *options)
{
    struct reference whole;
    double residual = NAN;
    if (reference_init(&whole, options->size))
        out_of_memory(problem);
    for (int i = 0; i < options->iterations; i++)
        residual = reference_iterate(&whole);
    double worst = difference(problem, &whole);
    /* When the residual vanishes, each point still has a rounding error. */
    const double rounding = 1e-7 * sqrt(pow(options->size, 3));
    int same = worst < 1e-5 &&
               fabs(residual - problem->residual) <= 1e-4 * residual + rounding;
    free(whole.updated);
    free(whole.values);
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);

    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("difference to a serial run %g\n", worst);
    return same;
}

static void print_partition(const struct problem *problem)
{
    const int *parts = problem->grid.parts;
    if (problem->grid.boxes)
        parts_print(&problem->summary, "points");
    else
        printf("partition %d x %d x %d\n", parts[0], parts[1], parts[2]);
}

static void print_times(const struct problem *problem, const struct options *options,
                        double seconds)
{
    const double points = pow(options->size, 3);
    printf("time %.9g s\n", seconds);
    printf("iteration %.9g s\n", seconds / options->iterations);
    printf("speed %.4g Gflop/s\n",
           FLOPS_PER_POINT * points * options->iterations / seconds / 1e9);
    print_partition(problem);
    if (!options->model_only)
        printf("residual %g\n", problem->residual);
}

static int run(void *self)
{
    const struct options *options = self;
    struct problem problem;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!problem_init(&problem, options))
        return EXIT_FAILURE;
    const double seconds = time_iterations(&problem, options->iterations);
    if (rank == 0)
        print_times(&problem, options, seconds);
    const bool good = !options->check || check(&problem, options);
    if (!good && rank == 0)
        fprintf(stderr, "jacobi: the result differs from a serial run's\n");
    problem_clear(&problem);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Whether the options are consistent, and possible on this many ranks. */
static bool check_options(void *self)
{
    struct options *options = self;
    const char *partition = options->partition;
    options->slabs = partition && !strcmp(partition, "slab");
    int ranks, parts[3] = {0, options->slabs, options->slabs};
    if (partition && !options->slabs && strcmp(partition, "cube") != 0)
        return app_complain("jacobi", "--partition is neither cube nor slab: '%s'",
                            partition);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 3, parts);
    if (options->size < parts[0] || options->size > MAX_SIZE)
        return app_complain("jacobi",
                            "--size must be between %d and %d on %d ranks: '%d'",
                            parts[0], MAX_SIZE, ranks, options->size);
    if (options->iterations < 1)
        return app_complain("jacobi", "--iterations must be at least 1: '%d'",
                            options->iterations);
    if (options->model_only && !work_simulated)
        return app_complain("jacobi", "--model-only works in a simulation only");
    if (options->model_only && options->check)
        return app_complain("jacobi", "--model-only leaves nothing to --check");
    return true;
}

int main(int argc, char **argv)
{
    struct options options = {.iterations = 100};
    struct poptOption table[] = {
        {"size", 'n', POPT_ARG_INT, &options.size, 0, "points along an edge", "N"},
        {"iterations", 'i', POPT_ARG_INT, &options.iterations, 0, "how many (100)",
         "COUNT"},
        {"partition", 'p', POPT_ARG_STRING, &options.partition, 0,
         "cut the grid into boxes (cube, the default) or slices (slab)", "SHAPE"},
        {"weights", 'w', POPT_ARG_STRING, &options.weights, 0,
         "make the parts as large as the weights say, one a line for each rank",
         "FILE"},
        {"check", 'c', POPT_ARG_NONE, &options.check, 0, "compare with a serial run",
         NULL},
        {"model-only", '\0', POPT_ARG_NONE, &options.model_only, 0,
         "leave out the arithmetic and the grid (simulated build)", NULL},
        POPT_TABLEEND,
    };
    const struct app app = {"jacobi", table, check_options, run, &options};
    const int status = app_main(&app, argc, argv);
    free(options.weights);
    free(options.partition);
    return status;
}
