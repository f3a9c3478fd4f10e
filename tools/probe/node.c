/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank's report on its node, and its speed while all others compute, too. */
#include "probe.h"

#include "apps/common/app.h"
#include "apps/common/work.h"
#include "lib/stats/stats.h"

#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int allowed_cores(void)
{
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed)
                                                               : 0;
}

static double load_of_last_minute(void)
{
    double load;
    return getloadavg(&load, 1) == 1 ? load : NAN;
}

/* The first line; MPICH's has a tab. */
static void read_version(char mpi[FACTS_TEXT])
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, "\n")] = '\0';
    for (char *tab = version; (tab = strchr(tab, '\t'));)
        *tab = ' ';
    snprintf(mpi, FACTS_TEXT, "%.*s", FACTS_TEXT - 1, version);
}

static struct facts facts_here(void)
{
    struct facts facts = {.cores = 0, .load = NAN};
    char host[MPI_MAX_PROCESSOR_NAME];
    int length;
    MPI_Get_processor_name(host, &length);
    snprintf(facts.host, sizeof facts.host, "%.*s", FACTS_TEXT - 1, host);
    read_version(facts.mpi);
    if (!work_simulated) {
        facts.cores = allowed_cores();
        facts.load = load_of_last_minute();
    }
    return facts;
}

struct facts *facts_gather(void)
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const struct facts here = facts_here();
    struct facts *all = rank == 0 ? calloc((size_t)ranks, sizeof *all) : NULL;
    if (rank == 0 && !all)
        app_give_up(PROBE_NAME, "no memory for what %d ranks say", ranks);
    MPI_Gather(&here, sizeof here, MPI_BYTE, all, sizeof here, MPI_BYTE, 0,
               MPI_COMM_WORLD);
    return all;
}

enum { ORDER = 48, WINDOWS = 3, LEAST_VECTOR = 16 << 20, MOST_VECTOR = 64 << 20 };

/* The kernel grants shares of a processor in periods of 10 to 100 ms. */
static const double window_seconds = 0.2;

/* A kernel to repeat on three arrays. */
struct kernel {
    void (*code)(double *restrict a, const double *restrict b, const double *restrict c,
                 size_t count);
    size_t count;     /* of each array's elements */
    int passes;       /* between two looks at the clock */
    struct work work; /* of a pass */
};

/* a += b c, square matrices. */
static void multiply_squares(double *restrict a, const double *restrict b,
                             const double *restrict c, size_t count)
{
    (void)count;
    for (int i = 0; i < ORDER; i++)
        for (int k = 0; k < ORDER; k++)
            for (int j = 0; j < ORDER; j++)
                a[i * ORDER + j] += b[i * ORDER + k] * c[k * ORDER + j];
}

static void triad(double *restrict a, const double *restrict b,
                  const double *restrict c, size_t count)
{
    for (size_t i = 0; i < count; i++)
        a[i] = b[i] + 0.5 * c[i];
}

/* Three of them do not fit into the last cache. */
static size_t vector_bytes(void)
{
    const long cache = work_simulated ? 0 : sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (cache < LEAST_VECTOR)
        return LEAST_VECTOR;
    return cache < MOST_VECTOR ? (size_t)cache : MOST_VECTOR;
}

static double *array(const struct work_node *node, size_t count)
{
    double *values = work_array(node, count, sizeof *values);
    if (!values && !node->model_only)
        app_give_up(PROBE_NAME, "no memory for %zu numbers", count);
    for (size_t i = 0; i < count && values; i++)
        values[i] = 1.0 / ORDER;
    return values;
}

/* Passes per second, the median of a few windows. */
static double measure_kernel(const struct work_node *node, const struct kernel *kernel)
{
    double *a = array(node, kernel->count), *b = array(node, kernel->count),
           *c = array(node, kernel->count);
    double rates[WINDOWS];
    MPI_Barrier(MPI_COMM_WORLD);
    for (int window = 0; window < WINDOWS; window++) {
        const double start = MPI_Wtime();
        double elapsed;
        int passes = 0;
        do {
            for (int pass = 0; pass < kernel->passes; pass++)
                if (work_run(node, &kernel->work))
                    kernel->code(a, b, c, kernel->count);
            passes += kernel->passes;
            elapsed = MPI_Wtime() - start;
        } while (elapsed < window_seconds);
        rates[window] = passes / elapsed;
    }
    free(c);
    free(b);
    free(a);
    return mt_median(rates, WINDOWS);
}

struct speed compute(const struct work_node *node)
{
    const size_t bytes = vector_bytes();
    const double length = (double)bytes / sizeof(double);
    const struct kernel product = {
        .code = multiply_squares,
        .count = (size_t)ORDER * ORDER,
        .passes = 10,
        .work = {.flops = 2.0 * ORDER * ORDER * ORDER, .efficiency = 1}};
    const struct kernel sum = {.code = triad,
                               .count = bytes / sizeof(double),
                               .passes = 1,
                               .work = {.flops = 2 * length,
                                        .efficiency = 1,
                                        .working_set = 3.0 * (double)bytes,
                                        .bytes = 3.0 * (double)bytes}};
    return (struct speed){.flops = measure_kernel(node, &product) * product.work.flops,
                          .bandwidth = measure_kernel(node, &sum) * sum.work.bytes};
}
