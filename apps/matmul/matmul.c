/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matmul - the product C = A B of square matrices by one of two methods: rows that go
 * around a ring of processes (A), or blocks on a square grid of them (B). Communication
 * and computation do not overlap, and the inner loops are plain, so that the steps show
 * that the sizes of caches make.
 */
#include "matmul.h"

#include "apps/common/arguments.h"
#include "apps/common/give_up.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZE = 32768 }; /* MPI counts the values of a message in an int */

/* Of the systems of equations whose coefficients the matrices are. */
enum { A_SEED = 1, B_SEED };

struct options {
    const struct matmul_method *method;
    bool check, model_only;
};

noreturn static void out_of_memory(const struct matmul *matmul)
{
    give_up("matmul", "no memory for its parts of %d rows on rank %d", matmul->size,
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
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    method->multiply(matmul);
    const double seconds = MPI_Wtime() - start;
    double slowest = 0;
    MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return slowest;
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

/* Whether the product is the BLAS's. */
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

static int run(struct matmul *matmul, const struct options *options)
{
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

/* Whether the options make sense together, and on this many ranks. */
static enum arguments_outcome check_options(struct matmul *matmul,
                                            const struct options *options)
{
    if (!options->method->cut(matmul))
        return arguments_complain("matmul",
                                  "--algorithm %s needs a square number of ranks: '%d'",
                                  options->method->name, matmul->ranks);
    if (matmul->size < matmul->parts[0] || matmul->size > MAX_SIZE)
        return arguments_complain(
            "matmul", "--size must be between %d and %d on %d ranks: '%d'",
            matmul->parts[0], MAX_SIZE, matmul->ranks, matmul->size);
    if (options->model_only && !work_simulated)
        return arguments_complain("matmul", "--model-only works in a simulation only");
    if (options->model_only && options->check)
        return arguments_complain("matmul", "--model-only leaves nothing to --check");
    return ARGUMENTS_RUN;
}

/* NULL: there is none of this name. */
static const struct matmul_method *find_method(const char *name)
{
    if (!strcmp(name, matmul_ring.name))
        return &matmul_ring;
    return strcmp(name, matmul_grid.name) ? NULL : &matmul_grid;
}

static enum arguments_outcome read_arguments(struct matmul *matmul,
                                             struct options *options, int argc,
                                             char **argv)
{
    int blas = 0, check_wanted = 0, model_only = 0;
    char *algorithm = NULL;
    struct poptOption table[] = {
        {"size", 'n', POPT_ARG_INT, &matmul->size, 0, "rows and columns", "N"},
        {"algorithm", 'a', POPT_ARG_STRING, &algorithm, 0,
         "rows in a ring (A, the default) or blocks on a square grid (B)", "NAME"},
        {"blas", 'b', POPT_ARG_NONE, &blas, 0,
         "multiply by the BLAS, not by plain loops", NULL},
        {"check", 'c', POPT_ARG_NONE, &check_wanted, 0, "compare with the BLAS", NULL},
        {"model-only", '\0', POPT_ARG_NONE, &model_only, 0,
         "leave out the arithmetic and the matrices (simulated build)", NULL},
        POPT_TABLEEND,
    };
    enum arguments_outcome outcome = arguments_read("matmul", table, argc, argv);
    matmul->blas = blas;
    options->check = check_wanted;
    options->model_only = model_only;
    options->method = find_method(algorithm ? algorithm : "A");
    if (outcome == ARGUMENTS_RUN && !options->method)
        outcome = arguments_complain("matmul", "--algorithm is neither A nor B: '%s'",
                                     algorithm);
    free(algorithm);
    return outcome == ARGUMENTS_RUN ? check_options(matmul, options) : outcome;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    openblas_set_num_threads(1); /* a rank has one core */
    struct matmul matmul = {.size = 0};
    struct options options = {.method = NULL};
    MPI_Comm_rank(MPI_COMM_WORLD, &matmul.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &matmul.ranks);

    int code = EXIT_SUCCESS;
    switch (read_arguments(&matmul, &options, argc, argv)) {
    case ARGUMENTS_RUN:
        code = run(&matmul, &options);
        break;
    case ARGUMENTS_HELPED:
        break;
    case ARGUMENTS_WRONG:
        code = 2;
        break;
    }
    MPI_Finalize();
    return code;
}
