/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The local product by Strassen's method, as tuned, against the BLAS's own dgemm, on
 * one core and on two: how many times as fast, by the median of pairs of calls taken in
 * turns. Other shapes: bench_shapes.
 */
#include "bench.h"
#include "motley/strassen.h"

enum { LARGEST = 8000, MOST_PAIRS = 41 };

struct matrices {
    double *a, *b, *c; /* LARGEST x LARGEST */
};

/* Of the processor where one core works, or else by the clock. */
static double now(int threads)
{
    return threads == 1 ? bench_now_computing() : bench_now();
}

static double seconds(bool ours, int n, int threads, struct matrices *x)
{
    const double begin = now(threads);
    if (!ours)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, x->a, n,
                    x->b, n, 0, x->c, n);
    else if (mt_strassen_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1,
                               x->a, n, x->b, n, 0, x->c, n) != MT_STRASSEN_OK)
        abort();
    return now(threads) - begin;
}

/* What pairs of calls came to. */
struct pairs {
    int count;
    double times_as_fast[MOST_PAIRS];
};

/* At least `least` pairs, and as many as fit into `budget` seconds. Who begins
   alternates, so that neither finds the caches in the better state. */
static void measure(struct pairs *pairs, int n, int threads, int least, double budget,
                    struct matrices *x)
{
    const double begin = bench_now();
    for (pairs->count = 0; pairs->count < MOST_PAIRS &&
                           (pairs->count < least || bench_now() - begin < budget);
         pairs->count++) {
        const bool ours_first = pairs->count % 2;
        const double first = seconds(ours_first, n, threads, x);
        const double second = seconds(!ours_first, n, threads, x);
        pairs->times_as_fast[pairs->count] =
            ours_first ? second / first : first / second;
    }
}

static void bench_square(int n, int threads, double target, int least, double budget,
                         struct matrices *x)
{
    struct pairs pairs;
    char name[64];
    const struct bench bench = {.name = name,
                                .unit = "times as fast as dgemm",
                                .rival = "dgemm",
                                .target = target,
                                .more_is_better = true};
    double rivals[MOST_PAIRS];
    openblas_set_num_threads(threads);
    measure(&pairs, n, threads, least, budget, x);
    for (int i = 0; i < pairs.count; i++)
        rivals[i] = 1;
    snprintf(name, sizeof name, "strassen-%d-threads-%d", n, threads);
    bench_report(&bench, pairs.times_as_fast, rivals, pairs.count);
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
    struct matrices x = {random_matrix(1), random_matrix(2), random_matrix(3)};
    bench_square(1500, 1, 1.00, 11, 3, &x);
    bench_square(2000, 1, 1.00, 11, 3, &x);
    bench_square(4000, 1, 1.08, 5, 0, &x);
    bench_square(8000, 1, 1.15, 3, 0, &x);
    bench_square(4000, 2, 1.00, 5, 0, &x);
    bench_square(6000, 2, 1.05, 5, 0, &x);
    bench_square(8000, 2, 1.10, 3, 0, &x);
    free(x.c);
    free(x.b);
    free(x.a);
    return EXIT_SUCCESS;
}
