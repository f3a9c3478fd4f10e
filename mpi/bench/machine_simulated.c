/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine.h"

#include <mpi.h>
#include <simgrid/actor.h>
#include <simgrid/host.h>

#include <stdlib.h>

const bool machine_simulated = true;

static const double most_memory = 0x1p31;

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
