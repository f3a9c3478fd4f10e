/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lu - solves a dense random system of linear equations by LU factorisation with
 * partial pivoting, like HPL on a 1 x P process grid: blocks of columns are dealt in
 * turn, the owner of a block (the panel) factorises and broadcasts it, and all ranks
 * update their columns to the right of it, without look-ahead.
 */
#include "apps/common/app.h"
#include "apps/common/linear_system.h"
#include "apps/common/work.h"

#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_SIZE = (1 << 24) - 1, MAX_SEED = (1 << 16) - 1 };

/* Efficiency of vector operations, such as a panel's, on simulated nodes, even while
   the data are in cache. */
static const double vector_efficiency = 0.1;

struct lu {
    struct linear_system system;
    int block; /* columns of a panel */
    int seed, model_only;
    int rank, ranks;
    struct work_node node;
    int columns;   /* of this rank; one of them may be b */
    double *a;     /* its columns, one after the other; NULL: model only */
    double *panel; /* as broadcast: the pivots, then the panel's columns */
    double *rest;  /* the right-hand side during the substitution */
    double *x;
};

static int owner(const struct lu *lu, int column)
{
    return column / lu->block % lu->ranks;
}

/* The number of this rank's columns before the matrix's `column`. */
static int columns_before(const struct lu *lu, int column)
{
    const int blocks = column / lu->block;
    int count = blocks / lu->ranks * lu->block;
    if (lu->rank < blocks % lu->ranks)
        count += lu->block;
    else if (lu->rank == blocks % lu->ranks)
        count += column % lu->block;
    return count;
}

/* Row `row` of the matrix's `column`, which must be this rank's. */
static double *entry(const struct lu *lu, int row, int column)
{
    return lu->a + (size_t)columns_before(lu, column) * (size_t)lu->system.size + row;
}

static void fill(const struct lu *lu)
{
    for (int j = 0; j <= lu->system.size; j++) {
        if (owner(lu, j) != lu->rank)
            continue;
        double *column = entry(lu, 0, j);
        for (int i = 0; i < lu->system.size; i++)
            column[i] = linear_system_entry(&lu->system, i, j);
    }
}

/* Factorise `width` columns of `rows` rows at `a`; pivots[i]: the row, counted from a's
   first, that row i was exchanged with. */
static void factorise_columns(double *a, int stride, int rows, int width,
                              double *pivots)
{
    for (int j = 0; j < width; j++) {
        double *column = a + (size_t)j * (size_t)stride;
        const int below = rows - j - 1;
        const int pivot = j + (int)cblas_idamax(rows - j, column + j, 1);
        pivots[j] = pivot;
        cblas_dswap(width, a + j, stride, a + pivot, stride);
        if (column[j] != 0)
            cblas_dscal(below, 1 / column[j], column + j + 1, 1);
        cblas_dger(CblasColMajor, below, width - j - 1, -1, column + j + 1, 1,
                   column + j + stride, stride, column + j + stride + 1, stride);
    }
}

/* Factorise the panel that begins at `first` and put it into the broadcast's buffer. */
static void factorise_panel(const struct lu *lu, int first, int width)
{
    const int rows = lu->system.size - first;
    const double area = (double)rows * width;
    const struct work factorisation = {.flops = area * width,
                                       .efficiency = vector_efficiency,
                                       .working_set = 8 * area,
                                       .bytes = 8 * area * width,
                                       .alone = true};
    if (work_run(&lu->node, &factorisation))
        factorise_columns(entry(lu, first, first), lu->system.size, rows, width,
                          lu->panel);

    const struct work copy = {
        .efficiency = 1, .working_set = 16 * area, .bytes = 16 * area, .alone = true};
    if (work_run(&lu->node, &copy))
        for (int j = 0; j < width; j++)
            cblas_dcopy(rows, entry(lu, first, first + j), 1,
                        lu->panel + width + (size_t)j * (size_t)rows, 1);
}

