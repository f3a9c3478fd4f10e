/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matmul - the product C = A B of square matrices by one of two methods: rows that go
 * around a ring of processes (A), or blocks on a square grid of them (B). Communication
 * and computation do not overlap, and the inner loops are plain, so that cache sizes
 * show as steps.
 */
#include "matmul.h"

#include "apps/common/app.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZE = 32768 }; /* MPI counts the values of a message in an int */

/* Seeds of the linear systems whose coefficients are the matrices. */
enum { A_SEED = 1, B_SEED };

struct options {
    struct matmul matmul;
    char *algorithm; /* owned; NULL: the default */
    const struct matmul_method *method;
    int check, model_only;
};

noreturn static void out_of_memory(const struct matmul *matmul)
{
    app_give_up("matmul", "no memory for its parts of %d rows on rank %d", matmul->size,
                matmul->rank);
}

/* Room for the largest part of a matrix, if the block is needed. */
static void allocate(struct matmul *matmul, struct matmul_block *block,
                     void *(*get)(const struct work_node *, size_t, size_t))
{
    const int size = matmul->size, *parts = matmul->parts;
    const size_t rows = (size_t)((size + parts[0] - 1) / parts[0]);
    const size_t columns = (size_t)((size + parts[1] - 1) / parts[1]);
    if (block->rows.count == 0)
        return;
    block->values = get(&matmul->node, rows * columns, sizeof *block->values);
    if (matmul->node.model_only)
        return;
    if (!block->values)
        out_of_memory(matmul);
    memset(block->values, 0, rows * columns * sizeof *block->values); /* pages, too */
}

static void matmul_init(struct matmul *matmul)
{
    allocate(matmul, &matmul->a, work_array);
    allocate(matmul, &matmul->c, work_array);
    allocate(matmul, &matmul->b, work_buffer);
    allocate(matmul, &matmul->guest, work_buffer);
    allocate(matmul, &matmul->partial, work_buffer);
    if (matmul->node.model_only)
        return;
    matmul_block_fill(&matmul->a, &(struct linear_system){matmul->size, A_SEED});
    matmul_block_fill(&matmul->b, &(struct linear_system){matmul->size, B_SEED});
}

static void matmul_clear(struct matmul *matmul)
{
    if (matmul->partial.values)
        work_buffer_free(&matmul->node, matmul->partial.values);
    work_buffer_free(&matmul->node, matmul->guest.values);
    work_buffer_free(&matmul->node, matmul->b.values);
    free(matmul->c.values);
    free(matmul->a.values);
}

/* Seconds of the slowest rank, on rank 0. */
static double time_multiplication(struct matmul *matmul,
                                  const struct matmul_method *method)
{
    const double start = app_start();
    method->multiply(matmul);
    return app_seconds(start);
}

/* The largest difference between this rank's part of the product and that by the BLAS,
   in units of size * eps. */
static double difference(const struct matmul *matmul)
{
    const struct matmul_block *c = &matmul->c;
    const int size = matmul->size, rows = c->rows.count, columns = c->columns.count;
    struct matmul_block a = {.rows = c->rows, .columns = {0, size}};
    struct matmul_block b = {.rows = {0, size}, .columns = c->columns};
    const size_t count = matmul_block_count(c);
    double *product = calloc(count, sizeof *product);
    a.values = calloc(matmul_block_count(&a), sizeof *a.values);
    b.values = calloc(matmul_block_count(&b), sizeof *b.values);
    if (!product || !a.values || !b.values)
        out_of_memory(matmul);
    matmul_block_fill(&a, &(struct linear_system){size, A_SEED});
    matmul_block_fill(&b, &(struct linear_system){size, B_SEED});
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, size, 1,
                a.values, size, b.values, columns, 0, product, columns);
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        if (!(fabs(product[i] - c->values[i]) <= largest)) /* a NaN stays */
            largest = fabs(product[i] - c->values[i]);
    free(b.values);
    free(a.values);
    free(product);
    return largest / (size * DBL_EPSILON);
}

/* Whether the product agrees with the BLAS's. */
static bool check(const struct matmul *matmul)
{
    double worst = difference(matmul);
    int same = worst < 1;
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (matmul->rank == 0)
        printf("difference to the BLAS %g N eps\n", worst);
    if (!same && matmul->rank == 0)
        fprintf(stderr, "matmul: the product differs from that by the BLAS\n");
    return same;
}

static int run(void *self)
{
    struct options *options = self;
    struct matmul *matmul = &options->matmul;
    work_node_init(&matmul->node, options->model_only);
    options->method->lay_out(matmul);
    matmul_init(matmul);
    const double seconds = time_multiplication(matmul, options->method);
    if (matmul->rank == 0) {
        printf("time %.9g s\n", seconds);
        printf("speed %.4g Gflop/s\n", 2 * pow(matmul->size, 3) / seconds / 1e9);
    }
    const bool good = !options->check || check(matmul);
    matmul_clear(matmul);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* NULL: unknown name. */
static const struct matmul_method *find_method(const char *name)
{
    if (!strcmp(name, matmul_ring.name))
        return &matmul_ring;
    return strcmp(name, matmul_grid.name) ? NULL : &matmul_grid;
}

/* Whether the options are consistent, and possible on this many ranks. */
static bool check_options(void *self)
{
    struct options *options = self;
    struct matmul *matmul = &options->matmul;
    MPI_Comm_rank(MPI_COMM_WORLD, &matmul->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &matmul->ranks);
    options->method = find_method(options->algorithm ? options->algorithm : "A");
    if (!options->method)
        return app_complain("matmul", "--algorithm is neither A nor B: '%s'",
                            options->algorithm);
    if (!options->method->cut(matmul))
        return app_complain("matmul",
                            "--algorithm %s needs a square number of ranks: '%d'",
                            options->method->name, matmul->ranks);
    if (matmul->size < matmul->parts[0] || matmul->size > MAX_SIZE)
        return app_complain("matmul",
                            "--size must be between %d and %d on %d ranks: '%d'",
                            matmul->parts[0], MAX_SIZE, matmul->ranks, matmul->size);
    if (options->model_only && !work_simulated)
        return app_complain("matmul", "--model-only works in a simulation only");
    if (options->model_only && options->check)
        return app_complain("matmul", "--model-only leaves nothing to --check");
    return true;
}

int main(int argc, char **argv)
{
    struct options options = {.matmul = {.size = 0}};
    struct poptOption table[] = {
        {"size", 'n', POPT_ARG_INT, &options.matmul.size, 0, "rows and columns", "N"},
        {"algorithm", 'a', POPT_ARG_STRING, &options.algorithm, 0,
         "rows in a ring (A, the default) or blocks on a square grid (B)", "NAME"},
        {"blas", 'b', POPT_ARG_NONE, &options.matmul.blas, 0,
         "multiply by the BLAS, not by plain loops", NULL},
        {"check", 'c', POPT_ARG_NONE, &options.check, 0, "compare with the BLAS", NULL},
        {"model-only", '\0', POPT_ARG_NONE, &options.model_only, 0,
         "leave out the arithmetic and the matrices (simulated build)", NULL},
        POPT_TABLEEND,
    };
    const struct app app = {"matmul", table, check_options, run, &options};
    openblas_set_num_threads(1); /* a rank has one core */
    const int status = app_main(&app, argc, argv);
    free(options.algorithm);
    return status;
}
