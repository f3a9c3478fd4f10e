/* SPDX-License-Identifier: BSD-3-Clause */
/* More communicators than the library sets up, on two ranks. Adapting their sums does
   not pay at first; then the second rank comes late to one of each, by such a share of
   the time that it does. */
#include "check.h"

#include <unistd.h>

enum { COMMUNICATORS = 150, COUNT = 256 };

static int rank;

static void sums(MPI_Comm comm, int n, useconds_t work)
{
    static double mine[COUNT], all[COUNT];
    mine[0] = 1;
    for (int i = 0; i < n; i++) {
        usleep(work);
        MPI_Reduce(mine, all, COUNT, MPI_DOUBLE, MPI_SUM, 0, comm);
        check(rank || all[0] == 2, "the sum is %g", all[0]);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comms[COMMUNICATORS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const double began = MPI_Wtime();
    for (int i = 0; i < COMMUNICATORS; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        sums(comms[i], 129, 2000);
    }
    for (int i = 0; i < COMMUNICATORS; i++) {
        if (rank == 1)
            sleep((unsigned)(1 + 0.05 * (MPI_Wtime() - began)));
        sums(comms[i], 129, 0);
    }
    for (int i = 0; i < COMMUNICATORS; i++)
        MPI_Comm_free(&comms[i]);
    return check_finish();
}
