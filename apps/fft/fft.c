/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fft - the Fourier transform of a vector of N double precision complex numbers, in one
 * dimension, by the six-step method (as FFTE does it). FFTW transforms a rank's data;
 * all ranks exchange their data with all others three times per transform.
 */
#include "apps/common/app.h"
#include "apps/common/work.h"
#include "lib/stats/random.h"

#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>

/*
 * The Fourier transform of a vector of complex numbers that is cut into
 * contiguous pieces, one for each rank, in natural order before and after.
 *
 * The six-step method treats the vector as a matrix, row by row: transpose, transform
 * the rows, multiply by twiddle factors, transpose, transform the rows, transpose. A
 * rank has whole rows, so only the transpositions pass messages. When the ranks divide
 * both edges of the matrix, all ranks have as many rows and all messages are equally
 * long (MPI_Alltoall); otherwise some ranks have a row more than others
 * (MPI_Alltoallv), and the others wait for them.
 */

/* An edge of the matrix. What is owned is NULL in a model-only run. */
struct six_step_edge {
    int length;
    int first, count;              /* this rank's rows, when the edge counts rows */
    fftw_plan plan;                /* owned; transforms `length` numbers in place */
    double complex *coarse, *fine; /* owned; powers, up to `length`, of the roots of
                                      unity of order `length` and of the vector's */
};

struct six_step {
    int size; /* numbers in the vector */
    MPI_Comm comm;
    int rank, ranks;
    struct work_node node;
    struct six_step_edge edges[2];  /* rows and columns, before the transform */
    bool even;                      /* all ranks have as many rows */
    double complex *send, *receive; /* owned; a rank's share each */
    int *counts;                    /* owned; four for each rank */
};

/* Efficiency on simulated nodes with data in cache: of transforms, and of moving
   numbers (one operation per two). */
static const double transform_efficiency = 0.3, move_efficiency = 0.5;

/* Columns that are packed at a time: two cache lines of each row. */
enum { STRIP = 8 };

static int first_row(const struct six_step_edge *edge, int rank, int ranks)
{
    return (int)((long long)edge->length * rank / ranks);
}

static int rows_of(const struct six_step_edge *edge, int rank, int ranks)
{
    return first_row(edge, rank + 1, ranks) - first_row(edge, rank, ranks);
}

static int largest_divisor_up_to_root(int size)
{
    int divisor = (int)sqrt(size);
    while (size % divisor != 0)
        divisor--;
    return divisor;
}

/* Fill in the first `count` powers of the root of unity of order `order`. */
static void fill_powers(double complex *powers, int count, int order)
{
    for (int i = 0; i < count; i++)
        powers[i] = cexp(-2 * M_PI * I * i / order);
}

static int edge_init(struct six_step_edge *edge, const struct six_step *fft, int length)
{
    const size_t count = (size_t)length;
    edge->length = length;
    edge->first = first_row(edge, fft->rank, fft->ranks);
    edge->count = rows_of(edge, fft->rank, fft->ranks);
    if (fft->node.model_only)
        return 0;
    edge->coarse = work_array(&fft->node, count, sizeof *edge->coarse);
    edge->fine = work_array(&fft->node, count, sizeof *edge->fine);
    if (!edge->coarse || !edge->fine)
        return -1;
    /* An estimated plan is the same on all ranks and in all runs. */
    edge->plan =
        fftw_plan_dft_1d(length, edge->fine, edge->fine, FFTW_FORWARD, FFTW_ESTIMATE);
    fill_powers(edge->coarse, length, length);
    fill_powers(edge->fine, length, fft->size);
    return edge->plan ? 0 : -1;
}

static void edge_clear(struct six_step_edge *edge)
{
    if (edge->plan)
        fftw_destroy_plan(edge->plan);
    free(edge->fine);
    free(edge->coarse);
}

static void six_step_clear(struct six_step *fft)
{
    free(fft->counts);
    if (fft->receive)
        work_buffer_free(&fft->node, fft->receive);
    if (fft->send)
        work_buffer_free(&fft->node, fft->send);
    edge_clear(&fft->edges[1]);
    edge_clear(&fft->edges[0]);
    *fft = (struct six_step){.size = 0};
}

