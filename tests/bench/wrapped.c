/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures the overhead of a preload library: calls by MPI_ names, which it may
 * intercept, alternate with PMPI_ names, the MPI's own. On one rank the calls do
 * nothing; on two, they take some 10 microseconds. Prints, for each call, its name, the
 * median of the MPI's own, and the median of the differences, in nanoseconds.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 101, CALLS = 2000, LONG = 4096 };

static int zero, number = 1, sum;
static MPI_Request request = MPI_REQUEST_NULL;
static double in[LONG], out[LONG];
static int other;

#define PAIR(name, ...) \
    static void own_##name(void) \
    { \
        PMPI_##name(__VA_ARGS__); \
    } \
    static void wrapped_##name(void) \
    { \
        MPI_##name(__VA_ARGS__); \
    }
PAIR(Bcast, &number, 1, MPI_INT, zero, MPI_COMM_SELF)
PAIR(Allreduce, &number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF)
PAIR(Barrier, MPI_COMM_SELF)
PAIR(Send, &number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF)
PAIR(Recv, &number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE)
PAIR(Wait, &request, MPI_STATUS_IGNORE)
PAIR(Reduce_scatter_block, in, out, LONG / 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)
PAIR(Alltoall, in, LONG / 2, MPI_DOUBLE, out, LONG / 2, MPI_DOUBLE, MPI_COMM_WORLD)
PAIR(Sendrecv, in, LONG, MPI_DOUBLE, other, 0, out, LONG, MPI_DOUBLE, other, 0,
     MPI_COMM_WORLD, MPI_STATUS_IGNORE)

struct pair {
    const char *name;
    void (*own)(void), (*wrapped)(void);
};
#define ROW(name) {#name, own_##name, wrapped_##name},
static const struct pair alone[] = {ROW(Bcast) ROW(Allreduce) ROW(Barrier) ROW(Send)
                                        ROW(Recv) ROW(Wait){0}};
static const struct pair together[] = {ROW(Reduce_scatter_block) ROW(Alltoall)
                                           ROW(Sendrecv){0}};
#undef ROW

/* ns for each call. */
static double take(void (*call)(void))
{
    const double start = PMPI_Wtime();
    for (int i = 0; i < CALLS; i++)
        call();
    return (PMPI_Wtime() - start) / CALLS * 1e9;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, BLOCKS, sizeof *values, compare);
    return values[BLOCKS / 2];
}

int main(int argc, char **argv)
{
    static double own[BLOCKS], more[BLOCKS];
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    other = size - 1 - rank;
    MPI_Barrier(MPI_COMM_WORLD); /* let the library make its decisions */
    for (const struct pair *pair = size > 1 ? together : alone; pair->name; pair++) {
        for (int block = 0; block < BLOCKS; block++) {
            own[block] = take(pair->own);
            more[block] = take(pair->wrapped) - own[block];
        }
        if (rank == 0)
            printf("%s %.1f %.1f\n", pair->name, median(own), median(more));
    }
    return MPI_Finalize();
}