static void exchange_rows(double *a, int stride, int columns, const double *pivots,
                          int width)
{
    for (int j = 0; j < columns; j++) {
        double *column = a + (size_t)j * (size_t)stride;
        for (int i = 0; i < width; i++) {
            const double kept = column[i];
            column[i] = column[(int)pivots[i]];
            column[(int)pivots[i]] = kept;
        }
    }
}

/* Apply the panel that begins at `first` to this rank's columns to the right of it. */
static void update(const struct lu *lu, int first, int width)
{
    const int size = lu->system.size, rows = size - first, below = rows - width;
    const int done = columns_before(lu, first + width);
    const int columns = lu->columns - done;
    if (columns == 0)
        return;
    const double *pivots = lu->panel, *lower = lu->panel + width;
    double *a = lu->a ? lu->a + (size_t)done * (size_t)size + first : NULL;

    /* An exchange touches a cache line for every entry, and writes it back. */
    const double exchanged = 2.0 * columns * width;
    const struct work exchange = {
        .efficiency = 1, .working_set = 8.0 * rows * columns, .bytes = 64 * exchanged};
    if (work_run(&lu->node, &exchange))
        exchange_rows(a, size, columns, pivots, width);

    const struct work solve = {.flops = (double)width * width * columns,
                               .efficiency = 0.6};
    if (work_run(&lu->node, &solve))
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit,
                    width, columns, 1, lower, rows, a, size);

    const struct work product = {.flops = 2.0 * below * width * columns,
                                 .efficiency = 1};
    if (work_run(&lu->node, &product))
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, below, columns, width,
                    -1, lower + width, rows, a, size, 1, a + width, size);
}

static void factorise(const struct lu *lu)
{
    for (int first = 0; first < lu->system.size; first += lu->block) {
        const int rows = lu->system.size - first;
        const int width = rows < lu->block ? rows : lu->block;
        if (owner(lu, first) == lu->rank)
            factorise_panel(lu, first, width);
        MPI_Bcast(lu->panel, width + rows * width, MPI_DOUBLE, owner(lu, first),
                  MPI_COMM_WORLD);
        update(lu, first, width);
    }
}

/* Solve the diagonal block at `first` and eliminate its unknowns from the rows
   above. */
static void substitute_block(const struct lu *lu, int first, int width)
{
    const double area = (double)(first + width) * width;
    const struct work work = {.flops = 2 * area,
                              .efficiency = vector_efficiency,
                              .working_set = 8 * area,
                              .bytes = 8 * area,
                              .alone = true};
    if (!work_run(&lu->node, &work))
        return;
    const int size = lu->system.size;
    cblas_dcopy(width, lu->rest + first, 1, lu->x + first, 1);
    cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, width,
                entry(lu, first, first), size, lu->x + first, 1);
    cblas_dgemv(CblasColMajor, CblasNoTrans, first, width, -1, entry(lu, 0, first),
                size, lu->x + first, 1, 1, lu->rest, 1);
}

