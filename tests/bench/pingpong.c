/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a message of 8 bytes takes between two ranks that have a processor each, by MPI_
 * names, which a preload library may have, and by PMPI_ names, which are the MPI's own.
 * The two take turns. Prints the medians of both, in microseconds, and the median
 * absolute deviation of their differences.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { blocks = 301, messages = 2000 };

typedef int send_function(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int receive_function(void *, int, MPI_Datatype, int, int, MPI_Comm,
                             MPI_Status *);

/* Microseconds for a message, half of there and back. */
static double pingpong(int rank, send_function *send, receive_function *receive)
{
    double ball = 0;
    PMPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < messages; i++) {
        if (rank == 0)
            send(&ball, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        receive(&ball, 1, MPI_DOUBLE, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            send(&ball, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - start) / (2 * messages) * 1e6;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, blocks, sizeof *values, compare);
    return values[blocks / 2];
}

int main(int argc, char **argv)
{
    static double with[blocks], without[blocks], difference[blocks];
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2) {
        fprintf(stderr, "pingpong: start it on two ranks\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int i = 0; i < blocks; i++) {
        with[i] = pingpong(rank, MPI_Send, MPI_Recv);
        without[i] = pingpong(rank, PMPI_Send, PMPI_Recv);
        difference[i] = with[i] - without[i];
    }
    const double more = median(difference);
    for (int i = 0; i < blocks; i++)
        difference[i] = fabs(difference[i] - more);
    if (rank == 0)
        printf("%.4f %.4f %.4f %.4f\n", median(with), median(without), more,
               median(difference));
    return MPI_Finalize();
}
