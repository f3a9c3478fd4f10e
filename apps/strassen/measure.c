/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures products, transfers, exchanges, and how far messages overlap products. */
#include "apps/common/linear_system.h"
#include "lib/stats/stats.h"
#include "matrix.h"
#include "strassen.h"
#include "work.h"

#include <math.h>
#include <motley/error.h>
#include <motley/pdgemm.h>
#include <motley/strassen.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Measures how far messages overlap products. */

/* Width over height, limited so that the product's second operand gets no larger. */
enum { WIDEST = 4 };

/* Two ranks side by side, in two steps: each begins with its own half of A, while the
   other half, for the second step, is in transit. */
struct overlapped {
    struct mt_partition partition;
    struct mt_partition_product product;
    struct mt_pdgemm_part parts[3];
};

static int cut(struct mt_partition *partition, struct mt_error *err)
{
    *partition =
        (struct mt_partition){.kind = MT_PARTITION_AUTO, .ranks = 2, .panels = 2};
    int status = MT_OK;
    for (int rank = 0; rank < 2 && status == MT_OK; rank++) {
        const struct mt_partition_tile half = {
            .rank = rank, .bottom = 1, .left = rank / 2.0, .right = (rank + 1) / 2.0};
        status = mt_partition_add(partition, &half, err);
    }
    return status;
}

static int make_parts(struct overlapped *overlapped, const struct work_node *node,
                      struct mt_error *err)
{
    int rank, status = MT_OK;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3 && status == MT_OK; i++) {
        const enum mt_pdgemm_matrix matrix = (enum mt_pdgemm_matrix)i;
        struct mt_pdgemm_part *part = &overlapped->parts[i];
        status =
            node->model_only
                ? mt_pdgemm_part_init_empty(part, &overlapped->partition,
                                            &overlapped->product, matrix, rank, err)
                : mt_pdgemm_part_init(part, &overlapped->partition,
                                      &overlapped->product, matrix, rank, err);
        if (status == MT_OK && matrix != MT_PDGEMM_C)
            strassen_matrix_fill(part, matrix, i, false);
    }
    return status;
}

static int multiply(struct overlapped *overlapped, struct strassen_worker *worker,
                    bool overlap, struct mt_partition_times *times,
                    struct mt_error *err)
{
    const struct mt_pdgemm_machine machine = strassen_work_machine(worker);
    struct mt_pdgemm_part *parts = overlapped->parts;
    struct mt_pdgemm_report report = {.seconds = 0};
    overlapped->partition.overlap = overlapped->partition.rolled = overlap;
    const int status =
        mt_pdgemm(&overlapped->partition, &overlapped->product, 1, &parts[MT_PDGEMM_A],
                  &parts[MT_PDGEMM_B], 0, &parts[MT_PDGEMM_C], &machine, MPI_COMM_WORLD,
                  &report, err);
    *times = report.times;
    return status;
}

/* The saved share of the exchange: one minus a rank's time beyond its products, over
   the time that could be saved. */
