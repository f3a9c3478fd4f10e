/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fft - the Fourier transform of a vector of N double precision complex numbers, in
 * one dimension, by the six-step method (as FFTE does it). FFTW transforms what a rank
 * has; the ranks exchange all their data with all others three times a transform.
 */
#include "apps/common/app.h"
#include "apps/common/work.h"
#include "lib/stats/random.h"
#include "six_step.h"

#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>

enum { MAX_SIZE = 1 << 30 };

/* Of the root mean square of a difference, relative to the values. */
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

/* In [-0.5, 0.5). */
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

/* How far the transform is from FFTW's, which rank 0 makes alone; on rank 0. */
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

/* How far the transform, turned back, is from the vector; on rank 0. Spoils it. */
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

/* Whether the transform is right; says so on rank 0. */
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

/* Whether the options make sense together, and on this many ranks. */
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
