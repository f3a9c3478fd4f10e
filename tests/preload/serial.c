/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that is linked with an MPI for one process. */
#include "serial_mpi.h"

int main(void)
{
    const int zero = 0;
    int value = 1, error = 1;
    MPI_Init(0, 0);
    mpi_bcast_(&value, &zero, &zero, &zero, &zero, &error);
    return MPI_Bcast(&value, 1, 0, 0, 0) || MPI_Pcontrol(1) || error;
}
