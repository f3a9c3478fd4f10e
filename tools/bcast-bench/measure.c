/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure.h"

#include "apps/common/app.h"
#include "machine.h"
#include "payload.h"

#include <stdlib.h>

static void *array(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        app_give_up(BENCH_NAME, "no memory for the times of %zu calls", count);
    return memory;
}

/* The ranks of a node have one clock, and so have all simulated ones. */
static bool have_one_clock(int ranks)
{
    MPI_Comm node;
    int neighbours;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &neighbours);
    MPI_Comm_free(&node);
    int all = neighbours == ranks;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all;
}

void bench_init(struct bench *bench, const struct settings *settings)
{
    const size_t calls = (size_t)settings->calls;
    *bench = (struct bench){.settings = settings};
    MPI_Comm_rank(MPI_COMM_WORLD, &bench->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &bench->ranks);
    bench->one_clock = machine_simulated || have_one_clock(bench->ranks);
    bench->requests = array((size_t)bench->ranks, sizeof(MPI_Request));
    bench->in_call = array(calls, sizeof(double));
    bench->started = array(calls, sizeof(double));
    bench->ended = array(calls, sizeof(double));
}

void bench_clear(struct bench *bench)
{
    if (bench->buffer)
        machine_release(bench->buffer, bench->checked);
    free(bench->requests);
    free(bench->in_call);
    free(bench->started);
    free(bench->ended);
    *bench = (struct bench){.settings = NULL};
}

void bench_resize(struct bench *bench, int bytes)
{
    if (bench->buffer)
        machine_release(bench->buffer, bench->checked);
    bench->buffer = machine_buffer((size_t)bytes, bench->ranks, &bench->checked);
    if (!bench->buffer)
        app_give_up(BENCH_NAME, "no memory for a message of %d bytes on rank %d", bytes,
                    bench->rank);
}

static double lateness(const struct bench *bench, const struct load *load, int call)
{
    const struct settings *settings = bench->settings;
    const int place = (bench->rank - settings->root + bench->ranks) % bench->ranks;
    return load->late * pattern_share(load->pattern, (uint64_t)settings->seed, place,
                                      bench->ranks, call);
}

/* Returns at how many calls this rank found wrong data; `held` is for how long the
   barriers kept it. Where the ranks have clocks of their own, the times of start and
   end count from when they left the last barrier. */
static int run_calls(struct bench *bench, const struct load *load, enum way way,
                     MPI_Comm comm, double *held)
{
    const struct settings *settings = bench->settings;
    int wrong = 0;
    double zero = 0;
    for (int call = 0; call < settings->calls; call++) {
        const int root = settings->rotates ? call % bench->ranks : settings->root;
        const double late = lateness(bench, load, call);
        if (bench->rank == root && bench->checked)
            payload_write(bench->buffer, load->bytes, root, call);
        if (!settings->no_barrier || call == 0) {
            *held += machine_barrier(comm);
            zero = bench->one_clock ? 0 : machine_now();
        }
        machine_delay(late, settings->spin);
        const double start = machine_now();
        way_broadcast(way, bench->buffer, load->bytes, root, comm, bench->requests);
        const double end = machine_now();
        bench->in_call[call] = end - start;
        bench->started[call] = start - zero;
        bench->ended[call] = end - zero;
        if (bench->checked)
            wrong += !payload_matches(bench->buffer, load->bytes, root, call);
    }
    return wrong;
}

/* Bring the ranks' times together in the series. */
static void collect(const struct bench *bench, double wall, int repetition,
                    struct series *series)
{
    const int calls = bench->settings->calls;
    const size_t first = (size_t)repetition * (size_t)calls;
    double *in_call = series->in_call + first, *overall = series->overall + first;
    double *starts = array((size_t)calls, sizeof *starts);
    MPI_Reduce(bench->in_call, in_call, calls, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(bench->in_call, series->longest + first, calls, MPI_DOUBLE, MPI_MAX, 0,
               MPI_COMM_WORLD);
    MPI_Reduce(bench->started, starts, calls, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
    MPI_Reduce(bench->ended, overall, calls, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&wall, &series->wall[repetition], 1, MPI_DOUBLE, MPI_MAX, 0,
               MPI_COMM_WORLD);
    for (int i = 0; i < calls; i++) {
        in_call[i] /= bench->ranks;
        overall[i] -= starts[i];
    }
    free(starts);
}

void bench_block(struct bench *bench, const struct load *load, enum way way,
                 int repetition, struct series *series)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Barrier(comm);
    const double start = machine_now();
    double held = 0;
    int wrong = run_calls(bench, load, way, comm, &held);
    const double wall = machine_now() - start - held;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    series->wrong += wrong;
    collect(bench, wall, repetition, series);
    MPI_Comm_free(&comm);
}
