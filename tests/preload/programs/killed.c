/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank is killed in the middle of broadcasts. */
#include "check.h"

#include <signal.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    unbalance(MPI_COMM_WORLD);
    for (uint32_t i = 0;; i++) {
        char buffer[1000];
        if (rank == 1 && i == 20)
            raise(SIGKILL);
        check_bcast(buffer, sizeof buffer, (int)i % 2, MPI_COMM_WORLD, i);
    }
}
