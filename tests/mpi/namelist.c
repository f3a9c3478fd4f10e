/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that reads its size, nx, from a Fortran namelist, run.nml: the ranks share
   work proportional to it. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* Additions for each unit of nx: about five milliseconds. */
enum { UNIT = 5000000 };

static int read_size(void)
{
    char line[256];
    int size = 0;
    FILE *file = fopen("run.nml", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *found = strstr(line, "nx =");
        if (found)
            sscanf(found, "nx = %d", &size);
    }
    if (file)
        fclose(file);
    return size;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    double part = 0, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int size = read_size();
    if (size == 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    const double start = MPI_Wtime();
    for (long i = rank; i < (long)size * UNIT; i += ranks)
        part += 1.0 / (double)(i + 1);
    MPI_Reduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("nx %d, %d ranks, sum %g, time %.6f s\n", size, ranks, sum,
               MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}
