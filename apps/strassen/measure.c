/* SPDX-License-Identifier: BSD-3-Clause */
#include "tasks.h"

#include "apps/common/linear_system.h"
#include "lib/stats/stats.h"
#include "overlap.h"
#include "work.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Of a matrix; MPI counts the values of a message in an int. */
enum { LARGEST_PIECE = 1 << 30 };

/* What is timed: a product of the first two matrices, or messages of them. */
struct measurement {
    enum strassen_task task;
    int size, levels, rank;
    struct strassen_worker worker;
    double *matrices[3];
};

static int count_matrices(const struct measurement *measurement)
{
    static const int counts[] = {[STRASSEN_PRODUCT] = 3,
                                 [STRASSEN_TRANSFER] = 1,
                                 [STRASSEN_EXCHANGE] = 2,
                                 [STRASSEN_OVERLAP] = 3};
    return counts[measurement->task];
}

static void fill(double *values, int size, unsigned seed)
{
    const struct linear_system numbers = {size, seed};
    for (int column = 0; column < size; column++)
        for (int row = 0; row < size; row++)
            *values++ = linear_system_entry(&numbers, row, column);
}

/* Large pages where the system has them, as mt_pdgemm() takes for its memory: sums are
   faster there. Before the memory is touched; a wish: it may fail. */
static void want_large_pages(double *values, size_t count)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t)values + page - 1) / page * page;
    const uintptr_t end = (uintptr_t)(values + count);
    if (end > first)
        madvise((void *)first, end - first, MADV_HUGEPAGE);
}

/* The matrices' pages, and the workspace's, are there before the clock starts. */
static bool make_values(struct measurement *measurement)
{
    struct strassen_worker *worker = &measurement->worker;
    const int size = measurement->size;
    for (int i = 0; i < count_matrices(measurement); i++) {
        if (!measurement->matrices[i])
            return false;
        want_large_pages(measurement->matrices[i], (size_t)size * (size_t)size);
        fill(measurement->matrices[i], size, (unsigned)i);
    }
    if (measurement->task == STRASSEN_TRANSFER ||
        measurement->task == STRASSEN_EXCHANGE)
        return true;
    const struct mt_strassen_how how = {.levels = &measurement->levels};
    worker->room = mt_strassen_workspace(&how, size, size, size, 0);
    worker->workspace = calloc(worker->room + 1, sizeof *worker->workspace);
    if (!worker->workspace)
        return false;
    want_large_pages(worker->workspace, worker->room);
    for (size_t i = 0; i < worker->room; i++)
        worker->workspace[i] = 1;
    return true;
}

static void measurement_clear(struct measurement *measurement)
{
    free(measurement->worker.workspace);
    for (int i = 0; i < count_matrices(measurement); i++)
        if (measurement->matrices[i])
            work_buffer_free(&measurement->worker.node, measurement->matrices[i]);
}

