/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a preload library adds to calls that have nothing to do, on one rank: by MPI_
 * names, which it may have, against PMPI_ names, which are the MPI's own. The two take
 * turns. Prints, for each call, its name, the median of the MPI's own, and the median
 * of the differences, in nanoseconds.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 101, CALLS = 2000 };

static int zero, number = 1, sum;
static MPI_Request request = MPI_REQUEST_NULL;

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

static const struct {
    const char *name;
    void (*own)(void), (*wrapped)(void);
} pairs[] = {
#define ROW(name) {#name, own_##name, wrapped_##name},
    ROW(Bcast) ROW(Allreduce) ROW(Barrier) ROW(Send) ROW(Recv) ROW(Wait)
#undef ROW
};

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
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD); /* the library decides what it does */
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        for (int block = 0; block < BLOCKS; block++) {
            own[block] = take(pairs[i].own);
            more[block] = take(pairs[i].wrapped) - own[block];
        }
        printf("%s %.1f %.1f\n", pairs[i].name, median(own), median(more));
    }
    return MPI_Finalize();
}
