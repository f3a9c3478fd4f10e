/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two communicators that each rank frees in a different order. MPI does not promise
 * that this works, but MPIs tolerate it.
 */
#include "check.h"

#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    char buffer[100];
    int rank, ranks;
    MPI_Comm comms[2];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[1]); /* ranks in reverse */
    for (uint32_t i = 0; i < 200; i++)
        for (int c = 0; c < 2; c++) {
            if (rank == 1)
                usleep(500);
            check_bcast(buffer, sizeof buffer, i < 100 ? (int)i % ranks : 0, comms[c],
                        i);
        }
    MPI_Comm_free(&comms[rank % 2]);
    MPI_Comm_free(&comms[1 - rank % 2]);
    return check_finish();
}
