/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spmm - the square of a sparse matrix in compressed columns. For each row, rank 0
 * searches the matrix for its elements and broadcasts them, and every rank multiplies
 * the row by its share of the columns. With equal numbers of columns, the middle ranks
 * have the most non-zeros, so they come late to the broadcasts; ranks wait for each
 * other nowhere else.
 */
#include "apps/common/app.h"
#include "apps/common/work.h"
#include "matrix.h"

#include <cblas.h>
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_SIZE = (1 << 24) - 1, MAX_SEED = 65535, MAX_CHECKED = 2000 };

struct options {
    struct spmm_shape shape;
    int rows; /* to be multiplied; less than 0: all */
    int seed, check, model_only;
    char *weights; /* owned; a file; NULL: the same number of columns for all ranks */
};

struct problem {
    struct work_node node;
    int rows;
    struct spmm_columns whole;     /* on rank 0 */
    struct spmm_columns own;       /* this rank's share of the columns */
    struct parts_summary summary;  /* of shares by weights */
    int *lengths;                  /* owned; non-zeros of each row */
    struct spmm_element *elements; /* owned; of the row that is multiplied now */
    double *row;     /* owned; the same with its zeros; NULL: model only */
    double *product; /* owned; row by row; NULL: model only */
};

/* Seconds of a rank. */
struct times {
    double total, broadcast;
};

noreturn static void out_of_memory(const struct options *options)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    app_give_up("spmm", "no memory for its columns of %d rows on rank %d",
                options->shape.size, rank);
}

/* Count the elements of each row, so that all ranks know the length of its message. */
static void agree_on_lengths(struct problem *problem, const struct spmm_shape *shape,
                             int rank)
{
    if (rank == 0 && !problem->node.model_only)
        spmm_count_rows(&problem->whole, problem->lengths);
    else if (rank == 0) /* all rows alike */
        for (int i = 0; i < shape->size; i++)
            problem->lengths[i] = (int)(problem->whole.nonzeros / shape->size);
    MPI_Bcast(problem->lengths, shape->size, MPI_INT, 0, MPI_COMM_WORLD);
}

static size_t longest_row(const struct problem *problem)
{
    int longest = 0;
    for (int i = 0; i < problem->rows; i++)
        if (problem->lengths[i] > longest)
            longest = problem->lengths[i];
    return (size_t)longest;
}

/* Find this rank's columns, from the first to before the end. False: the weights are
   wrong, and rank 0 has printed the reason. */
static bool choose_columns(struct problem *problem, const struct options *options,
                           int *first, int *end)
{
    const int size = options->shape.size;
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!options->weights) {
        *first = (int)((long)size * rank / ranks);
        *end = (int)((long)size * (rank + 1) / ranks);
        return true;
    }
    double *weights = app_weights("spmm", options->weights);
    if (!weights)
        return false;
    int *firsts = calloc((size_t)ranks + 1, sizeof *firsts);
    if (firsts) {
        spmm_cut_columns(&options->shape, weights, ranks, firsts, &problem->summary);
        *first = firsts[rank];
        *end = firsts[rank + 1];
    } else {
        out_of_memory(options);
    }
    free(firsts);
    free(weights);
    return true;
}

static bool problem_init(struct problem *problem, const struct options *options)
{
    const struct spmm_shape *shape = &options->shape;
    int rank, first, end;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *problem = (struct problem){.rows = options->rows};
    work_node_init(&problem->node, options->model_only);
    const struct work_node *node = &problem->node;

    if (!choose_columns(problem, options, &first, &end))
        return false;
    if (spmm_columns_init(&problem->own, node, shape, first, end - first) ||
        (rank == 0 && spmm_columns_init(&problem->whole, node, shape, 0, shape->size)))
        out_of_memory(options);
    problem->lengths = calloc((size_t)shape->size, sizeof *problem->lengths);
    if (!problem->lengths)
        out_of_memory(options);
    agree_on_lengths(problem, shape, rank);

    const size_t values = (size_t)options->rows * (size_t)(end - first);
    problem->elements =
        work_buffer(node, longest_row(problem) + 1, sizeof *problem->elements);
    problem->row = work_array(node, (size_t)shape->size, sizeof *problem->row);
    problem->product = work_array(node, values + 1, sizeof *problem->product);
    if (!problem->elements ||
        (!node->model_only && (!problem->row || !problem->product)))
        out_of_memory(options);
    return true;
}

