/* SPDX-License-Identifier: BSD-3-Clause */
/* Another tool that is preloaded: it stands in for MPI_Init and calls PMPI_Init. */
#include <mpi.h>
#include <stdio.h>

int MPI_Init(int *argc, char ***argv)
{
    puts("a tool begins");
    return PMPI_Init(argc, argv);
}
