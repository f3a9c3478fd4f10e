/* SPDX-License-Identifier: BSD-3-Clause */
/* late_gather [off] Gathers with a late rank that, by its number, forwards others'
   blocks in a tree; a barrier keeps the others from running ahead. `off`: none is
   adapted. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { INTS = 1 << 14 }; /* so long that a rank waits until its block is requested */

static int rank, size;

static void come(bool first)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size / 2)
        usleep(first ? 2000000 : 2000);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        MPI_Pcontrol(0);
    int *all = calloc((size_t)size * INTS, sizeof *all), own[INTS] = {0};
    double seconds = 0;
    for (int i = 0; i < 1000; i++) {
        for (int k = 0; k < INTS; k++)
            own[k] = rank + i + k;
        come(i == 0);
        if (i >= 500)
            seconds -= MPI_Wtime();
        MPI_Gather(own, INTS, MPI_INT, all, INTS, MPI_INT, 0, MPI_COMM_WORLD);
        if (i >= 500)
            seconds += MPI_Wtime();
        for (int k = 0; rank == 0 && k < size * INTS; k++)
            check(all[k] == k / INTS + i + k % INTS, "gathered %d", all[k]);
    }
    free(all);
    double sum = 0;
    MPI_Reduce(&seconds, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.1f\n", sum / size / 500 * 1e6);
    return check_finish();
}
