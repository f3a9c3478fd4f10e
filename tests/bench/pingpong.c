/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the time of a message of 8 bytes between two ranks, in microseconds: the
   median over many blocks of messages. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 101, MESSAGES = 2000 };

/* Half a round trip. */
static double pingpong(int rank)
{
    double ball = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < MESSAGES; i++) {
        if (rank == 0)
            MPI_Send(&ball, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&ball, 1, MPI_DOUBLE, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(&ball, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - start) / (2 * MESSAGES) * 1e6;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static double times[BLOCKS];
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2) {
        fprintf(stderr, "pingpong: start it on two ranks\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int i = 0; i < BLOCKS; i++)
        times[i] = pingpong(rank);
    qsort(times, BLOCKS, sizeof *times, compare);
    if (rank == 0)
        printf("%.4f\n", times[BLOCKS / 2]);
    return MPI_Finalize();
}
