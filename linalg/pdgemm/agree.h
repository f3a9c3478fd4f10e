/* SPDX-License-Identifier: BSD-3-Clause */
/* agree.h - all ranks learn of an error on any rank before anything is sent. */
#ifndef MT_PDGEMM_AGREE_H
#define MT_PDGEMM_AGREE_H

#include "motley/error.h"
#include "motley/partition.h"

#include <mpi.h>

/* A fact: a value that must be equal on all ranks. */
struct pdgemm_fact {
    const char *name;
    double value;
};

/* A checksum of a partition, of 48 bits, so that a double holds it exactly. */
double pdgemm_partition_sum(const struct mt_partition *partition);

/*
 * Collective. `status` and `err` are this rank's own result. Returns MT_OK if all ranks
 * succeeded and have the same facts. Otherwise all get the status and reason of the
 * first rank that failed or whose facts differ from rank 0's. All ranks pass the same
 * number of facts.
 */
MT_MUST_CHECK int pdgemm_agree(const struct pdgemm_fact *facts, int count, int status,
                               MPI_Comm comm, struct mt_error *err);

#endif