/* Numbers in this rank's piece, and how many come before it: of the vector, and of
   its transform. */
static int six_step_count(const struct six_step *fft, bool transformed)
{
    return fft->edges[transformed].count * fft->edges[!transformed].length;
}

static int six_step_first(const struct six_step *fft, bool transformed)
{
    return fft->edges[transformed].first * fft->edges[!transformed].length;
}

/* The most numbers that this rank has at any time, the size of its arrays. */
static size_t six_step_room(const struct six_step *fft)
{
    const int before = six_step_count(fft, false), after = six_step_count(fft, true);
    const int most = before > after ? before : after;
    return most > 0 ? (size_t)most : 1;
}

/*
 * Prepare transforms of `size` numbers, whose matrix is as nearly square as possible.
 * Returns 0, or -1 when memory is short. No communication.
 */
static int six_step_init(struct six_step *fft, MPI_Comm comm,
                         const struct work_node *node, int size)
{
    *fft = (struct six_step){.size = size, .comm = comm, .node = *node};
    MPI_Comm_rank(comm, &fft->rank);
    MPI_Comm_size(comm, &fft->ranks);
    const int rows = largest_divisor_up_to_root(size), columns = size / rows;
    fft->even = rows % fft->ranks == 0 && columns % fft->ranks == 0;

    int status = edge_init(&fft->edges[0], fft, rows);
    status |= edge_init(&fft->edges[1], fft, columns);
    fft->send = work_buffer(node, six_step_room(fft), sizeof *fft->send);
    fft->receive = work_buffer(node, six_step_room(fft), sizeof *fft->receive);
    fft->counts = calloc((size_t)fft->ranks, 4 * sizeof *fft->counts);
    if (status == 0 && fft->send && fft->receive && fft->counts)
        return 0;
    six_step_clear(fft);
    return -1;
}

/* Charge a pass that moves `numbers` numbers; return whether to do it. */
static bool move(const struct six_step *fft, double numbers)
{
    const double bytes = sizeof(double complex) * numbers;
    /* They are read and written, and a line is read before it is written. */
    const struct work work = {.flops = 2 * numbers,
                              .efficiency = move_efficiency,
                              .working_set = 2 * bytes,
                              .bytes = 3 * bytes};
    return work_run(&fft->node, &work);
}

/* Transpose a block of a matrix whose rows are `stride` long to `out`. */
static void pack(const double complex *in, int rows, int columns, int stride,
                 double complex *out)
{
    for (int strip = 0; strip < columns; strip += STRIP) {
        const int end = strip + STRIP < columns ? strip + STRIP : columns;
        for (int i = 0; i < rows; i++)
            for (int j = strip; j < end; j++)
                out[(size_t)j * (size_t)rows + (size_t)i] =
                    in[(size_t)i * (size_t)stride + (size_t)j];
    }
}

/* Put a block between the columns of a matrix whose rows are `stride` long. */
static void unpack(const double complex *in, int rows, int columns, int stride,
                   double complex *out)
{
    for (int i = 0; i < rows; i++)
        memcpy(out + (size_t)i * (size_t)stride, in + (size_t)i * (size_t)columns,
               (size_t)columns * sizeof *in);
}

/* Exchange the blocks packed for the ranks. */
static void exchange(const struct six_step *fft, const struct six_step_edge *rows,
                     const struct six_step_edge *columns)
{
    const int ranks = fft->ranks;
    work_incast((double)sizeof *fft->send * fft->size / ranks / ranks);
    if (fft->even) {
        const int block = rows->count * columns->count;
        MPI_Alltoall(fft->send, block, MPI_C_DOUBLE_COMPLEX, fft->receive, block,
                     MPI_C_DOUBLE_COMPLEX, fft->comm);
        return;
    }
    int *sent = fft->counts, *sent_first = sent + ranks;
    int *received = sent_first + ranks, *received_first = received + ranks;
    for (int i = 0; i < ranks; i++) {
        sent[i] = rows->count * rows_of(columns, i, ranks);
        sent_first[i] = rows->count * first_row(columns, i, ranks);
        received[i] = columns->count * rows_of(rows, i, ranks);
        received_first[i] = columns->count * first_row(rows, i, ranks);
    }
    MPI_Alltoallv(fft->send, sent, sent_first, MPI_C_DOUBLE_COMPLEX, fft->receive,
                  received, received_first, MPI_C_DOUBLE_COMPLEX, fft->comm);
}

