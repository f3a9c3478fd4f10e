/* SPDX-License-Identifier: BSD-3-Clause */
/* The first half of the ranks send to the second half, all at once, messages of as many
 * bytes as the argument says; prints when the last one has arrived. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int bytes = (int)strtod(argc > 1 ? argv[1] : "1", NULL), half = ranks / 2;
    char *message = calloc((size_t)bytes, 1);
    if (!message)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);

    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = 0, last = 0;
    const double start = MPI_Wtime();
    if (rank < half)
        MPI_Send(message, bytes, MPI_CHAR, rank + half, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(message, bytes, MPI_CHAR, rank - half, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    seconds = MPI_Wtime() - start;
    MPI_Reduce(&seconds, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("time %.9g s\n", last);
    free(message);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
