/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loops BYTES CALLS TIMES: so many times over, a communicator is made, loops over as
 * many broadcasts, and is freed. A line for each time: the microseconds until the last
 * rank is through.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double loop(char *message, int bytes, int calls)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int call = 0; call < calls; call++)
        MPI_Bcast(message, bytes, MPI_BYTE, 0, comm);
    MPI_Comm_free(&comm);
    MPI_Barrier(MPI_COMM_WORLD);
    return (MPI_Wtime() - start) * 1e6;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc != 4)
        MPI_Abort(MPI_COMM_WORLD, 2);
    const int bytes = atoi(argv[1]), calls = atoi(argv[2]), times = atoi(argv[3]);
    char *message = calloc((size_t)bytes, 1);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < times && message; i++) {
        const double took = loop(message, bytes, calls);
        if (rank == 0)
            printf("%.1f\n", took);
    }
    free(message);
    MPI_Finalize();
    return 0;
}
