/* SPDX-License-Identifier: BSD-3-Clause */
/* The product on all ranks: reads the partition, multiplies, checks and prints. */
#include "motley/pdgemm.h"
#include "strassen.h"

#include "matrix.h"
#include "work.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool strassen_agree(int status, const struct mt_error *err)
{
    int rank, speaker;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    speaker = status == MT_OK ? INT_MAX : rank;
    MPI_Allreduce(MPI_IN_PLACE, &speaker, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (speaker == rank)
        fprintf(stderr, "strassen: %s\n", err->text);
    return speaker == INT_MAX;
}

/* The text of a file, and its length; below 0: it cannot be read, see errno. */
static int read_text(char **text, const char *path)
{
    size_t room = 0;
    FILE *stream = fopen(path, "re");
    if (!stream)
        return -1;
    const ssize_t length = getdelim(text, &room, '\0', stream);
    const int error = ferror(stream) ? errno : 0;
    fclose(stream);
    errno = length > INT_MAX ? EFBIG : error;
    return errno ? -1 : (int)(length < 0 ? 0 : length);
}

/* Broadcast the text that rank 0 has read; NULL: out of memory. */
static char *share_text(char *text, int length, int rank)
{
    if (rank > 0)
        text = calloc((size_t)length + 1, 1);
    int have = text != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &have, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (have)
        MPI_Bcast(text, length, MPI_CHAR, 0, MPI_COMM_WORLD);
    else {
        free(text);
        text = NULL;
    }
    return text;
}

static int parse(struct mt_partition *partition, char *text, int length,
                 const char *path, struct mt_error *err)
{
    FILE *stream = fmemopen(text, (size_t)length, "r");
    if (!stream)
        return mt_fail(err, MT_EIO, "cannot read '%s': %s", path, strerror(errno));
    const int status = mt_partition_read(partition, stream, path, err);
    fclose(stream);
    return status;
}

static int read_partition(struct mt_partition *partition, const char *path, int rank,
                          struct mt_error *err)
{
    char *text = NULL;
    int outcome[2] = {0, 0}; /* the length, and the reason if it is 0 */
    if (rank == 0) {
        outcome[0] = read_text(&text, path);
        outcome[1] = outcome[0] < 0 ? errno : 0;
    }
    MPI_Bcast(outcome, 2, MPI_INT, 0, MPI_COMM_WORLD);
    int status = MT_OK;
    if (outcome[0] < 0)
        status =
            mt_fail(err, MT_EIO, "cannot read '%s': %s", path, strerror(outcome[1]));
    else if (!(text = share_text(text, outcome[0], rank)))
        status = mt_fail(err, MT_ENOMEM, "no memory for '%s'", path);
    else
        status = parse(partition, text, outcome[0], path, err);
    free(text);
    return status;
}

static int partition_equally(struct mt_partition *partition, int ranks,
                             const struct mt_partition_product *product,
                             const struct work_node *node, struct mt_error *err)
{
    struct mt_strassen_speed *speeds = calloc((size_t)ranks, sizeof *speeds);
    if (!speeds)
        return mt_fail(err, MT_ENOMEM, "no memory for %d ranks", ranks);
    for (int i = 0; i < ranks; i++)
        speeds[i] = (struct mt_strassen_speed){.flops = 1, .bandwidth = INFINITY};
    const struct mt_partition_cluster cluster = {
        .ranks = ranks, .speeds = speeds, .network = {.bandwidth = 1, .exchange = 1}};
    const int status = mt_partition_choose(partition, MT_PARTITION_EQUAL, product,
                                           &cluster, ranks, err);
    free(speeds);
    if (status != MT_OK)
        return status;
    int levels = strassen_work_levels(node, product->m / partition->panels,
                                      product->n / partition->panels,
                                      product->k / partition->panels);
    MPI_Bcast(&levels, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < partition->ntiles; i++)
        partition->tiles[i].levels = levels;
    return MT_OK;
}

/*
 * The partition in the file at `path`, which rank 0 reads for all; or, if it is NULL,
 * equal blocks in as many levels as are fastest on rank 0's node. `partition` must be
 * empty. Collective; fails on all ranks or on none.
 */
static int partition_make(struct mt_partition *partition, const char *path,
                          const struct mt_partition_product *product,
                          const struct work_node *node, struct mt_error *err)
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!path)
        return partition_equally(partition, ranks, product, node, err);
    int status = read_partition(partition, path, rank, err);
    if (status == MT_OK && partition->ranks != ranks) {
        status = mt_fail(err, MT_EINVAL,
                         "'%s' is a partition for %d rank%s, and here are %d", path,
                         partition->ranks, partition->ranks > 1 ? "s" : "", ranks);
        mt_partition_clear(partition);
    }
    return status;
}

