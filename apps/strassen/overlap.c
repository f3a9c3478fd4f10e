/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlap.h"

#include "matrix.h"

#include <math.h>
#include <mpi.h>

/* So many times as wide as high: the product's second operand gets no larger. */
enum { WIDEST = 4 };

/* Ranks side by side, in two steps: each begins with its own half of A, while the other
   half, that it needs for the second step, is on its way. */
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

/* The share of the exchange that is saved: all but what a rank takes longer than for
   its products alone, of what could be saved. */
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

int strassen_overlap(double *overlap, struct strassen_worker *worker, int size,
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