/* Turn rows, `columns` long, into columns: `out` has rows that are `rows` long. */
static void transpose(const struct six_step *fft, const struct six_step_edge *rows,
                      const struct six_step_edge *columns, const double complex *in,
                      double complex *out)
{
    if (move(fft, (double)rows->count * columns->length))
        for (int i = 0; i < fft->ranks; i++) {
            const int first = first_row(columns, i, fft->ranks);
            pack(in + first, rows->count, rows_of(columns, i, fft->ranks),
                 columns->length, fft->send + (size_t)rows->count * (size_t)first);
        }
    exchange(fft, rows, columns);
    if (move(fft, (double)columns->count * rows->length))
        for (int i = 0; i < fft->ranks; i++) {
            const int first = first_row(rows, i, fft->ranks);
            unpack(fft->receive + (size_t)columns->count * (size_t)first,
                   columns->count, rows_of(rows, i, fft->ranks), rows->length,
                   out + first);
        }
}

/* Multiply number j of the matrix's row i by the vector's root of unity to i * j. */
static void twiddle(const struct six_step_edge *rows,
                    const struct six_step_edge *columns, int i, double complex *row)
{
    for (int j = 0; j < columns->length; j++) {
        const long long power = (long long)i * j;
        row[j] *= rows->coarse[power / columns->length] *
                  columns->fine[power % columns->length];
    }
}

static void transform_rows(const struct six_step *fft, const struct six_step_edge *rows,
                           const struct six_step_edge *columns, bool twiddled,
                           double complex *values)
{
    const double numbers = (double)rows->count * columns->length;
    const double bytes = sizeof(double complex) * numbers;
    const double flops = 5 * log2(columns->length) + (twiddled ? 12 : 0);
    const struct work work = {.flops = flops * numbers,
                              .efficiency = transform_efficiency,
                              .working_set = bytes,
                              .bytes = 2 * bytes};
    if (!work_run(&fft->node, &work))
        return;
    for (int i = 0; i < rows->count; i++) {
        double complex *row = values + (size_t)i * (size_t)columns->length;
        fftw_execute_dft(columns->plan, row, row);
        if (twiddled)
            twiddle(rows, columns, rows->first + i, row);
    }
}

static void transform(const struct six_step *fft, const struct six_step_edge *rows,
                      const struct six_step_edge *columns, const double complex *in,
                      double complex *out)
{
    transpose(fft, rows, columns, in, out);
    transform_rows(fft, columns, rows, true, out);
    transpose(fft, columns, rows, out, out);
    transform_rows(fft, rows, columns, false, out);
    transpose(fft, rows, columns, out, out);
}

/* Transform `in` to `out`, which may be the same; both NULL: model only. */
static void six_step_forward(const struct six_step *fft, const double complex *in,
                             double complex *out)
{
    transform(fft, &fft->edges[0], &fft->edges[1], in, out);
}

/* Turn a transform back into its vector, in place. Not for model-only runs. */
static void six_step_inverse(const struct six_step *fft, double complex *values)
{
    const int before = six_step_count(fft, true), after = six_step_count(fft, false);
    for (int i = 0; i < before; i++)
        values[i] = conj(values[i]);
    transform(fft, &fft->edges[1], &fft->edges[0], values, values);
    for (int i = 0; i < after; i++)
        values[i] = conj(values[i]) / fft->size;
}

enum { MAX_SIZE = 1 << 30 };

/* Tolerance of the root mean square difference, relative to the values. */
static const double tolerance = 1e-14;

