/* SPDX-License-Identifier: BSD-3-Clause */
#include "alltoall.h"

#include "apps/common/app.h"
#include "options.h"
#include "patient.h"

#include <mpi.h>
#include <stdlib.h>

enum { MOST_SENT = 4 << 20 };

static double exchange(const void *out, void *in, int bytes)
{
    MPI_Request request;
    const double start = MPI_Wtime();
    MPI_Ialltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD, &request);
    patient_wait(&request, MPI_STATUS_IGNORE);
    return MPI_Wtime() - start;
}

/* The slowest rank's, on all ranks. */
static double slowest(double seconds)
{
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD,
                   &request);
    patient_wait(&request, MPI_STATUS_IGNORE);
    return seconds;
}

/* One sweep's repeats of a size. */
static void repeat(const void *out, void *in, int bytes, struct series *series)
{
    double sum = 0;
    for (int repeats = 0; !timing_enough(repeats, sum); repeats++) {
        const double seconds = slowest(exchange(out, in, bytes));
        series_add(series, seconds);
        sum += seconds;
    }
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
    struct series *series = calloc(TIMING_MOST_SIZES, sizeof *series);
    if (!out || !in || !series)
        app_give_up(PROBE_NAME, "no memory for messages of %d bytes to %d ranks", most,
                    ranks);
    while (1L << count <= most)
        count++;
    for (int i = 0; i < TIMING_SWEEPS * count; i++)
        repeat(out, in, 1 << i % count, &series[i % count]);
    for (int i = 0; i < count; i++)
        timings[i] = series_timing(&series[i], 1 << i);
    free(series);
    work_buffer_free(node, in);
    work_buffer_free(node, out);
    return rank == 0 ? count : 0;
}
