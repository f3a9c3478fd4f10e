/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The root runs ahead while one rank sleeps: nothing may be lost, and the root must not
 * keep all messages that the sleeper has not taken yet.
 */
#include "check.h"

#include <unistd.h>

static void run_ahead(uint32_t n, int bytes)
{
    static char buffer[1 << 16];
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    unbalance(MPI_COMM_WORLD);
    const long before = peak_kib();
    for (uint32_t i = 0; i < n; i++) {
        if (rank == ranks / 2 && i % (n / 2) == 1)
            usleep(200000);
        check_bcast(buffer, bytes, 0, MPI_COMM_WORLD, i);
    }
    const long grown = peak_kib() - before;
    check(rank != 0 || grown < 32L * 1024, "%u messages of %d bytes took %ld KiB", n,
          bytes, grown);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    run_ahead(10000, 64);
    run_ahead(600, 1 << 16);
    return check_finish();
}
