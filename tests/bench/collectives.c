/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collectives OPERATION BYTES CALLS LATE - a loop of calls as in programs; prints the
 * seconds until the last rank has finished.
 *
 * bcast: the panel of an LU factorisation: the root rotates, works before its
 * broadcast, and all work after it, less and less. reduce, gather: to rank 0. After
 * each call ranks pass a number to their neighbours.
 *
 * LATE: none; one: one rank works 1 ms longer before each call; random: each works
 * longer by a random time, 1 ms on average.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double late_us = 1000, work_us = 200;
static const long panel_steps = 20000; /* some 60 us of arithmetic */

static int rank, size;

static void sleep_us(double us)
{
    nanosleep(&(struct timespec){(time_t)(us / 1e6), (long)(fmod(us, 1e6) * 1e3)},
              NULL);
}

static void compute(long steps)
{
    volatile double x = 1;
    for (long i = 0; i < steps; i++)
        x = x * 1.0000001 + 1e-9;
}

static void panels(char *panel, int bytes, int calls)
{
    for (int i = 0; i < calls; i++) {
        const int root = i % size;
        if (rank == root)
            compute(panel_steps / 4);
        MPI_Bcast(panel, bytes, MPI_BYTE, root, MPI_COMM_WORLD);
        compute(panel_steps * (calls - i) / calls);
    }
}

/* The same numbers on all ranks. */
static double lateness(const char *late)
{
    double mine = 0;
    if (strcmp(late, "one") == 0 && rank == size / 2)
        mine = late_us;
    for (int i = 0; i < size && strcmp(late, "random") == 0; i++) {
        const double other = -log(1 - drand48()) * late_us;
        if (i == rank)
            mine = other;
    }
    return mine;
}

static void collect(const char *operation, double *numbers, double *all, int count,
                    int calls, const char *late)
{
    for (int i = 0; i < calls; i++) {
        double mine = rank, other;
        sleep_us(work_us + lateness(late));
        if (*operation == 'r')
            MPI_Reduce(numbers, all, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        else
            MPI_Gather(numbers, count, MPI_DOUBLE, all, count, MPI_DOUBLE, 0,
                       MPI_COMM_WORLD);
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, (rank + 1) % size, 0, &other, 1, MPI_DOUBLE,
                     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc != 5)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int bytes = atoi(argv[2]), calls = atoi(argv[3]);
    void *buffer = calloc(1, (size_t)bytes), *all = calloc((size_t)size, (size_t)bytes);
    if (!buffer || !all)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    if (*argv[1] == 'b')
        panels(buffer, bytes, calls);
    else
        collect(argv[1], buffer, all, bytes / (int)sizeof(double), calls, argv[4]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("time %.6f s\n", MPI_Wtime() - start);
    free(all);
    free(buffer);
    return MPI_Finalize();
}