struct multiplication {
    const struct strassen_options *options;
    int rank, ranks;
    struct strassen_worker worker;
    struct mt_partition partition;
    struct mt_pdgemm_part a, b, c;
    struct mt_pdgemm_report report;
};

static int make_partition(struct multiplication *m, struct mt_error *err)
{
    return partition_make(&m->partition, m->options->partition, &m->options->sizes,
                          &m->worker.node, err);
}

static int make_part(struct mt_pdgemm_part *part, const struct multiplication *m,
                     enum mt_pdgemm_matrix matrix, struct mt_error *err)
{
    return m->worker.node.model_only
               ? mt_pdgemm_part_init_empty(part, &m->partition, &m->options->sizes,
                                           matrix, m->rank, err)
               : mt_pdgemm_part_init(part, &m->partition, &m->options->sizes, matrix,
                                     m->rank, err);
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
    (void)err;
    const struct strassen_options *options = m->options;
    strassen_matrix_fill(&m->a, MT_PDGEMM_A, options->seed, options->integers);
    strassen_matrix_fill(&m->b, MT_PDGEMM_B, options->seed, options->integers);
    return MT_OK;
}

static int multiply(struct multiplication *m, struct mt_error *err)
{
    const struct mt_pdgemm_machine machine = strassen_work_machine(&m->worker);
    return mt_pdgemm(&m->partition, &m->options->sizes, 1, &m->a, &m->b, 0, &m->c,
                     &machine, MPI_COMM_WORLD, &m->report, err);
}

/* Times that each rank reports. */
enum { SECONDS, COMPUTE, COMMUNICATION, WAITING, RECEIVED, NUMBERS };

static void print_all(const struct multiplication *m, double (*all)[NUMBERS])
{
    double slowest = 0;
    for (int i = 0; i < m->ranks; i++)
        slowest = fmax(slowest, all[i][SECONDS]);
    printf("time %.9g s\n", slowest);
    printf("speed %.4g Gflop/s\n", 2e-9 * m->options->sizes.m * m->options->sizes.n *
                                       m->options->sizes.k / slowest);
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
    if (!options->integers && !options->check)
        return MT_OK;
    int status = mt_pdgemm_check(&difference, 1, &m->a, &m->b, 0, NULL, &m->c,
                                 (unsigned)options->seed, MPI_COMM_WORLD, err);
    if (status == MT_OK && m->rank == 0)
        printf("difference %g\n", difference);
    const double allowed = options->integers ? 0 : 1;
    if (status == MT_OK && !(difference <= allowed))
        status = mt_fail(err, MT_EINVAL, "the product is wrong");
    return status;
}

static void multiplication_clear(struct multiplication *m)
{
    mt_pdgemm_part_clear(&m->c);
    mt_pdgemm_part_clear(&m->b);
    mt_pdgemm_part_clear(&m->a);
    mt_partition_clear(&m->partition);
}

bool strassen_multiply(const struct strassen_options *options)
{
    typedef int step(struct multiplication * m, struct mt_error * err);
    static step *const steps[] = {make_partition, make_parts,  fill_parts,
                                  multiply,       print_times, verify};
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
