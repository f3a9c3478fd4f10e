/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks with different thread levels: sums and broadcasts on a duplicate before any
   call on MPI_COMM_WORLD. */
#include "check.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    const char *number = getenv("OMPI_COMM_WORLD_RANK");
    int provided, size;
    if (!number)
        number = getenv("PMI_RANK");
    const bool first = number && atoi(number) == 0;
    MPI_Init_thread(&argc, &argv, first ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                    &provided);
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_size(copy, &size);
    for (int i = 0; i < 100; i++) {
        int sum = 0;
        MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, copy);
        check(sum == size * i, "sum %d is %d", i, sum);
    }
    unbalance(copy);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&copy);
    return check_finish();
}
