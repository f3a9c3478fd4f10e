/* SPDX-License-Identifier: BSD-3-Clause */
#include "agree.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>

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
