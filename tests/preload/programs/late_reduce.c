/* SPDX-License-Identifier: BSD-3-Clause */
/* late_reduce [off|busy|year] Sums to which the last rank comes late, by very much at
   first; a barrier keeps the others from running ahead. `off`: no sum is adapted.
   `busy`: no rank is late, and all have so much other work that adapting does not pay.
   `year`: the first delay is a year. */
#include "check.h"

#include <string.h>
#include <unistd.h>

enum { MOST = 1 << 17 };

int main(int argc, char **argv)
{
    static double mine[MOST], all[MOST];
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mine[0] = 1;
    const char *how = argc > 1 ? argv[1] : "";
    const bool busy = strcmp(how, "busy") == 0;
    if (strcmp(how, "off") == 0)
        MPI_Pcontrol(0);
    if (strcmp(how, "year") == 0 && rank == size - 1)
        sleep(35000000);
    for (int i = 0; i < 1000; i++) {
        if (busy)
            usleep(20000);
        else if (rank == size - 1)
            usleep(i ? 2000 : 2000000);
        MPI_Reduce(mine, all, i ? 512 : MOST, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        check(rank || all[0] == size, "the sum is %g", all[0]);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return check_finish();
}
