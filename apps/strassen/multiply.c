/* SPDX-License-Identifier: BSD-3-Clause */
#include "multiply.h"

#include "matrix.h"
#include "partition.h"
#include "verify.h"
#include "work.h"

#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

bool strassen_agree(int status, const struct mt_error *err)
{
    int rank, speaker;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    speaker = status ? rank : INT_MAX;
    MPI_Allreduce(MPI_IN_PLACE, &speaker, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (speaker == rank)
        fprintf(stderr, "strassen: %s\n", err->text);
    return speaker == INT_MAX;
}

struct multiplication {
    const struct strassen_options *options;
    int rank, ranks;
    struct strassen_worker worker;
    struct strassen_matrix files[2]; /* on rank 0: A and B, as read */
    struct mt_partition_product sizes;
    struct mt_partition partition;
    struct mt_pdgemm_part a, b, c;
    struct mt_pdgemm_report report;
};

static int read_matrices(struct multiplication *m, struct mt_error *err)
{
    const struct strassen_options *options = m->options;
    struct strassen_matrix *a = &m->files[0], *b = &m->files[1];
    if (!options->a || m->rank > 0)
        return MT_OK;
    int status = strassen_matrix_read(a, options->a, err);
    if (!status)
        status = strassen_matrix_read(b, options->b, err);
    if (!status && a->columns != b->rows)
        status = mt_fail(err, MT_EINVAL,
                         "'%s' has %d columns, and '%s' has %d rows: they have no "
                         "product",
                         options->a, a->columns, options->b, b->rows);
    return status;
}

static int find_sizes(struct multiplication *m, struct mt_error *err)
{
    (void)err;
    const struct strassen_matrix *a = &m->files[0], *b = &m->files[1];
    int sizes[] = {a->rows, b->columns, b->rows};
    MPI_Bcast(sizes, 3, MPI_INT, 0, MPI_COMM_WORLD);
    m->sizes = m->options->a
                   ? (struct mt_partition_product){sizes[0], sizes[1], sizes[2]}
                   : m->options->sizes;
    return MT_OK;
}

static int make_partition(struct multiplication *m, struct mt_error *err)
{
    return strassen_partition_make(&m->partition, m->options->partition, &m->sizes,
                                   &m->worker.node, err);
}

static int make_part(struct mt_pdgemm_part *part, const struct multiplication *m,
                     enum mt_pdgemm_matrix matrix, struct mt_error *err)
{
    return m->worker.node.model_only
               ? mt_pdgemm_part_init_empty(part, &m->partition, &m->sizes, matrix,
                                           m->rank, err)
               : mt_pdgemm_part_init(part, &m->partition, &m->sizes, matrix, m->rank,
                                     err);
}

static int make_parts(struct multiplication *m, struct mt_error *err)
{
    int status = make_part(&m->a, m, MT_PDGEMM_A, err);
    if (status == MT_OK)
        status = make_part(&m->b, m, MT_PDGEMM_B, err);
    if (status == MT_OK)
        status = make_part(&m->c, m, MT_PDGEMM_C, err);
    return status;
}

static int fill_parts(struct multiplication *m, struct mt_error *err)
{
    const struct strassen_options *options = m->options;
    const struct strassen_matrix *a = &m->files[0], *b = &m->files[1];
    if (!options->a) {
        strassen_matrix_fill(&m->a, MT_PDGEMM_A, options->seed, options->integers);
        strassen_matrix_fill(&m->b, MT_PDGEMM_B, options->seed, options->integers);
        return MT_OK;
    }
    int status = mt_pdgemm_scatter(&m->a, a->values, a->rows, 0, MPI_COMM_WORLD, err);
    if (!status)
        status = mt_pdgemm_scatter(&m->b, b->values, b->rows, 0, MPI_COMM_WORLD, err);
    return status;
}

static int multiply(struct multiplication *m, struct mt_error *err)
{
    const struct mt_pdgemm_machine machine = strassen_work_machine(&m->worker);
    return mt_pdgemm(&m->partition, &m->sizes, 1, &m->a, &m->b, 0, &m->c,
                     work_simulated ? &machine : NULL, MPI_COMM_WORLD, &m->report, err);
}

/* What each rank has to say of its time. */
enum { SECONDS, COMPUTE, COMMUNICATION, WAITING, RECEIVED, NUMBERS };

static void print_all(const struct multiplication *m, double (*all)[NUMBERS])
{
    double slowest = 0;
    for (int i = 0; i < m->ranks; i++)
        slowest = fmax(slowest, all[i][SECONDS]);
    printf("time %.9g s\n", slowest);
    printf("speed %.4g Gflop/s\n",
           2e-9 * m->sizes.m * m->sizes.n * m->sizes.k / slowest);
    for (int i = 0; i < m->ranks; i++)
        printf("rank %d compute %.9g communication %.9g waiting %.9g received %.0f\n",
               i, all[i][COMPUTE], all[i][COMMUNICATION], all[i][WAITING],
               all[i][RECEIVED]);
}

static int print_times(struct multiplication *m, struct mt_error *err)
{
    const struct mt_pdgemm_report *report = &m->report;
    const double numbers[NUMBERS] = {report->seconds, report->times.compute,
                                     report->times.communication, report->times.waiting,
                                     report->received};
    double(*all)[NUMBERS] = m->rank == 0 ? calloc((size_t)m->ranks, sizeof *all) : NULL;
    int have = m->rank > 0 || all;
    MPI_Bcast(&have, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (have)
        MPI_Gather(numbers, NUMBERS, MPI_DOUBLE, all, NUMBERS, MPI_DOUBLE, 0,
                   MPI_COMM_WORLD);
    if (have && all)
        print_all(m, all);
    free(all);
    return have ? MT_OK
                : mt_fail(err, MT_ENOMEM, "no memory for the times of %d ranks",
                          m->ranks);
}

static int verify(struct multiplication *m, struct mt_error *err)
{
    const struct strassen_options *options = m->options;
    double difference = 0;
    int status = MT_OK;
    if (options->integers)
        status = strassen_verify_integers(&difference, &m->a, &m->b, &m->c, err);
    else if (options->check)
        status = mt_pdgemm_check(&difference, 1, &m->a, &m->b, 0, NULL, &m->c,
                                 (unsigned)options->seed, MPI_COMM_WORLD, err);
    else
        return MT_OK;
    if (!status && m->rank == 0)
        printf("difference %g\n", difference);
    const double allowed = options->integers ? 0 : 1;
    if (!status && !(difference <= allowed))
        status = mt_fail(err, MT_EINVAL, "the product is wrong");
    return status;
}

static int write_product(struct multiplication *m, struct mt_error *err)
{
    struct strassen_matrix whole = {0};
    if (!m->options->c)
        return MT_OK;
    int status = strassen_matrix_gather(&whole, &m->c, err);
    if (!status && m->rank == 0)
        status = strassen_matrix_write(&whole, m->options->c, err);
    strassen_matrix_clear(&whole);
    return status;
}

static void multiplication_clear(struct multiplication *m)
{
    mt_pdgemm_part_clear(&m->c);
    mt_pdgemm_part_clear(&m->b);
    mt_pdgemm_part_clear(&m->a);
    mt_partition_clear(&m->partition);
    strassen_matrix_clear(&m->files[1]);
    strassen_matrix_clear(&m->files[0]);
}

bool strassen_multiply(const struct strassen_options *options)
{
    typedef int step(struct multiplication * m, struct mt_error * err);
    static step *const steps[] = {read_matrices, find_sizes, make_partition,
                                  make_parts,    fill_parts, multiply,
                                  print_times,   verify,     write_product};
    struct multiplication m = {.options = options};
    MPI_Comm_rank(MPI_COMM_WORLD, &m.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &m.ranks);
    work_node_init(&m.worker.node, options->model_only);
    bool good = true;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && good; i++) {
        struct mt_error err = {0};
        good = strassen_agree(steps[i](&m, &err), &err);
    }
    multiplication_clear(&m);
    return good;
}
