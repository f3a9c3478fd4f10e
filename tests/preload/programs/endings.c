/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Unusual ways to begin and to end.
 *
 *     endings unused        MPI_Finalize without any broadcast
 *     endings never         no MPI_Finalize
 *     endings early         one rank leaves with status 3 and without MPI_Finalize
 *     endings abort         one rank calls MPI_Abort with 4
 *     endings uninitialised no MPI at all
 *     endings thread        MPI_Init_thread
 *     endings last          a broadcast in MPI_Finalize, from a callback
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int bcast_in_callback(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    char buffer[100];
    for (uint32_t i = 0; i < 20; i++)
        check_bcast(buffer, sizeof buffer, 0, MPI_COMM_WORLD, i);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        puts("in the end");
    return MPI_SUCCESS;
}

/* Also below the attributes that a library has set in the meantime. */
static void set_callback(void)
{
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, bcast_in_callback, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Comm_free_keyval(&key);
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    int rank, provided;
    if (strcmp(way, "uninitialised") == 0)
        return 0;
    if (strcmp(way, "thread") == 0)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(way, "unused") == 0)
        return check_finish();
    if (strcmp(way, "last") == 0)
        set_callback();
    unbalance(MPI_COMM_WORLD);
    if (strcmp(way, "last") == 0)
        set_callback();
    if (strcmp(way, "never") == 0)
        return 0;
    if (strcmp(way, "early") == 0 && rank == 1)
        exit(3);
    if (strcmp(way, "abort") == 0 && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 4);
    return check_finish();
}
