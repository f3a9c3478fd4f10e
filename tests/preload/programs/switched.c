/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Pcontrol in the middle of a program, on all ranks and on some. */
#include "check.h"

static int rank;

static void bcasts(MPI_Comm comm)
{
    char buffer[5000];
    int ranks;
    MPI_Comm_size(comm, &ranks);
    unbalance(comm);
    for (int root = 0; root < ranks; root++)
        check_bcast(buffer, sizeof buffer, root, comm, (uint32_t)root);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Pcontrol(0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm dup;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    bcasts(MPI_COMM_WORLD);
    MPI_Pcontrol(1);
    bcasts(MPI_COMM_WORLD);
    MPI_Pcontrol(0);
    bcasts(MPI_COMM_WORLD);
    bcasts(dup);
    if (rank == 0)
        MPI_Pcontrol(1);
    bcasts(MPI_COMM_WORLD);
    bcasts(dup);
    MPI_Pcontrol(1);
    if (rank == 1)
        MPI_Pcontrol(0);
    bcasts(MPI_COMM_WORLD);
    bcasts(dup);
    MPI_Pcontrol(2, "levels that nobody knows", 3.0);
    bcasts(dup);
    MPI_Comm_free(&dup);
    return check_finish();
}
