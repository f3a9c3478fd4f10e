/* SPDX-License-Identifier: BSD-3-Clause */
#include "compute.h"

#include "apps/common/app.h"
#include "options.h"
#include "timing.h"

#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { ORDER = 48, WINDOWS = 3, LEAST_VECTOR = 16 << 20, MOST_VECTOR = 64 << 20 };

/* A processor's share is given out in periods of 10 to 100 ms. */
static const double window_seconds = 0.2;

/* What is repeated on three arrays. */
struct kernel {
    void (*code)(double *restrict a, const double *restrict b, const double *restrict c,
                 size_t count);
    size_t count;     /* of each array's elements */
    int passes;       /* between two looks at the clock */
    struct work work; /* of a pass */
};

/* a += b c, square matrices. */
static void multiply(double *restrict a, const double *restrict b,
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
static double measure(const struct work_node *node, const struct kernel *kernel)
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
    return median_of(rates, WINDOWS);
}

struct speed compute(const struct work_node *node)
{
    const size_t bytes = vector_bytes();
    const double length = (double)bytes / sizeof(double);
    const struct kernel product = {
        .code = multiply,
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
    return (struct speed){.flops = measure(node, &product) * product.work.flops,
                          .bandwidth = measure(node, &sum) * sum.work.bytes};
}
