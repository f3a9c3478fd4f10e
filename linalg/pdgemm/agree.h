/* SPDX-License-Identifier: BSD-3-Clause */
/* agree.h - what is wrong on any rank, told to all before anything is sent. */
#ifndef MT_PDGEMM_AGREE_H
#define MT_PDGEMM_AGREE_H

#include "motley/error.h"
#include "motley/partition.h"

#include <mpi.h>

/* Something that has to be the same on all ranks. */
struct pdgemm_fact {
    const char *name;
    double value;
};

/* A number of everything that a partition says; of 48 bits, so that a double holds it.
 */
double pdgemm_partition_sum(const struct mt_partition *partition);

/*
 * Collective. `status` is what this rank found out by itself, with `err`. MT_OK where
 * all ranks did well and have the same facts. Otherwise all get the status and words of
 * the first rank that did not, or whose facts are not those of rank 0. All pass equally
 * many facts.
 */
MT_MUST_CHECK int pdgemm_agree(const struct pdgemm_fact *facts, int count, int status,
                               MPI_Comm comm, struct mt_error *err);

#endif
