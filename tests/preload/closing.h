/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * closing.h - a fake MPI and the UCX below it, with only the functions that the end of
 * MPICH's MPI_Finalize needs; for closing.c.
 */
#ifndef CLOSING_H
#define CLOSING_H

#include <unistd.h>

/* UCX: a worker is the number of looks at it. */
int ucp_worker_create(void *context, const void *parameters, void **made);
unsigned ucp_worker_progress(void *worker);
void ucp_worker_destroy(void *worker);
void *ucp_disconnect_nb(void *endpoint);

/* The MPI. */
int PMPI_Init(int *argc, char ***argv);
/* Returns the looks at its worker so far, also when it is destroyed. */
const int *mpi_create_worker(void);
void mpi_close_connections(void);
ssize_t mpi_read(int descriptor, void *buffer, size_t size);
void mpi_destroy_worker(void);

#endif
