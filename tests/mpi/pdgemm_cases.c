/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mt_pdgemm() on any number of ranks: products of small integers, which are exact in
 * any order, against plain sums; and wrong arguments. Prints TAP.
 */
#include "pdgemm_partitions.h"

#include "motley/pdgemm.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, points, failures;

/* A test passes if it passes on all ranks. */
static void point(int good, const char *name)
{
    MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    points++;
    failures += !good;
    if (rank == 0)
        printf("%sok %d - %s, %d ranks\n", good ? "" : "not ", points, name, ranks);
}

static double entry(enum mt_pdgemm_matrix matrix, int row, int column)
{
    return (row * 7 + column * 13 + (int)matrix * 5) % 11 - 5;
}

/* A call, with the parts that it works on. */
struct job {
    struct mt_partition partition;
    struct mt_partition_product product;
    double alpha, beta;
    struct mt_pdgemm_part parts[MT_PDGEMM_C + 1];
};

static void fill(struct mt_pdgemm_part *part, enum mt_pdgemm_matrix matrix)
{
    for (int i = 0; i < part->nblocks; i++) {
        const struct mt_pdgemm_block *block = &part->blocks[i];
        for (int j = 0; j < block->columns; j++)
            for (int row = 0; row < block->rows; row++)
                block->values[row + j * block->leading] =
                    entry(matrix, block->row + row, block->column + j);
    }
}

/* With beta 0, C must not be read. */
static void spoil(const struct mt_pdgemm_part *part)
{
    for (int i = 0; i < part->nblocks; i++)
        for (int j = 0; j < part->blocks[i].columns * part->blocks[i].leading; j++)
            part->blocks[i].values[j] = NAN;
}

static void make_parts(struct job *job)
{
    for (int matrix = MT_PDGEMM_A; matrix <= MT_PDGEMM_C; matrix++) {
        const enum mt_pdgemm_matrix which = (enum mt_pdgemm_matrix)matrix;
        if (mt_pdgemm_part_init(&job->parts[matrix], &job->partition, &job->product,
                                which, rank, NULL) != MT_OK)
            MPI_Abort(MPI_COMM_WORLD, 1);
        fill(&job->parts[matrix], which);
    }
    if (job->beta == 0)
        spoil(&job->parts[MT_PDGEMM_C]);
}

static void clear_parts(struct job *job)
{
    for (int matrix = MT_PDGEMM_A; matrix <= MT_PDGEMM_C; matrix++)
        mt_pdgemm_part_clear(&job->parts[matrix]);
}

static int call_with(struct job *job, const struct mt_pdgemm_machine *machine,
                     MPI_Comm comm, struct mt_pdgemm_report *report,
                     struct mt_error *err)
{
    return mt_pdgemm(&job->partition, &job->product, job->alpha,
                     &job->parts[MT_PDGEMM_A], &job->parts[MT_PDGEMM_B], job->beta,
                     &job->parts[MT_PDGEMM_C], machine, comm, report, err);
}

static int call(struct job *job, MPI_Comm comm, struct mt_pdgemm_report *report,
                struct mt_error *err)
{
    return call_with(job, NULL, comm, report, err);
}

static double expected(const struct job *job, int row, int column)
{
    double sum = 0;
    for (int i = 0; i < job->product.k; i++)
        sum += entry(MT_PDGEMM_A, row, i) * entry(MT_PDGEMM_B, i, column);
    return job->alpha * sum + job->beta * entry(MT_PDGEMM_C, row, column);
}

static int is_exact(const struct job *job)
{
    const struct mt_pdgemm_part *c = &job->parts[MT_PDGEMM_C];
    for (int i = 0; i < c->nblocks; i++) {
        const struct mt_pdgemm_block *block = &c->blocks[i];
        for (int j = 0; j < block->columns; j++)
            for (int row = 0; row < block->rows; row++)
                if (block->values[row + j * block->leading] !=
                    expected(job, block->row + row, block->column + j))
                    return 0;
    }
    return 1;
}

/* A report contains only times. */
static int adds_up(const struct mt_pdgemm_report *report)
{
    const double sum =
        report->times.compute + report->times.communication + report->times.waiting;
    return fabs(sum - report->seconds) <= 1e-9 + 1e-6 * report->seconds;
}

static int is_right(struct job *job)
{
    struct mt_error err;
    struct mt_pdgemm_report report;
    make_parts(job);
    int good = call_with(job, NULL, MPI_COMM_WORLD, &report, &err) == MT_OK;
    if (!good)
        printf("# rank %d: %s\n", rank, err.text);
    good = good && adds_up(&report) && is_exact(job);
    clear_parts(job);
    return good;
}