static void problem_clear(struct problem *problem)
{
    free(problem->product);
    free(problem->row);
    work_buffer_free(&problem->node, problem->elements);
    free(problem->lengths);
    spmm_columns_clear(&problem->own);
    spmm_columns_clear(&problem->whole);
}

/* Multiply row `row`, whose elements have arrived. */
static void multiply_row(struct problem *problem, int row)
{
    const struct spmm_columns *own = &problem->own;
    if (problem->node.model_only) {
        spmm_multiply(own, NULL, NULL);
        return;
    }
    const struct spmm_element *elements = problem->elements;
    for (int i = 0; i < problem->lengths[row]; i++)
        problem->row[elements[i].column] = elements[i].value;
    spmm_multiply(own, problem->row,
                  problem->product + (size_t)row * (size_t)own->count);
    for (int i = 0; i < problem->lengths[row]; i++)
        problem->row[elements[i].column] = 0;
}

static struct times multiply(struct problem *problem)
{
    struct times times = {.broadcast = 0};
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const double start = app_start();
    for (int row = 0; row < problem->rows; row++) {
        if (rank == 0)
            spmm_extract_row(&problem->whole, row, problem->elements);
        const double before = MPI_Wtime();
        MPI_Bcast(problem->elements, problem->lengths[row], MPI_DOUBLE_INT, 0,
                  MPI_COMM_WORLD);
        times.broadcast += MPI_Wtime() - before;
        multiply_row(problem, row);
    }
    times.total = MPI_Wtime() - start;
    return times;
}

static void print_times(const struct times *times)
{
    struct times sum, slowest;
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Reduce(times, &sum, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(times, &slowest, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank != 0)
        return;
    printf("time %.9g s\n", slowest.total);
    printf("mean time of a rank %.9g s\n", sum.total / ranks);
    printf("mean time in MPI_Bcast %.9g s\n", sum.broadcast / ranks);
}

static void make_dense(double *dense, const struct spmm_columns *columns)
{
    for (int i = 0; i < columns->count; i++)
        for (size_t k = columns->starts[i]; k < columns->starts[i + 1]; k++)
            dense[(size_t)columns->rows[k] * (size_t)columns->count + (size_t)i] =
                columns->values[k];
}

/* The largest difference between this rank's part of the product and that of the same
   matrices with all their zeros. */
static double difference(const struct problem *problem, const struct options *options)
{
    const int size = options->shape.size, rows = problem->rows;
    const int count = problem->own.count;
    struct spmm_columns whole;
    if (spmm_columns_init(&whole, &problem->node, &options->shape, 0, size))
        out_of_memory(options);
    double *a = calloc((size_t)size * (size_t)size, sizeof *a);
    double *b = calloc((size_t)size * (size_t)count + 1, sizeof *b);
    double *product = calloc((size_t)rows * (size_t)count + 1, sizeof *product);
    if (!a || !b || !product)
        out_of_memory(options);
    make_dense(a, &whole);
    make_dense(b, &problem->own);
    if (count > 0)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, count, size, 1, a,
                    size, b, count, 0, product, count);
    double largest = 0;
    for (size_t i = 0; i < (size_t)rows * (size_t)count; i++)
        if (!(fabs(product[i] - problem->product[i]) <= largest)) /* a NaN stays */
            largest = fabs(product[i] - problem->product[i]);
    free(product);
    free(b);
    free(a);
    spmm_columns_clear(&whole);
    return largest;
}

