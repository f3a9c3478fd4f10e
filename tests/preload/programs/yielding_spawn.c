/* SPDX-License-Identifier: BSD-3-Clause */
/* Two worlds of ranks: each is asked for by itself whether its ranks yield. */
#include "check.h"

static void work_together(MPI_Comm others, bool high)
{
    MPI_Comm all;
    int rank, ranks, number = 1, sum = 0, in = -1;
    MPI_Barrier(others);
    MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, others);
    check(sum == 2, "%d ranks in the other group", sum);
    MPI_Intercomm_merge(others, high, &all);
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &ranks);
    for (int i = 0; i < 20; i++) {
        MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, all);
        check(sum == 4, "%d ranks in both groups", sum);
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % ranks, 0, &in, 1, MPI_INT,
                     (rank + ranks - 1) % ranks, 0, all, MPI_STATUS_IGNORE);
        check(in == (rank + ranks - 1) % ranks, "a message from %d", in);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&others);
}

int main(int argc, char **argv)
{
    MPI_Comm others;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&others);
    const bool is_child = others != MPI_COMM_NULL;
    if (!is_child)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                       &others, MPI_ERRCODES_IGNORE);
    work_together(others, is_child);
    return check_finish();
}
