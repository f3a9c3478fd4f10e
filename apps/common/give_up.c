/* SPDX-License-Identifier: BSD-3-Clause */
#include "give_up.h"

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* MPICH's launcher drops what it has not yet read from a rank when the rank aborts. */
static const useconds_t launcher_reads = 300000;

void give_up(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    usleep(launcher_reads);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    exit(EXIT_FAILURE); /* MPI_Abort() is not declared never to return */
}
