/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The local product by Strassen's method, as tuned, against the BLAS's own dgemm on one
 * core: how many times as fast, by the median of pairs of calls taken in turns. Large
 * squares, also against their limit: the products of the lowest level at the speed that
 * dgemm has for the whole, the sums at the memory's bandwidth. The kernel of our own
 * against its limit: its inner loop on what is in the level 1 cache, which comes to the
 * processor's peak. Other shapes: bench_shapes.
 */
#include "bench.h"
#include "motley/partition.h"
#include "motley/strassen.h"

#include "linalg/kernel/kernel.h"
#include "linalg/kernel/kind.h"

enum { LARGEST = 8000, MOST_PAIRS = 41 };

struct matrices {
    double *a, *b, *c; /* LARGEST x LARGEST */
};

static double operations(int n)
{
    return 2.0 * n * n * n;
}

/* Processor seconds. */
static double seconds(bool ours, int n, struct matrices *x)
{
    const double begin = bench_now_computing();
    if (!ours)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, x->a, n,
                    x->b, n, 0, x->c, n);
    else if (mt_strassen_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1,
                               x->a, n, x->b, n, 0, x->c, n) != MT_STRASSEN_OK)
        abort();
    return bench_now_computing() - begin;
}

/* What pairs of calls came to. */
struct pairs {
    int count;
    double times_as_fast[MOST_PAIRS];
    double dgemm_seconds[MOST_PAIRS];
};

/* At least `least` pairs, and as many as fit into `budget` seconds. Who begins
   alternates, so that neither finds the caches in the better state. */
static void measure(struct pairs *pairs, int n, int least, double budget,
                    struct matrices *x)
{
    const double begin = bench_now();
    for (pairs->count = 0; pairs->count < MOST_PAIRS &&
                           (pairs->count < least || bench_now() - begin < budget);
         pairs->count++) {
        const bool ours_first = pairs->count % 2;
        const double first = seconds(ours_first, n, x);
        const double second = seconds(!ours_first, n, x);
        const double dgemm = ours_first ? second : first;
        const double ours = ours_first ? first : second;
        pairs->dgemm_seconds[pairs->count] = dgemm;
        pairs->times_as_fast[pairs->count] = dgemm / ours;
    }
}

/* Bytes a second of z = x + y, of arrays that fit no cache. */
static double bandwidth(struct matrices *x)
{
    enum { PASSES = 5, LENGTH = LARGEST * (LARGEST / 4) };
    double rates[PASSES];
    for (int pass = 0; pass < PASSES; pass++) {
        const double begin = bench_now_computing();
        for (int i = 0; i < LENGTH; i++)
            x->c[i] = x->a[i] + x->b[i];
        rates[pass] = 3.0 * sizeof(double) * LENGTH / (bench_now_computing() - begin);
    }
    return bench_median(rates, PASSES);
}

/* How many times as fast as dgemm it could be. */
static double limit(int n, double dgemm_seconds, double bytes_a_second)
{
    const int levels = mt_strassen_levels(mt_strassen_tuned(), n, n, n, 0);
    const struct mt_strassen_cost cost = mt_strassen_cost(n, n, n, levels, false);
    return dgemm_seconds /
           (dgemm_seconds * cost.flops / operations(n) + cost.bytes / bytes_a_second);
}

static void report(const char *name, const char *rival, double rival_value,
                   double target, struct pairs *pairs)
{
    const struct bench bench = {.name = name,
                                .unit = "times as fast as dgemm",
                                .rival = rival,
                                .target = target,
                                .more_is_better = true};
    double rivals[MOST_PAIRS];
    for (int i = 0; i < pairs->count; i++)
        rivals[i] = rival_value;
    bench_report(&bench, pairs->times_as_fast, rivals, pairs->count);
}

static void bench_square(int n, double target, int least, double budget,
                         double bytes_a_second, struct matrices *x)
{
    struct pairs pairs;
    measure(&pairs, n, least, budget, x);
    const double dgemm = bench_median(pairs.dgemm_seconds, pairs.count);

    char name[64];
    snprintf(name, sizeof name, "strassen-%d", n);
    report(name, "dgemm", 1, target, &pairs);
    snprintf(name, sizeof name, "strassen-%d-of-limit", n);
    report(name, "dgemm's speed, the memory's sums", limit(n, dgemm, bytes_a_second), 0,
           &pairs);
}

/* Operations a second. */
static double tile_speed(const struct kernel_kind *kind, struct matrices *x)
{
    enum { DEPTH = 128, CALLS = 20000 };
    const struct kernel_tile tile = {x->c, kind->rows, kind->columns, kind->rows};
    const double begin = bench_now_computing();
    for (int i = 0; i < CALLS; i++)
        kind->tile(&tile, DEPTH, 1, x->a, x->b, 0);
    return 2.0 * CALLS * DEPTH * (double)(kind->rows * kind->columns) /
           (bench_now_computing() - begin);
}

static double kernel_speed(const struct kernel_kind *kind, int n, double *workspace,
                           struct matrices *x)
{
    const struct product product = {.m = (size_t)n,
                                    .n = (size_t)n,
                                    .k = (size_t)n,
                                    .a = {x->a, (size_t)n, false},
                                    .b = {x->b, (size_t)n, false},
                                    .c = x->c,
                                    .ldc = (size_t)n};
    const double begin = bench_now_computing();
    mt_kernel_multiply(kind, &product, 1, workspace);
    return operations(n) / (bench_now_computing() - begin);
}

static void bench_kernel(int n, struct matrices *x)
{
    enum { TURNS = 15 };
    const struct kernel_kind *kind = mt_kernel_kind(0);
    if (!kind)
        return;
    const struct bench bench = {.name = "strassen-kernel",
                                .unit = "operations a second",
                                .rival = "its inner loop in the level 1 cache",
                                .more_is_better = true};
    double values[TURNS], limits[TURNS];
    double *workspace =
        calloc(mt_kernel_room(kind, (size_t)n, (size_t)n, (size_t)n), sizeof(double));
    if (!workspace)
        abort();
    for (int i = 0; i < TURNS; i++) {
        values[i] = kernel_speed(kind, n, workspace, x);
        limits[i] = tile_speed(kind, x);
    }
    bench_report(&bench, values, limits, TURNS);
    free(workspace);
}

static double *random_matrix(unsigned seed)
{
    const size_t count = (size_t)LARGEST * LARGEST;
    double *matrix = aligned_alloc(64, count * sizeof *matrix);
    if (!matrix)
        abort();
    unsigned random = seed;
    for (size_t i = 0; i < count; i++) {
        random = random * 1664525u + 1013904223u;
        matrix[i] = random / 4294967296.0 - 0.5;
    }
    return matrix;
}

int main(void)
{
    openblas_set_num_threads(1);
    struct matrices x = {random_matrix(1), random_matrix(2), random_matrix(3)};
    const double bytes_a_second = bandwidth(&x);
    bench_kernel(1000, &x);
    bench_square(1500, 1.00, 11, 3, bytes_a_second, &x);
    bench_square(4000, 1.10, 5, 0, bytes_a_second, &x);
    bench_square(8000, 1.20, 3, 0, bytes_a_second, &x);
    free(x.c);
    free(x.b);
    free(x.a);
    return EXIT_SUCCESS;
}
