/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine.h"

#include <mpi.h>
#include <simgrid/actor.h>
#include <simgrid/host.h>

#include <stdlib.h>

const bool machine_simulated = true;

static const double most_memory = 0x1p28;
static const double longest_barrier = 0.01; /* seconds, on any likely network */

double machine_now(void)
{
    return MPI_Wtime();
}

void machine_delay(double seconds, bool spin)
{
    if (spin)
        smpi_execute_flops(seconds * sg_host_get_speed(sg_host_self()));
    else
        sg_actor_sleep_for(seconds);
}

double machine_barrier(MPI_Comm comm)
{
    double start = MPI_Wtime();
    MPI_Allreduce(MPI_IN_PLACE, &start, 1, MPI_DOUBLE, MPI_MAX, comm);
    const double held = start + longest_barrier - MPI_Wtime();
    if (held <= 0)
        return 0;
    sg_actor_sleep_for(held);
    return held;
}

void *machine_buffer(size_t bytes, int ranks, bool *separate)
{
    *separate = (double)bytes * ranks <= most_memory;
    return *separate ? calloc(bytes, 1) : SMPI_SHARED_MALLOC(bytes);
}

void machine_release(void *buffer, bool separate)
{
    if (separate)
        free(buffer);
    else
        SMPI_SHARED_FREE(buffer);
}
