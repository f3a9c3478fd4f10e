/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of the MPI in serial_mpi.c that serial.c calls. */
#ifndef MT_TESTS_SERIAL_MPI_H
#define MT_TESTS_SERIAL_MPI_H

int MPI_Init(int *argc, char ***argv);
int MPI_Bcast(void *buffer, int count, int type, int root, int comm);
int MPI_Pcontrol(const int level, ...);
void mpi_bcast_(void *buffer, const int *count, const int *type, const int *root,
                const int *comm, int *error);

#endif
