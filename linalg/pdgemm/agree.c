/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks learn of an error on any of them before anything is sent. */
#include "agree.h"

#include "message.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MOST_FACTS = 16 };

/* FNV-1a. */
static uint64_t mix(uint64_t sum, const double *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        unsigned char bytes[sizeof numbers[i]];
        memcpy(bytes, &numbers[i], sizeof bytes);
        for (size_t k = 0; k < sizeof bytes; k++)
            sum = (sum ^ bytes[k]) * UINT64_C(0x100000001b3);
    }
    return sum;
}

double pdgemm_partition_sum(const struct mt_partition *partition)
{
    const double whole[] = {partition->ranks,   partition->ntiles,
                            partition->panels,  partition->subpanels,
                            partition->overlap, partition->rolled};
    uint64_t sum = mix(UINT64_C(0xcbf29ce484222325), whole, 6);
    for (int i = 0; i < partition->ntiles; i++) {
        const struct mt_partition_tile *tile = &partition->tiles[i];
        const double numbers[] = {tile->rank, tile->turn,   tile->levels, tile->top,
                                  tile->left, tile->bottom, tile->right};
        sum = mix(sum, numbers, 7);
    }
    return (double)(sum >> 16);
}

/* Whether this rank's facts are those of rank 0. */
static int compare(const struct pdgemm_fact *facts, const double *first, int count,
                   int rank, struct mt_error *err)
{
    for (int i = 0; i < count; i++)
        if (facts[i].value != first[i] && !(isnan(facts[i].value) && isnan(first[i])))
            return mt_fail(err, MT_EINVAL,
                           "ranks disagree: '%s' is %.17g on rank %d and %.17g on "
                           "rank 0",
                           facts[i].name, facts[i].value, rank, first[i]);
    return MT_OK;
}

/* All ranks get the error text of the reporting rank. */
static int listen(struct mt_error *mine, int speaker, int rank, MPI_Comm comm,
                  struct mt_error *err)
{
    struct mt_error words = {0};
    if (rank == speaker)
        words = *mine;
    const int code = MPI_Bcast(&words, sizeof words, MPI_BYTE, speaker, comm);
    if (code != MPI_SUCCESS)
        return pdgemm_mpi(code, err);
    return mt_fail(err, words.status, "%s", words.text);
}

int pdgemm_agree(const struct pdgemm_fact *facts, int count, int status, MPI_Comm comm,
                 struct mt_error *err)
{
    double first[MOST_FACTS] = {0};
    struct mt_error mine = {0};
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    if (status != MT_OK)
        mt_fail(&mine, status, "rank %d: %s", rank,
                err != NULL ? err->text : mt_status_text(status));

    for (int i = 0; i < count; i++)
        first[i] = facts[i].value;
    int code = MPI_Bcast(first, count, MPI_DOUBLE, 0, comm);
    if (code == MPI_SUCCESS && status == MT_OK)
        status = compare(facts, first, count, rank, &mine);
    int speaker = status == MT_OK ? INT_MAX : rank;
    if (code == MPI_SUCCESS)
        code = MPI_Allreduce(MPI_IN_PLACE, &speaker, 1, MPI_INT, MPI_MIN, comm);
    if (code != MPI_SUCCESS)
        return pdgemm_mpi(code, err);
    return speaker == INT_MAX ? MT_OK : listen(&mine, speaker, rank, comm, err);
}
