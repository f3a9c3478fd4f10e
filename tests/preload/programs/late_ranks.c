/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * late_ranks CALLS SECONDS: pairs of calls at two places of the program. To three in
 * ten of the first rank 1 comes 2 times SECONDS late, to three in ten of the second
 * rank 2 comes 20 times. Then messages that rank 3 waits for rank 0 to send, as often,
 * 5 times.
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

static int rank;
static double unit; /* s */

/* Every rank knows which rank is late when, but only that one sleeps. */
static void come(int late, int call, double units)
{
    if (rank == late && call % 10 < 3)
        usleep((useconds_t)lround(units * unit * 1e6));
}

static void meet(int calls)
{
    double sum = 0, mine = rank;
    for (int call = 0; call < calls; call++) {
        come(1, call, 2);
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        come(2, call, 20);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void send(int calls)
{
    int message = 0;
    for (int call = 0; call < calls; call++) {
        come(0, call, 5);
        if (rank == 0)
            MPI_Send(&message, 1, MPI_INT, 3, 7, MPI_COMM_WORLD);
        if (rank == 3)
            MPI_Recv(&message, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc != 3)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    unit = strtod(argv[2], NULL);
    meet(atoi(argv[1]));
    send(atoi(argv[1]));
    MPI_Finalize();
    return 0;
}
