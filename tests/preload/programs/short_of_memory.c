/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * short_of_memory [EVERY] Broadcasts, reductions and gathers while a library under this
 * program is refused memory: on each rank in turn, and at each allocation from the
 * first call on a communicator until it is freed (with EVERY, at some of them).
 * Whatever is refused, the data are right and all ranks finish.
 */
#include "check.h"
#include "shortage.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BROADCASTS = 40, CALLS = 140, INTS = 1 << 14 };

static int rank, size;

/* As it is, and with a gap behind each int. */
static void broadcasts(MPI_Comm comm, int count, MPI_Datatype type, int stride)
{
    static int buffer[2 * INTS];
    for (int i = 0; i < BROADCASTS; i++) {
        if (rank == size - 1 && i % 4 == 0)
            usleep(300);
        for (int k = 0; k < count; k++)
            buffer[k * stride] = rank == i % 2 ? i + k : -1;
        MPI_Bcast(buffer, count, type, i % 2, comm);
        int wrong = 0;
        for (int k = 0; k < count; k++)
            wrong += buffer[k * stride] != i + k;
        check(wrong == 0, "%d of %d ints are wrong", wrong, count);
    }
}

static void reductions(MPI_Comm comm)
{
    static int mine[INTS], all[INTS];
    for (int i = 0; i < CALLS; i++) {
        if (rank == size - 1)
            usleep(100);
        for (int k = 0; k < INTS; k++)
            mine[k] = i + k;
        MPI_Reduce(mine, all, INTS, MPI_INT, MPI_SUM, 0, comm);
        check(rank || (all[0] == size * i && all[INTS - 1] == size * (i + INTS - 1)),
              "sum %d is wrong", i);
    }
}

static void gathers(MPI_Comm comm, MPI_Datatype type)
{
    enum { BLOCK = 64 };
    int *all = calloc((size_t)size * BLOCK * 2, sizeof *all), own[2 * BLOCK] = {0};
    for (int i = 0; i < CALLS; i++) {
        if (rank == size - 1)
            usleep(100);
        own[0] = rank + i;
        MPI_Gather(own, BLOCK, type, all, BLOCK, type, 0, comm);
        for (int k = 0; rank == 0 && k < size; k++)
            check(all[2 * BLOCK * k] == k + i, "block %d of gather %d is wrong", k, i);
    }
    free(all);
}

/* Whether `nth` was at most the number of allocations on the rank. */
static bool round_of(int failing, int nth, bool lasting)
{
    void (*begin)(int, bool);
    bool (*end)(void);
    *(void **)&begin = dlsym(RTLD_DEFAULT, "shortage_begin");
    *(void **)&end = dlsym(RTLD_DEFAULT, "shortage_end");
    MPI_Datatype gaps;
    MPI_Comm comm;
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &gaps);
    MPI_Type_commit(&gaps);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (begin && rank == failing)
        begin(nth, lasting);
    broadcasts(comm, 4, MPI_INT, 1);
    broadcasts(comm, INTS, MPI_INT, 1);
    broadcasts(comm, INTS, gaps, 2);
    reductions(comm);
    gathers(comm, gaps);
    MPI_Comm_free(&comm);
    int refused = begin && rank == failing && end();
    PMPI_Allreduce(MPI_IN_PLACE, &refused, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Type_free(&gaps);
    return refused;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int every = argc > 1 ? atoi(argv[1]) : 1;
    int rounds = 0;
    /* After the first hundred, which include the setup, all calls are alike. */
    for (int failing = 0; failing < size; failing++)
        for (int nth = 1 + failing % every; round_of(failing, nth, rounds % 2 == 0);
             nth += every + nth / 100 * 50)
            rounds++;
    if (rank == 0)
        printf("%d rounds\n", rounds);
    return check_finish();
}
