/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition.h"

#include "work.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of a file, and its length; less than 0: it cannot be read, see errno. */
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

/* Give all ranks what rank 0 has read; NULL: there is no memory. */
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
    int outcome[2] = {0, 0}; /* the length, and why there is none */
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
    if (status)
        return status;
    int levels = strassen_work_levels(node, product->m / partition->panels,
                                      product->n / partition->panels,
                                      product->k / partition->panels);
    MPI_Bcast(&levels, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < partition->ntiles; i++)
        partition->tiles[i].levels = levels;
    return MT_OK;
}

int strassen_partition_make(struct mt_partition *partition, const char *path,
                            const struct mt_partition_product *product,
                            const struct work_node *node, struct mt_error *err)
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!path)
        return partition_equally(partition, ranks, product, node, err);
    int status = read_partition(partition, path, rank, err);
    if (!status && partition->ranks != ranks) {
        status = mt_fail(err, MT_EINVAL,
                         "'%s' is a partition for %d rank%s, and here are %d", path,
                         partition->ranks, partition->ranks > 1 ? "s" : "", ranks);
        mt_partition_clear(partition);
    }
    return status;
}