/* Back substitution: the right-hand side travels from owner to owner. */
static void substitute(const struct lu *lu)
{
    const int size = lu->system.size;
    int holder = owner(lu, size);
    if (holder == lu->rank && lu->a)
        cblas_dcopy(size, entry(lu, 0, size), 1, lu->rest, 1);

    for (int first = (size - 1) / lu->block * lu->block; first >= 0;
         first -= lu->block) {
        const int next = owner(lu, first);
        const int width = size - first < lu->block ? size - first : lu->block;
        if (next != holder && lu->rank == holder)
            MPI_Send(lu->rest, first + width, MPI_DOUBLE, next, 0, MPI_COMM_WORLD);
        if (next != holder && lu->rank == next)
            MPI_Recv(lu->rest, first + width, MPI_DOUBLE, holder, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (lu->rank == next)
            substitute_block(lu, first, width);
        holder = next;
    }
    MPI_Allreduce(MPI_IN_PLACE, lu->x, size, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void allocate(struct lu *lu)
{
    const size_t size = (size_t)lu->system.size;
    const int width = lu->block < lu->system.size ? lu->block : lu->system.size;
    lu->columns = columns_before(lu, lu->system.size + 1);
    lu->a = work_array(&lu->node, (size_t)lu->columns * size + 1, sizeof *lu->a);
    lu->panel = work_buffer(&lu->node, (size + 1) * (size_t)width, sizeof *lu->panel);
    lu->rest = work_buffer(&lu->node, size, sizeof *lu->rest);
    lu->x = work_buffer(&lu->node, size, sizeof *lu->x);
    if ((lu->a || lu->node.model_only) && lu->panel && lu->rest && lu->x)
        return;
    app_give_up("lu", "no memory for %d columns of %d rows on rank %d", lu->columns,
                lu->system.size, lu->rank);
}

static void release(struct lu *lu)
{
    work_buffer_free(&lu->node, lu->x);
    work_buffer_free(&lu->node, lu->rest);
    work_buffer_free(&lu->node, lu->panel);
    free(lu->a);
}

/* Seconds of the slowest rank, on rank 0. */
static double time_solution(const struct lu *lu)
{
    const double start = app_start();
    factorise(lu);
    substitute(lu);
    return app_seconds(start);
}

/* Whether the solution is good; rank 0 prints the residual. */
static bool check(const struct lu *lu)
{
    if (lu->node.model_only) {
        if (lu->rank == 0)
            printf("residual not computed (model only)\n");
        return true;
    }
    const double residual = linear_system_residual(&lu->system, lu->x, MPI_COMM_WORLD);
    const bool good = residual < LINEAR_SYSTEM_TOLERANCE;
    if (lu->rank == 0) {
        printf("residual %.6f\n", residual);
        if (!good)
            fprintf(stderr, "lu: the residual is not below %d: '%g'\n",
                    LINEAR_SYSTEM_TOLERANCE, residual);
    }
    return good;
}

static int run(void *self)
{
    struct lu *lu = self;
    allocate(lu);
    if (lu->a)
        fill(lu);
    const double seconds = time_solution(lu);
    if (lu->rank == 0) {
        const double flops = 2.0 / 3.0 * pow(lu->system.size, 3);
        printf("time %.9g s\n", seconds);
        printf("speed %.4g Gflop/s\n", flops / seconds / 1e9);
    }
    const bool good = check(lu);
    release(lu);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

static bool check_options(void *self)
{
    struct lu *lu = self;
    if (lu->system.size < 1 || lu->system.size > MAX_SIZE)
        return app_complain("lu", "--size must be between 1 and %d: '%d'", MAX_SIZE,
                            lu->system.size);
    /* A panel is one message, whose length is an int in MPI. */
    const int largest = INT_MAX / (lu->system.size + 1);
    if (lu->block < 1 || lu->block > largest)
        return app_complain("lu", "--block must be between 1 and %d: '%d'", largest,
                            lu->block);
    if (lu->seed < 0 || lu->seed > MAX_SEED)
        return app_complain("lu", "--seed must be between 0 and %d: '%d'", MAX_SEED,
                            lu->seed);
    if (lu->model_only && !work_simulated)
        return app_complain("lu", "--model-only works in a simulation only");
    lu->system.seed = (unsigned)lu->seed;
    MPI_Comm_rank(MPI_COMM_WORLD, &lu->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &lu->ranks);
    work_node_init(&lu->node, lu->model_only);
    return true;
}

int main(int argc, char **argv)
{
    struct lu lu = {.block = 64, .seed = 1};
    struct poptOption table[] = {
        {"size", 'n', POPT_ARG_INT, &lu.system.size, 0, "number of equations", "N"},
        {"block", 'b', POPT_ARG_INT, &lu.block, 0, "columns of a block (64)", "NB"},
        {"seed", 's', POPT_ARG_INT, &lu.seed, 0, "of the random entries (1)", "SEED"},
        {"model-only", '\0', POPT_ARG_NONE, &lu.model_only, 0,
         "leave out the arithmetic and the matrix (simulated build)", NULL},
        POPT_TABLEEND,
    };
    const struct app app = {"lu", table, check_options, run, &lu};
    openblas_set_num_threads(1); /* a rank has one core */
    return app_main(&app, argc, argv);
}
