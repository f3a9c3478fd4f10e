/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank makes a mistake, and its error handler does not return; as one that throws an
   exception. */
#include "check.h"

#include <setjmp.h>

static jmp_buf before;

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    longjmp(before, 1);
}

int main(int argc, char **argv)
{
    int value = 0, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Errhandler errhandler;
    MPI_Comm_create_errhandler(handler, &errhandler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler);
    unbalance(MPI_COMM_WORLD);
    if (rank == 1 && setjmp(before) == 0) {
        MPI_Bcast(&value, -1, MPI_INT, 0, MPI_COMM_WORLD);
        check(false, "the handler was not called");
    }
    unbalance(MPI_COMM_WORLD);
    MPI_Errhandler_free(&errhandler);
    return check_finish();
}
