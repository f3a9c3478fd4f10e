/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcasts of many simulated ranks, from all roots, with and without a late one, and
   in a part of them. */
#include "check.h"

#include <unistd.h>

static uint32_t number;

static void bcasts(MPI_Comm comm, int root, int late, int n)
{
    static const int sizes[] = {8, 1000, 20000, 64, 50000, 1};
    static char buffer[50000];
    int rank;
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < n; i++, number++) {
        if (rank == late)
            usleep(1000);
        check_bcast(buffer, sizes[number % 6], root, comm, number);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bcasts(MPI_COMM_WORLD, 0, -1, 10);
    bcasts(MPI_COMM_WORLD, 0, ranks / 2, 20);
    bcasts(MPI_COMM_WORLD, 0, 1, 15);
    for (int root = 0; root < ranks; root += 9)
        bcasts(MPI_COMM_WORLD, root, ranks / 3, 2);
    bcasts(MPI_COMM_WORLD, ranks - 1, -1, 15);

    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 5, -rank, &part);
    bcasts(part, 1, 2, 40);
    MPI_Comm_free(&part);
    return check_finish();
}