static int find_overlap(double *overlap, struct overlapped *overlapped,
                        struct strassen_worker *worker, double exchange,
                        struct mt_error *err)
{
    struct mt_partition_times alone, together;
    int status = multiply(overlapped, worker, false, &alone, err);
    if (status == MT_OK)
        status = multiply(overlapped, worker, true, &together, err);
    if (status != MT_OK)
        return status;
    double product = alone.compute / overlapped->partition.panels;
    double rest = together.compute + together.communication - alone.compute;
    MPI_Allreduce(MPI_IN_PLACE, &product, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &rest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    *overlap = fmin(fmax((exchange - rest) / fmin(exchange, product), 0), 1);
    return MT_OK;
}

/*
 * The share of an exchange's time that is hidden while both ranks compute products of
 * equal duration: 1 all, 0 nothing. They swap `size` x `size` matrices and call
 * mt_pdgemm(). `exchange` and `product` are the seconds of the exchange alone, and of a
 * product on the faster rank, the same on both ranks. Collective; sets `overlap` on
 * both.
 */
static int strassen_overlap(double *overlap, struct strassen_worker *worker, int size,
                            double exchange, double product, struct mt_error *err)
{
    const double widths = fmin(exchange / product, WIDEST);
    const int columns = (int)fmax(ceil(widths * size), 1);
    struct overlapped overlapped = {.product = {size, 2 * columns, 2 * size}};
    int status = cut(&overlapped.partition, err);
    if (status == MT_OK)
        status = make_parts(&overlapped, &worker->node, err);
    int have = status == MT_OK;
    MPI_Allreduce(MPI_IN_PLACE, &have, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (status == MT_OK && !have)
        status = mt_fail(err, MT_ENOMEM, "the other rank has no memory");
    if (status == MT_OK)
        status = find_overlap(overlap, &overlapped, worker, exchange, err);
    for (int i = 0; i < 3; i++)
        mt_pdgemm_part_clear(&overlapped.parts[i]);
    mt_partition_clear(&overlapped.partition);
    return status;
}

/* The largest piece of a matrix per message; MPI counts a message's values in an
   int. */
enum { LARGEST_PIECE = 1 << 30 };

/* The operation to time: a product of the first two matrices, or messages of them. */
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

/* Touch the matrices' pages before the clock starts. */
static bool make_values(const struct measurement *measurement)
{
    for (int i = 0; i < count_matrices(measurement); i++) {
        if (!measurement->matrices[i])
            return false;
        fill(measurement->matrices[i], measurement->size, (unsigned)i);
    }
    return true;
}

static void measurement_clear(struct measurement *measurement)
{
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

/* Send from one rank to the other. */
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

/* Multiply the first two matrices. Sums use new memory, as in a program's first
   product: touching its pages first may take longer than the sums. */
static void multiply_once(struct measurement *measurement)
{
    const int size = measurement->size;
    struct strassen_worker *worker = &measurement->worker;
    const struct mt_strassen_how how = {.levels = &measurement->levels};
    worker->room = mt_strassen_workspace(&how, size, size, size, 0);
    const size_t bytes = worker->room * sizeof *worker->workspace;
    void *memory = MAP_FAILED;
    if (bytes > 0 && !work_simulated)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                      -1, 0);
    worker->workspace = memory == MAP_FAILED ? NULL : memory;
    strassen_work_multiply(worker, size, size, size, 1, measurement->matrices[0], size,
                           measurement->matrices[1], size, 0, measurement->matrices[2],
                           size, measurement->levels);
    if (worker->workspace)
        munmap(worker->workspace, bytes);
    worker->workspace = NULL;
}

/* One timing on this rank, seconds; for an overlap, its parts alone. */
static double take_time(struct measurement *measurement, enum strassen_task task)
{
    const int rank = measurement->rank;
    const size_t values = (size_t)measurement->size * (size_t)measurement->size;
    double *const *matrices = measurement->matrices;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    if (task == STRASSEN_TRANSFER) {
        /* a round trip, timed by one clock */
        pass(matrices[0], values, rank == 0, 1 - rank);
        pass(matrices[0], values, rank == 1, 1 - rank);
        return (MPI_Wtime() - start) / 2;
    }
    if (task == STRASSEN_EXCHANGE)
        swap(matrices[0], matrices[1], values, 1 - rank);
    else
        multiply_once(measurement);
    return MPI_Wtime() - start;
}

/* Take the maximum or the minimum of each time over both ranks. */
static void agree_on_times(double *seconds, int count, MPI_Op which)
{
    MPI_Allreduce(MPI_IN_PLACE, seconds, count, MPI_DOUBLE, which, MPI_COMM_WORLD);
}

/* Time messages and products together, each taking a second alone: messages alone
   scatter by a factor of two, this scatters less. */
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
