/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * late_rooted CALLS SECONDS: rank 0 reads its input for 1200 times SECONDS, and the
 * others wait for it. Then calls that only some ranks wait in: to three in ten of the
 * first rank 2 comes 4 times SECONDS late, and to three in ten of the second rank 1
 * comes 3 times.
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

static int rank;
static double unit; /* s */

static void work(int who, double units)
{
    if (rank == who)
        usleep((useconds_t)lround(units * unit * 1e6));
}

static void collect(int calls)
{
    double sum = 0, mine = rank;
    double *all = malloc(sizeof *all * 1024);
    for (int call = 0; call < calls; call++) {
        MPI_Barrier(MPI_COMM_WORLD);
        work(2, call % 10 < 3 ? 4 : 0);
        MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        work(1, call % 10 < 3 ? 3 : 0);
        MPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    free(all);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc != 3)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    unit = strtod(argv[2], NULL);
    double input = 0;
    work(0, 1200);
    MPI_Bcast(&input, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    collect(atoi(argv[1]));
    MPI_Finalize();
    return 0;
}
