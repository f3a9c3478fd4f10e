/* SPDX-License-Identifier: BSD-3-Clause */
/* An MPI for one process, as solvers bring along for their serial builds: it has no
   functions whose names begin with a P. */
#include "serial_mpi.h"

int MPI_Init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    return 0;
}

int MPI_Bcast(void *buffer, int count, int type, int root, int comm)
{
    (void)buffer, (void)count, (void)type, (void)root, (void)comm;
    return 0;
}

int MPI_Pcontrol(const int level, ...)
{
    (void)level;
    return 0;
}

void mpi_bcast_(void *buffer, const int *count, const int *type, const int *root,
                const int *comm, int *error)
{
    *error = MPI_Bcast(buffer, *count, *type, *root, *comm);
}