struct options {
    int size, iterations;
    int check, model_only;
};

/* All pointers owned; NULL: model only. */
struct problem {
    struct six_step fft;
    double complex *vector, *transformed; /* this rank's pieces */
};

/* Uniform in [-0.5, 0.5). */
static double random_number(uint64_t index)
{
    return mt_random_uniform(mt_random_at(index)) - 0.5;
}

static void fill(double complex *vector, int first, int count)
{
    for (int i = 0; i < count; i++) {
        const uint64_t index = 2 * ((uint64_t)first + (uint64_t)i + 1);
        vector[i] = random_number(index) + I * random_number(index + 1);
    }
}

noreturn static void out_of_memory(int count)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    app_give_up("fft", "no memory for %d numbers on rank %d", count, rank);
}

static void problem_init(struct problem *problem, const struct options *options)
{
    struct work_node node;
    work_node_init(&node, options->model_only);
    *problem = (struct problem){.vector = NULL};
    struct six_step *fft = &problem->fft;
    if (six_step_init(fft, MPI_COMM_WORLD, &node, options->size))
        out_of_memory(options->size);
    const size_t room = six_step_room(fft);
    problem->vector = work_array(&node, room, sizeof *problem->vector);
    problem->transformed = work_array(&node, room, sizeof *problem->transformed);
    if (problem->vector && problem->transformed)
        fill(problem->vector, six_step_first(fft, false), six_step_count(fft, false));
    else if (!node.model_only)
        out_of_memory(options->size);
}

static void problem_clear(struct problem *problem)
{
    free(problem->transformed);
    free(problem->vector);
    six_step_clear(&problem->fft);
}

/* Seconds of the slowest rank, on rank 0. */
static double time_transforms(const struct problem *problem, int iterations)
{
    const double start = app_start();
    for (int i = 0; i < iterations; i++)
        six_step_forward(&problem->fft, problem->vector, problem->transformed);
    return app_seconds(start);
}

/* Add up the squares: of the differences to `exact`, and of its values. */
static void add_squares(const double complex *values, const double complex *exact,
                        int count, double sums[2])
{
    for (int i = 0; i < count; i++) {
        const double difference = cabs(values[i] - exact[i]), value = cabs(exact[i]);
        sums[0] += difference * difference;
        sums[1] += value * value;
    }
}

/* Bring all pieces of the transform to rank 0. */
static void gather(const struct problem *problem, double complex *whole)
{
    const struct six_step *fft = &problem->fft;
    const int count = six_step_count(fft, true), first = six_step_first(fft, true);
    int *counts = calloc((size_t)fft->ranks, sizeof *counts);
    int *firsts = calloc((size_t)fft->ranks, sizeof *firsts);
    if (!counts || !firsts)
        out_of_memory(fft->ranks);
    MPI_Gather(&count, 1, MPI_INT, counts, 1, MPI_INT, 0, fft->comm);
    MPI_Gather(&first, 1, MPI_INT, firsts, 1, MPI_INT, 0, fft->comm);
    MPI_Gatherv(problem->transformed, count, MPI_C_DOUBLE_COMPLEX, whole, counts,
                firsts, MPI_C_DOUBLE_COMPLEX, 0, fft->comm);
    free(firsts);
    free(counts);
}

/* The difference of the transform from FFTW's, which rank 0 computes alone; on rank
   0. */
static double difference_to_fftw(const struct problem *problem)
{
    const struct six_step *fft = &problem->fft;
    if (fft->rank != 0) {
        gather(problem, NULL);
        return 0;
    }
    const size_t size = (size_t)fft->size;
    double complex *whole = calloc(size, sizeof *whole);
    double complex *exact = calloc(size, sizeof *exact);
    if (!whole || !exact)
        out_of_memory(fft->size);
    gather(problem, whole);
    fill(exact, 0, fft->size);
    const fftw_plan plan =
        fftw_plan_dft_1d(fft->size, exact, exact, FFTW_FORWARD, FFTW_ESTIMATE);
    if (!plan)
        out_of_memory(fft->size);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    double sums[2] = {0, 0};
    add_squares(whole, exact, fft->size, sums);
    free(exact);
    free(whole);
    return sqrt(sums[0] / sums[1]);
}

