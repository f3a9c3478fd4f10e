/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

const bool machine_simulated = false;

double machine_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void machine_delay(double seconds, bool spin)
{
    if (spin) {
        const double end = machine_now() + seconds;
        while (machine_now() < end)
            continue;
    } else if (seconds > 0) {
        const double whole = floor(seconds);
        struct timespec left = {.tv_sec = (time_t)whole,
                                .tv_nsec = (long)((seconds - whole) * 1e9)};
        while (nanosleep(&left, &left) != 0 && errno == EINTR)
            continue;
    }
}

double machine_barrier(MPI_Comm comm)
{
    MPI_Barrier(comm);
    return 0;
}

void *machine_buffer(size_t bytes, int ranks, bool *separate)
{
    (void)ranks;
    *separate = true;
    return calloc(bytes, 1);
}

void machine_release(void *buffer, bool separate)
{
    (void)separate;
    free(buffer);
}
