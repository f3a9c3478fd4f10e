/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of growing size: between two ranks, while the others rest, and between all.
 */
#include "probe.h"

#include "apps/common/app.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>

/* A separate tag marks the last message of a size. */
enum { TAG_MORE = 2, TAG_LAST, TAG_TIMINGS, TAG_BETWEEN };

/* Send and receive buffers. */
struct buffers {
    void *out, *in;
};

static struct buffers buffers_make(const struct work_node *node, int bytes)
{
    const struct buffers buffers = {.out = work_buffer(node, (size_t)bytes, 1),
                                    .in = work_buffer(node, (size_t)bytes, 1)};
    if (!buffers.out || !buffers.in)
        app_give_up(PROBE_NAME, "no memory for messages of %d bytes", bytes);
    return buffers;
}

static void buffers_free(const struct work_node *node, const struct buffers *buffers)
{
    work_buffer_free(node, buffers->in);
    work_buffer_free(node, buffers->out);
}

static void deliver(void *message, int bytes, int to, int tag)
{
    MPI_Request request;
    MPI_Isend(message, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* One sweep's repeats of a size. */
static void serve(const struct buffers *buffers, int bytes, int to,
                  struct samples *samples)
{
    double sum = 0;
    int repeats = 0;
    for (bool last = false; !last; repeats++) {
        MPI_Request request;
        MPI_Irecv(buffers->in, bytes, MPI_BYTE, to, MPI_ANY_TAG, MPI_COMM_WORLD,
                  &request);
        last = timing_enough(repeats + 1, sum);
        const double start = MPI_Wtime();
        deliver(buffers->out, bytes, to, last ? TAG_LAST : TAG_MORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        const double trip = MPI_Wtime() - start;
        samples_add(samples, trip / 2);
        sum += trip;
    }
}

static void give_back(const struct buffers *buffers, int bytes, int from)
{
    MPI_Status status = {.MPI_TAG = TAG_MORE};
    while (status.MPI_TAG != TAG_LAST) {
        MPI_Recv(buffers->in, bytes, MPI_BYTE, from, MPI_ANY_TAG, MPI_COMM_WORLD,
                 &status);
        deliver(buffers->out, bytes, from, TAG_MORE);
    }
}

/* Time sizes in between as well, sending each size to the other rank first, and 0 at
   the end; returns the number of timings. */
static int look_between(const struct buffers *buffers, int to, struct timing *timings,
                        int count)
{
    int bytes;
    do {
        bytes = timing_between(timings, count);
        deliver(&bytes, sizeof bytes, to, TAG_BETWEEN);
        struct samples samples = {.repeats = 0};
        for (int i = 0; i < TIMING_SWEEPS && bytes > 0; i++)
            serve(buffers, bytes, to, &samples);
        if (bytes > 0) {
            struct timing timing = samples_timing(&samples, bytes);
            timing.between = true;
            timing_insert(timings, count++, &timing);
        }
    } while (bytes > 0);
    return count;
}

static void answer_between(const struct buffers *buffers, int from)
{
    int bytes;
    do {
        MPI_Recv(&bytes, sizeof bytes, MPI_BYTE, from, TAG_BETWEEN, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        for (int i = 0; i < TIMING_SWEEPS && bytes > 0; i++)
            give_back(buffers, bytes, from);
    } while (bytes > 0);
}

/* The part of the pair's ranks; returns the first one's number of timings. */
static int play(const struct work_node *node, const struct pair *pair, int rank,
                const int *sizes, int count, struct timing *timings)
{
    const struct buffers buffers = buffers_make(node, sizes[count - 1]);
    struct samples *samples = calloc((size_t)count, sizeof *samples);
    if (!samples)
        app_give_up(PROBE_NAME, "no memory for the times of %d sizes", count);
    for (int i = 0; i < TIMING_SWEEPS * count; i++)
        if (rank == pair->from)
            serve(&buffers, sizes[i % count], pair->to, &samples[i % count]);
        else
            give_back(&buffers, sizes[i % count], pair->from);
    for (int i = 0; i < count && rank == pair->from; i++)
        timings[i] = samples_timing(&samples[i], sizes[i]);
    if (rank == pair->from)
        count = look_between(&buffers, pair->to, timings, count);
    else
        answer_between(&buffers, pair->from);
    free(samples);
    buffers_free(node, &buffers);
    return count;
}

int pingpong(const struct work_node *node, const struct pair *pair, int max_bytes,
             struct timing timings[TIMING_MOST_SIZES])
{
    int rank, sizes[TIMING_MOST_SIZES];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int count = timing_sizes(sizes, max_bytes);
    if (rank == pair->from || rank == pair->to)
        count = play(node, pair, rank, sizes, count, timings);
    if (rank == pair->from && rank != 0)
        deliver(timings, count * (int)sizeof *timings, 0, TAG_TIMINGS);
    if (rank == 0 && rank != pair->from) {
        MPI_Status status;
        MPI_Recv(timings, TIMING_MOST_SIZES * (int)sizeof *timings, MPI_BYTE,
                 pair->from, TAG_TIMINGS, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        count /= (int)sizeof *timings;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return rank == 0 ? count : 0;
}

enum { MOST_SENT = 4 << 20 };

/* Nonblocking collectives send all their messages at once, unlike MPI_Alltoall(), and
   ranks leave MPI_Iallreduce() together. */
static double time_exchange(const void *out, void *in, int bytes)
{
    MPI_Request request;
    const double start = MPI_Wtime();
    MPI_Ialltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return MPI_Wtime() - start;
}

/* The slowest rank's, on all ranks. */
static double slowest(double seconds)
{
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD,
                   &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return seconds;
}

/* One sweep's repeats of a size. */
static void repeat_exchange(const void *out, void *in, int bytes,
                            struct samples *samples)
{
    double sum = 0;
    for (int repeats = 0; !timing_enough(repeats, sum); repeats++) {
        const double seconds = slowest(time_exchange(out, in, bytes));
        samples_add(samples, seconds);
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
    struct samples *samples = calloc(TIMING_MOST_SIZES, sizeof *samples);
    if (!out || !in || !samples)
        app_give_up(PROBE_NAME, "no memory for messages of %d bytes to %d ranks", most,
                    ranks);
    while (1L << count <= most)
        count++;
    for (int i = 0; i < TIMING_SWEEPS * count; i++)
        repeat_exchange(out, in, 1 << i % count, &samples[i % count]);
    for (int i = 0; i < count; i++)
        timings[i] = samples_timing(&samples[i], 1 << i);
    free(samples);
    work_buffer_free(node, in);
    work_buffer_free(node, out);
    return rank == 0 ? count : 0;
}
