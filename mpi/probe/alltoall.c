/* SPDX-License-Identifier: BSD-3-Clause */
#include "alltoall.h"

#include "give_up.h"
#include "options.h"
#include "patient.h"

#include <mpi.h>

enum { MOST_SENT = 16 << 20 };

static double exchange(const void *out, void *in, int bytes)
{
    MPI_Request request;
    const double start = MPI_Wtime();
    MPI_Ialltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD, &request);
    patient_wait(&request, MPI_STATUS_IGNORE);
    return MPI_Wtime() - start;
}

/* The slowest rank's times, on all ranks. */
static void take_slowest(double *seconds, int count)
{
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, seconds, count, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD,
                   &request);
    patient_wait(&request, MPI_STATUS_IGNORE);
}

/* The first exchange, which all ranks enter at their own time, is not counted, but
   tells them how many to make. */
static struct timing measure(const void *out, void *in, int bytes)
{
    double first = exchange(out, in, bytes), seconds[TIMING_MOST_REPEATS];
    int repeats = 0;
    take_slowest(&first, 1);
    while (!timing_enough(repeats, repeats * first))
        seconds[repeats++] = exchange(out, in, bytes);
    take_slowest(seconds, repeats);
    return timing_of(bytes, seconds, repeats);
}

int alltoall(const struct work_node *node, int max_bytes,
             struct timing timings[TIMING_MOST_SIZES])
{
    int rank, ranks, count = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int most = MOST_SENT / ranks < max_bytes ? MOST_SENT / ranks : max_bytes;
    void *out = work_buffer(node, (size_t)ranks * (size_t)most, 1);
    void *in = work_buffer(node, (size_t)ranks * (size_t)most, 1);
    if (!out || !in)
        give_up(PROBE_NAME, "no memory for messages of %d bytes to %d ranks", most,
                ranks);
    for (long bytes = 1; bytes <= most; bytes *= 2)
        timings[count++] = measure(out, in, (int)bytes);
    work_buffer_free(node, in);
    work_buffer_free(node, out);
    return rank == 0 ? count : 0;
}
