/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The last rank expects half of what the root sends: a mistake of the program, which it
 * must be told of, as the MPI itself would.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    enum { BYTES = 64 };
    char buffer[BYTES] = {0};
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < 40; i++) {
        if (rank == 1)
            usleep(2000);
        MPI_Bcast(buffer, BYTES, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int bytes = rank == ranks - 1 ? BYTES / 2 : BYTES;
    const int code = MPI_Bcast(buffer, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    int class;
    MPI_Error_class(code, &class);
    if (class == MPI_ERR_TRUNCATE)
        puts("truncated");
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