/* The difference of the inverse transform from the vector; on rank 0. Overwrites the
   transform. */
static double difference_of_round_trip(const struct problem *problem)
{
    const struct six_step *fft = &problem->fft;
    double sums[2] = {0, 0}, totals[2] = {0, 1};
    six_step_inverse(fft, problem->transformed);
    add_squares(problem->transformed, problem->vector, six_step_count(fft, false),
                sums);
    MPI_Reduce(sums, totals, 2, MPI_DOUBLE, MPI_SUM, 0, fft->comm);
    return sqrt(totals[0] / totals[1]);
}

/* Whether the transform is right; rank 0 prints the differences. */
static bool check(const struct problem *problem)
{
    const double direct = difference_to_fftw(problem);
    const double returned = difference_of_round_trip(problem);
    int good = direct < tolerance && returned < tolerance; /* a NaN is not */
    MPI_Bcast(&good, 1, MPI_INT, 0, problem->fft.comm);
    if (problem->fft.rank == 0) {
        printf("difference to FFTW on one rank %.3g\n", direct);
        printf("difference after the round trip %.3g\n", returned);
        if (!good)
            fprintf(stderr, "fft: a difference is not below %g\n", tolerance);
    }
    return good;
}

static int run(void *self)
{
    const struct options *options = self;
    struct problem problem;
    problem_init(&problem, options);
    const double seconds = time_transforms(&problem, options->iterations);
    const struct six_step *fft = &problem.fft;
    if (fft->rank == 0) {
        const double one = seconds / options->iterations;
        printf("time %.9g s\n", seconds);
        printf("iteration %.9g s\n", one);
        printf("speed %.4g Gflop/s\n",
               5.0 * options->size * log2(options->size) / one / 1e9);
        printf("partition %d x %d, %s\n", fft->edges[0].length, fft->edges[1].length,
               fft->even ? "even" : "uneven");
    }
    const bool good = options->model_only || !options->check || check(&problem);
    problem_clear(&problem);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

static bool has_small_factors_only(int size)
{
    static const int factors[] = {2, 3, 5};
    for (int i = 0; i < 3; i++)
        while (size % factors[i] == 0)
            size /= factors[i];
    return size == 1;
}

/* Whether the options are consistent, and possible on this many ranks. */
static bool check_options(void *self)
{
    const struct options *options = self;
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const double smallest = (double)ranks * ranks;
    if (options->size < smallest || options->size > MAX_SIZE)
        return app_complain("fft",
                            "--size must be between %.0f and %d on %d ranks: '%d'",
                            smallest, MAX_SIZE, ranks, options->size);
    if (!has_small_factors_only(options->size))
        return app_complain("fft",
                            "--size must be a product of powers of 2, 3 and 5: '%d'",
                            options->size);
    if (options->iterations < 1)
        return app_complain("fft", "--iterations must be at least 1: '%d'",
                            options->iterations);
    if (options->model_only && !work_simulated)
        return app_complain("fft", "--model-only works in a simulation only");
    if (options->model_only && options->check)
        return app_complain("fft", "--model-only leaves nothing to --check");
    return true;
}

int main(int argc, char **argv)
{
    struct options options = {.iterations = 10};
    struct poptOption table[] = {
        {"size", 'n', POPT_ARG_INT, &options.size, 0, "length of the vector", "N"},
        {"iterations", 'i', POPT_ARG_INT, &options.iterations, 0,
         "how many transforms (10)", "COUNT"},
        {"check", 'c', POPT_ARG_NONE, &options.check, 0,
         "compare with FFTW on one rank, and go the way back", NULL},
        {"model-only", '\0', POPT_ARG_NONE, &options.model_only, 0,
         "leave out the arithmetic and the vector (simulated build)", NULL},
        POPT_TABLEEND,
    };
    const struct app app = {"fft", table, check_options, run, &options};
    return app_main(&app, argc, argv);
}
