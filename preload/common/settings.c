/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads MOTLEY_BALANCE once for the process. */
#include "options.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct options options;

static void read_variable(void)
{
    const char *text = getenv("MOTLEY_BALANCE");
    char reason[256];
    int rank = 0;
    if (options_parse(&options, text, reason, sizeof(reason)))
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        fprintf(
            stderr,
            "motley-balance: MOTLEY_BALANCE=%s: %s; all calls are left to the MPI\n",
            text, reason);
}

const struct options *settings(void)
{
    pthread_once(&once, read_variable);
    return &options;
}
