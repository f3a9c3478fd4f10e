/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators with as many ranks as MPI_COMM_WORLD, but other ones: each has a parent
   and a child that it has spawned. The children have called MPI_Barrier before. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { COUNT = 1024 };
    static int mine[COUNT], all[COUNT];
    MPI_Comm between, both, part;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_parent(&between);
    const bool child = between != MPI_COMM_NULL;
    if (child)
        MPI_Barrier(MPI_COMM_WORLD);
    else
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, size, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                       &between, MPI_ERRCODES_IGNORE);
    MPI_Intercomm_merge(between, child, &both);
    MPI_Comm_rank(both, &rank);
    MPI_Comm_split(both, rank % size, rank, &part);
    MPI_Comm_rank(part, &rank);
    MPI_Comm_size(part, &size);
    for (int i = 0; i < 300; i++) {
        for (int k = 0; k < COUNT; k++)
            mine[k] = i + k;
        MPI_Reduce(mine, all, COUNT, MPI_INT, MPI_SUM, 0, part);
        check(rank || all[COUNT - 1] == size * (i + COUNT - 1), "sum %d is wrong", i);
        int sum = 0;
        MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, part);
        check(sum == size * i, "sum %d of all is %d", i, sum);
    }
    unbalance(part);
    MPI_Comm_free(&part);
    MPI_Comm_free(&both);
    MPI_Comm_disconnect(&between);
    return check_finish();
}
