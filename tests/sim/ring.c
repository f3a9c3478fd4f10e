/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank sends to the next one, and the last one to the first, all at once, messages
 * of as many bytes as the argument says; prints when the last one has arrived. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int bytes = (int)strtod(argc > 1 ? argv[1] : "1", NULL);
    char *out = calloc((size_t)bytes, 1), *in = calloc((size_t)bytes, 1);
    if (!out || !in)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);

    double seconds, last = 0;
    const double start = MPI_Wtime();
    MPI_Sendrecv(out, bytes, MPI_CHAR, (rank + 1) % ranks, 0, in, bytes, MPI_CHAR,
                 (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    seconds = MPI_Wtime() - start;
    MPI_Reduce(&seconds, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("time %.9g s\n", last);
    free(in);
    free(out);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
