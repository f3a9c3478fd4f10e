/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * late RANK MS CALLS ROOT [alone]: broadcasts at two places in the program to which one
 * rank always comes late (-1: none), and some among the lower half of the ranks. With
 * `alone`, no other calls of all ranks are between them.
 */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { SMALL = 64, LARGE = 8192 };

static int alone;

static void broadcasts(int calls, int root, int late, int ms)
{
    static char message[LARGE];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int call = 0; call < calls; call++) {
        if (rank == late)
            usleep((unsigned)ms * 1000);
        if (call % 4 == 0)
            MPI_Bcast(message, SMALL, MPI_CHAR, root, MPI_COMM_WORLD);
        else
            MPI_Bcast(message, LARGE, MPI_CHAR, root, MPI_COMM_WORLD);
        if (!alone)
            MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void broadcasts_of_half(void)
{
    MPI_Comm half;
    int rank, ranks, message = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_split(MPI_COMM_WORLD, rank < ranks / 2 ? 0 : MPI_UNDEFINED, 0, &half);
    if (half == MPI_COMM_NULL)
        return;
    MPI_Comm_set_name(half, "the \"lower\" half");
    for (int call = 0; call < 10; call++)
        MPI_Bcast(&message, 1, MPI_INT, 0, half);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    alone = argc == 6;
    if (argc != 5 && !alone)
        MPI_Abort(MPI_COMM_WORLD, 2);
    broadcasts(atoi(argv[3]), atoi(argv[4]), atoi(argv[1]), atoi(argv[2]));
    broadcasts_of_half();
    MPI_Finalize();
    return 0;
}
