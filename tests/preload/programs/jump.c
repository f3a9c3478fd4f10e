/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank makes mistakes, and its error handler does not return, like one that throws an
   exception. The program continues as if the broadcast had returned. */
#include "check.h"

#include <setjmp.h>
#include <unistd.h>

static jmp_buf before;

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    longjmp(before, 1);
}

enum { BYTES = 60 };

/* With the last rank late, so that a library has time to adapt. */
static void meet(int rank, int ranks)
{
    static char message[BYTES];
    for (uint32_t i = 0; i < 40; i++) {
        if (rank == ranks - 1)
            usleep(2000);
        check_bcast(message, sizeof message, 0, MPI_COMM_WORLD, i);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* The last rank, which forwards nothing, expects less than the root sends. */
static void cut(int rank, int ranks)
{
    char message[BYTES] = {0};
    const int bytes = rank == ranks - 1 ? BYTES - 10 : BYTES;
    if (setjmp(before) == 0) {
        MPI_Bcast(message, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
        check(rank != ranks - 1, "the handler was not called");
    }
}

int main(int argc, char **argv)
{
    int value = 0, rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Errhandler errhandler;
    MPI_Comm_create_errhandler(handler, &errhandler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler);
    unbalance(MPI_COMM_WORLD);
    if (rank == 1 && setjmp(before) == 0) {
        MPI_Bcast(&value, -1, MPI_INT, 0, MPI_COMM_WORLD);
        check(false, "the handler was not called");
    }
    for (int i = 0; i < 3; i++) {
        meet(rank, ranks);
        cut(rank, ranks);
    }
    meet(rank, ranks);
    MPI_Errhandler_free(&errhandler);
    return check_finish();
}
