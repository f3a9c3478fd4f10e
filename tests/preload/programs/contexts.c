/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators in thousands, broadcast in and freed; and many at the same time.
 *
 *     contexts TIMES ALIVE
 */
#include "check.h"

#include <stdlib.h>

/* Enough communicators for the library to have messages in transit that must end when
   one is freed. */
enum { BROADCASTS = 15 };

static void use(MPI_Comm comm, uint32_t number)
{
    char buffer[16];
    for (uint32_t i = 0; i < BROADCASTS; i++)
        check_bcast(buffer, sizeof buffer, 0, comm, number + i);
}

static void one_after_another(uint32_t times)
{
    int rank;
    long before = peak_kib();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (uint32_t i = 0; i < times; i++) {
        if (i == times / 3)
            before = peak_kib();
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        use(comm, i);
        MPI_Comm_free(&comm);
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &comm);
        use(comm, i);
        MPI_Comm_free(&comm);
    }
    const long grown = peak_kib() - before;
    check(grown < 8L * 1024, "%u communicators took %ld KiB", times, grown);
}

static void at_the_same_time(int alive)
{
    MPI_Comm *comms = malloc((size_t)alive * sizeof(MPI_Comm));
    if (!comms)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < alive; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        use(comms[i], (uint32_t)i);
    }
    for (int i = 0; i < alive; i++)
        use(comms[i], (uint32_t)i);
    for (int i = 0; i < alive; i++)
        MPI_Comm_free(&comms[i]);
    free(comms);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    one_after_another((uint32_t)strtol(argv[1], NULL, 10));
    at_the_same_time((int)strtol(argv[2], NULL, 10));
    return check_finish();
}