static int measurement_init(struct measurement *measurement, struct mt_error *err)
{
    const size_t values = (size_t)measurement->size * (size_t)measurement->size;
    const struct work_node *node = &measurement->worker.node;
    for (int i = 0; i < count_matrices(measurement); i++)
        measurement->matrices[i] = work_buffer(node, values, sizeof(double));
    int have = node->model_only || make_values(measurement);
    MPI_Allreduce(MPI_IN_PLACE, &have, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return have ? MT_OK
                : mt_fail(err, MT_ENOMEM, "no memory for %d matrices of %d x %d",
                          count_matrices(measurement), measurement->size,
                          measurement->size);
}

static int next_piece(size_t left)
{
    return left < LARGEST_PIECE ? (int)left : LARGEST_PIECE;
}

/* From one rank to the other. */
static void pass(double *values, size_t count, bool sends, int other)
{
    for (size_t done = 0; done < count; done += LARGEST_PIECE)
        if (sends)
            MPI_Send(values + done, next_piece(count - done), MPI_DOUBLE, other, 0,
                     MPI_COMM_WORLD);
        else
            MPI_Recv(values + done, next_piece(count - done), MPI_DOUBLE, other, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Both ways at once. */
static void swap(double *out, double *in, size_t count, int other)
{
    for (size_t done = 0; done < count; done += LARGEST_PIECE) {
        const int piece = next_piece(count - done);
        MPI_Sendrecv(out + done, piece, MPI_DOUBLE, other, 0, in + done, piece,
                     MPI_DOUBLE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Seconds of one time, on this rank; of an overlap's parts, each by itself. */
static double take_time(struct measurement *measurement, enum strassen_task task)
{
    const int size = measurement->size, rank = measurement->rank;
    const size_t values = (size_t)size * (size_t)size;
    double *const *matrices = measurement->matrices;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    if (task == STRASSEN_TRANSFER) {
        /* there and back: one clock sees both ends */
        pass(matrices[0], values, rank == 0, 1 - rank);
        pass(matrices[0], values, rank == 1, 1 - rank);
        return (MPI_Wtime() - start) / 2;
    }
    if (task == STRASSEN_EXCHANGE)
        swap(matrices[0], matrices[1], values, 1 - rank);
    else
        strassen_work_multiply(&measurement->worker, size, size, size, 1, matrices[0],
                               size, matrices[1], size, 0, matrices[2], size,
                               measurement->levels, NULL, NULL);
    return MPI_Wtime() - start;
}

/* Of each time that of the slower rank, or the faster one's. */
static void agree_on_times(double *seconds, int count, MPI_Op which)
{
    MPI_Allreduce(MPI_IN_PLACE, seconds, count, MPI_DOUBLE, which, MPI_COMM_WORLD);
}

/* What messages and products take together, where each alone takes a second: where
   messages scatter by a factor of two, this scatters less. */
static int take_overlaps(struct measurement *measurement, double *seconds, int repeat,
                         struct mt_error *err)
{
    enum { ALONE = 3 };
    double exchanges[ALONE], products[ALONE];
    for (int i = 0; i < ALONE; i++) {
        exchanges[i] = take_time(measurement, STRASSEN_EXCHANGE);
        products[i] = take_time(measurement, STRASSEN_PRODUCT);
    }
    agree_on_times(exchanges, ALONE, MPI_MAX);
    agree_on_times(products, ALONE, MPI_MIN);
    const double exchange = mt_median(exchanges, ALONE),
                 product = mt_median(products, ALONE);
    int status = MT_OK;
    for (int i = 0; i < repeat && status == MT_OK; i++) {
        double overlap = 0;
        status = strassen_overlap(&overlap, &measurement->worker, measurement->size,
                                  exchange, product, err);
        seconds[i] = 2 - overlap;
    }
    return status;
}

static int take_times(struct measurement *measurement, double *seconds, int repeat,
                      struct mt_error *err)
{
    if (measurement->task == STRASSEN_OVERLAP)
        return take_overlaps(measurement, seconds, repeat, err);
    for (int i = 0; i < repeat; i++)
        seconds[i] = take_time(measurement, measurement->task);
    agree_on_times(seconds, repeat, MPI_MAX);
    return MT_OK;
}

/* Print the median. */
static int take_median(struct measurement *measurement, int repeat,
                       struct mt_error *err)
{
    double *seconds = calloc((size_t)repeat, sizeof *seconds);
    int have = seconds != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &have, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    const int status = have && seconds
                           ? take_times(measurement, seconds, repeat, err)
                           : mt_fail(err, MT_ENOMEM, "no memory for %d times", repeat);
    if (status == MT_OK && measurement->rank == 0)
        printf("time %.9g s\n", mt_median(seconds, repeat));
    free(seconds);
    return status;
}

int strassen_measure(const struct strassen_options *options, struct mt_error *err)
{
    struct measurement measurement = {
        .task = options->task, .size = options->sizes.m, .levels = options->levels};
    MPI_Comm_rank(MPI_COMM_WORLD, &measurement.rank);
    work_node_init(&measurement.worker.node, options->model_only);
    int status = measurement_init(&measurement, err);
    if (status == MT_OK)
        status = take_median(&measurement, options->repeat ? options->repeat : 1, err);
    measurement_clear(&measurement);
    return status;
}