static const struct mt_partition_product products[] = {
    {37, 53, 41}, {64, 64, 64}, {1, 1, 1}, {3, 2, 50},
    {0, 5, 7},    {5, 0, 7},    {5, 7, 0}, {90, 31, 8},
};
static const double scalars[][2] = {{1, 0}, {2, -1}, {0, 3}, {-1, 1}, {0, 0}};
enum {
    PRODUCTS = sizeof products / sizeof *products,
    SCALARS = sizeof scalars / sizeof *scalars
};

/* Test sizes with a partition: all of them, or, since more ranks than cores are slow,
   every third; levels and scalars alternate. */
static int is_right_for_all(enum shape shape, bool overlap, int *turn)
{
    const int step = ranks > 2 ? 3 : 1;
    int good = 1;
    for (int i = *turn % step; i < PRODUCTS; i += step, ++*turn) {
        struct job job = {.product = products[i],
                          .alpha = scalars[*turn % SCALARS][0],
                          .beta = scalars[*turn % SCALARS][1]};
        partition_make(&job.partition, shape, ranks, *turn % 3);
        job.partition.overlap = job.partition.rolled = overlap;
        good &= is_right(&job);
        mt_partition_clear(&job.partition);
    }
    return good;
}

static void test_products(void)
{
    int turn = 0;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int overlap = 0; overlap <= 1; overlap++) {
            char name[64];
            snprintf(name, sizeof name, "%s%s", partition_names[shape],
                     overlap ? ", overlapped" : "");
            point(is_right_for_all((enum shape)shape, overlap, &turn), name);
        }
}

/* Whether all ranks failed with this status and the same reason, which contains
   `word`. */
static int all_failed(int status, int expected_status, const struct mt_error *err,
                      const char *word)
{
    struct mt_error first = *err;
    MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
    const int good = status == expected_status && strcmp(first.text, err->text) == 0 &&
                     strstr(err->text, word) != NULL;
    if (!good)
        printf("# rank %d: status %d: %s\n", rank, status, err->text);
    return good;
}

static void test_disagreement(void)
{
    struct job job = {.product = {20, 20, 20}, .alpha = 1};
    struct mt_error err = {0};
    char words[64];
    partition_make(&job.partition, SHAPE_COLUMNS, ranks, 0);
    if (rank == ranks - 1)
        job.product.n = 21;
    make_parts(&job);
    snprintf(words, sizeof words, "'n' is 21 on rank %d and 20 on rank 0", ranks - 1);
    int status = call(&job, MPI_COMM_WORLD, NULL, &err);
    point(ranks == 1 || all_failed(status, MT_EINVAL, &err, words),
          "another size is told to all");

    job.product.n = 20;
    clear_parts(&job);
    make_parts(&job);
    job.partition.panels += rank == ranks - 1;
    status = call(&job, MPI_COMM_WORLD, NULL, &err);
    point(ranks == 1 ||
              all_failed(status, MT_EINVAL, &err, "checksum of the partition"),
          "another partition is told to all");
    clear_parts(&job);
    mt_partition_clear(&job.partition);
}

static void test_wrong_arguments(void)
{
    struct job job = {.product = {20, 20, 20}, .alpha = 1};
    struct mt_error err = {0};
    partition_make(&job.partition, SHAPE_COLUMNS, ranks + 1, 0);
    make_parts(&job);
    int status = call(&job, MPI_COMM_WORLD, NULL, &err);
    point(all_failed(status, MT_EINVAL, &err, "but the communicator has"),
          "a partition for another number of ranks");

    job.partition.ranks = ranks;
    status = call(&job, MPI_COMM_WORLD, NULL, &err);
    point(all_failed(status, MT_EINVAL, &err, "rank 0: "), "a partition that is wrong");
    clear_parts(&job);
    mt_partition_clear(&job.partition);

    partition_make(&job.partition, SHAPE_COLUMNS, ranks, 0);
    make_parts(&job);
    if (rank == ranks - 1)
        mt_pdgemm_part_clear(&job.parts[MT_PDGEMM_B]);
    char words[64];
    snprintf(words, sizeof words, "rank %d: the part of B", ranks - 1);
    status = call(&job, MPI_COMM_WORLD, NULL, &err);
    point(all_failed(status, MT_EINVAL, &err, words), "a part that is missing");

    const struct mt_pdgemm_machine machine = {.no_values = true};
    status = mt_pdgemm(&job.partition, &job.product, 1, &job.parts[MT_PDGEMM_A],
                       &job.parts[MT_PDGEMM_B], 0, &job.parts[MT_PDGEMM_C], &machine,
                       MPI_COMM_WORLD, NULL, &err);
    point(all_failed(status, MT_EINVAL, &err, "only a machine"),
          "no values, and nothing that does without");
    clear_parts(&job);
    mt_partition_clear(&job.partition);
}

