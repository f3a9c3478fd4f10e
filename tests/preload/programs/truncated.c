/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The last rank repeatedly expects less than the root sends: an error of the program,
 * which must be reported as the MPI itself would.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    enum { BYTES = 60 };
    char buffer[BYTES] = {0};
    MPI_Init(&argc, &argv);
    int rank, ranks, told = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 40; i++) {
        if (rank == 1)
            usleep(2000);
        const int bytes = rank == ranks - 1 ? BYTES - 10 : BYTES;
        const int code = MPI_Bcast(buffer, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
        int class;
        MPI_Error_class(code, &class);
        told += class == MPI_ERR_TRUNCATE;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == ranks - 1)
        printf("truncated %d times\n", told);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