/* Whether the product agrees with that of dense matrices. */
static bool check(const struct problem *problem, const struct options *options)
{
    double worst = difference(problem, options);
    int same = worst < 1e-14 * options->shape.size, rank;
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("difference to a dense product %g\n", worst);
    return same;
}

static int run(void *self)
{
    const struct options *options = self;
    struct problem problem;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!problem_init(&problem, options))
        return EXIT_FAILURE;
    const struct times times = multiply(&problem);
    print_times(&times);
    if (rank == 0 && options->weights)
        parts_print(&problem.summary, "non-zeros");
    const bool good = !options->check || check(&problem, options);
    if (!good && rank == 0)
        fprintf(stderr, "spmm: the result differs from a dense product\n");
    problem_clear(&problem);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Whether the options are consistent, and possible on this many ranks. */
static bool check_options(void *self)
{
    struct options *options = self;
    struct spmm_shape *shape = &options->shape;
    int ranks;
    if (options->rows < 0)
        options->rows = shape->size;
    if (options->seed < 0 || options->seed > MAX_SEED)
        return app_complain("spmm", "--seed must be between 0 and %d: '%d'", MAX_SEED,
                            options->seed);
    shape->seed = (unsigned)options->seed;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (shape->size < ranks || shape->size > MAX_SIZE)
        return app_complain("spmm",
                            "--size must be between %d and %d on %d ranks: '%d'", ranks,
                            MAX_SIZE, ranks, shape->size);
    if (!(shape->slope >= 0 && shape->slope <= 1))
        return app_complain("spmm", "--slope must be between 0 and 1: '%g'",
                            shape->slope);
    if (!(shape->density > 0 && shape->density <= (1 + shape->slope) / 2))
        return app_complain(
            "spmm",
            "--density must be above 0, and at most %g with a slope of %g: '%g'",
            (1 + shape->slope) / 2, shape->slope, shape->density);
    if (options->rows < 1 || options->rows > shape->size)
        return app_complain("spmm", "--rows must be between 1 and %d: '%d'",
                            shape->size, options->rows);
    if (options->check && shape->size > MAX_CHECKED)
        return app_complain("spmm", "--check takes at most %d rows, not '%d'",
                            MAX_CHECKED, shape->size);
    if (options->model_only && !work_simulated)
        return app_complain("spmm", "--model-only works in a simulation only");
    if (options->model_only && options->check)
        return app_complain("spmm", "--model-only leaves nothing to --check");
    return true;
}

int main(int argc, char **argv)
{
    struct options options = {
        .shape = {.density = 0.1, .slope = 1}, .rows = -1, .seed = 1};
    struct poptOption table[] = {
        {"size", 'n', POPT_ARG_INT, &options.shape.size, 0, "rows and columns", "N"},
        {"density", 'd', POPT_ARG_DOUBLE, &options.shape.density, 0,
         "share of non-zeros (0.1)", "SHARE"},
        {"slope", 's', POPT_ARG_DOUBLE, &options.shape.slope, 0,
         "non-zeros of the columns at the edges, as a share of the middle ones' (1)",
         "SHARE"},
        {"rows", 'r', POPT_ARG_INT, &options.rows, 0,
         "multiply only the first COUNT rows", "COUNT"},
        {"weights", 'w', POPT_ARG_STRING, &options.weights, 0,
         "make the parts, by their non-zeros, as large as the weights say, one a line "
         "for "
         "each rank",
         "FILE"},
        {"seed", '\0', POPT_ARG_INT, &options.seed, 0, "of the random matrix (1)",
         "NUMBER"},
        {"check", 'c', POPT_ARG_NONE, &options.check, 0, "compare with a dense product",
         NULL},
        {"model-only", '\0', POPT_ARG_NONE, &options.model_only, 0,
         "leave out the arithmetic and the matrices (simulated build)", NULL},
        POPT_TABLEEND,
    };
    const struct app app = {"spmm", table, check_options, run, &options};
    const int status = app_main(&app, argc, argv);
    free(options.weights);
    return status;
}