static double *make_matrix(int rows, int columns, int leading)
{
    double *values = calloc((size_t)leading * (size_t)columns, sizeof *values);
    for (int j = 0; values != NULL && j < columns; j++)
        for (int i = 0; i < rows; i++)
            values[i + j * leading] = entry(MT_PDGEMM_B, i, j);
    return values;
}

static int is_filled(const struct mt_pdgemm_part *part)
{
    for (int i = 0; i < part->nblocks; i++) {
        const struct mt_pdgemm_block *block = &part->blocks[i];
        for (int j = 0; j < block->columns; j++)
            for (int row = 0; row < block->rows; row++)
                if (block->values[row + j * block->leading] !=
                    entry(MT_PDGEMM_B, block->row + row, block->column + j))
                    return 0;
    }
    return 1;
}

static void test_scatter_and_gather(void)
{
    enum { ROWS = 30, COLUMNS = 41, LEADING = 33 };
    const int root = ranks - 1;
    const struct mt_partition_product product = {5, COLUMNS, ROWS};
    struct mt_partition partition = {0};
    struct mt_pdgemm_part part = {0};
    struct mt_error err = {0};
    partition_make(&partition, SHAPE_LEFT_OVER, ranks, 0);
    double *matrix = rank == root ? make_matrix(ROWS, COLUMNS, LEADING) : NULL;
    double *back = rank == root ? calloc(LEADING * COLUMNS, sizeof *back) : NULL;
    int good = mt_pdgemm_part_init(&part, &partition, &product, MT_PDGEMM_B, rank,
                                   &err) == MT_OK;
    good = good && mt_pdgemm_scatter(&part, matrix, LEADING, root, MPI_COMM_WORLD,
                                     &err) == MT_OK;
    point(good && is_filled(&part), "a matrix handed out");
    good = good &&
           mt_pdgemm_gather(&part, back, LEADING, root, MPI_COMM_WORLD, &err) == MT_OK;
    point(good && (rank != root ||
                   memcmp(matrix, back, sizeof *back * LEADING * COLUMNS) == 0),
          "a matrix brought together");

    const int status = mt_pdgemm_gather(&part, back, 29, root, MPI_COMM_WORLD, &err);
    point(all_failed(status, MT_EINVAL, &err, "29 apart"), "columns that overlap");
    mt_pdgemm_part_clear(&part);
    mt_partition_clear(&partition);
    free(matrix);
    free(back);
}

/* The difference by mt_pdgemm_check() for the job's result. */
static double difference(const struct job *job, const struct job *before)
{
    double found = -1;
    struct mt_error err;
    if (mt_pdgemm_check(&found, job->alpha, &job->parts[MT_PDGEMM_A],
                        &job->parts[MT_PDGEMM_B], job->beta,
                        &before->parts[MT_PDGEMM_C], &job->parts[MT_PDGEMM_C], 1,
                        MPI_COMM_WORLD, &err) != MT_OK)
        printf("# rank %d: %s\n", rank, err.text);
    return found;
}

static void test_check(void)
{
    struct job job = {.product = {40, 30, 50}, .alpha = 2, .beta = -1};
    partition_make(&job.partition, SHAPE_COLUMNS, ranks, 1);
    struct job before = job;
    make_parts(&job);
    make_parts(&before);
    const int good = call(&job, MPI_COMM_WORLD, NULL, NULL) == MT_OK;
    const double right = difference(&job, &before);
    point(good && right >= 0 && right < 1, "a right product passes");

    const struct mt_pdgemm_block *first = job.parts[MT_PDGEMM_C].blocks;
    const bool mine = rank == ranks - 1 && first != NULL && first->rows > 0;
    if (mine)
        first->values[0] += 1e-6;
    point(difference(&job, &before) > 1, "a wrong value is noticed");
    if (mine)
        first->values[0] = NAN;
    point(isnan(difference(&job, &before)), "NaN is noticed");
    clear_parts(&job);
    clear_parts(&before);
    mt_partition_clear(&job.partition);
}

static void test_mpi_error(void)
{
    struct job job = {.product = {4, 4, 4}, .alpha = 1};
    struct mt_error err = {0};
    partition_make(&job.partition, SHAPE_COLUMNS, ranks, 0);
    make_parts(&job);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    const int status = call(&job, MPI_COMM_NULL, NULL, &err);
    point(status == MT_EIO && strstr(err.text, "a message failed: ") == err.text,
          "an error of MPI");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    clear_parts(&job);
    mt_partition_clear(&job.partition);
}

int main(int argc, char **argv)
{
    /* with an argument, a thread drives messages */
    int level;
    MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_SERIALIZED : MPI_THREAD_SINGLE,
                    &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    test_products();
    test_disagreement();
    test_wrong_arguments();
    test_scatter_and_gather();
    test_check();
    test_mpi_error();
    if (rank == 0)
        printf("1..%d\n", points);
    MPI_Finalize();
    return failures != 0;
}
