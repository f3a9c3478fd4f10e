/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The local product by Strassen's method, as tuned, against the BLAS's own dgemm on one
 * core: how many times as fast, by the median of pairs of calls taken in turns. Large
 * squares, also against their limit: the products of the lowest level at the speed that
 * dgemm has for the whole, the sums at the memory's bandwidth. Then a grid of shapes,
 * of which the worst must not be slower than dgemm.
 */
#include "bench.h"

#include "motley/strassen.h"
#include "motley/strassen_cost.h"

#include <string.h>

enum { LARGEST = 8000, MOST_PAIRS = 41, SUSPECTS = 4 };

/* Calls are repeated until they come to this many operations: some milliseconds. */
static const double fewest_operations = 2e8;

struct product {
    int m, n, k;
    CBLAS_TRANSPOSE transpose_a, transpose_b;
    double beta;
};

#define SQUARE(n) \
    { \
        n, n, n, CblasNoTrans, CblasNoTrans, 0 \
    }

static const struct product grid[] = {
    SQUARE(64),
    SQUARE(65),
    SQUARE(127),
    SQUARE(256),
    SQUARE(333),
    SQUARE(511),
    SQUARE(512),
    SQUARE(777),
    SQUARE(1000),
    SQUARE(1024),
    SQUARE(1333),
    SQUARE(1600),
    SQUARE(1999),
    SQUARE(2048),
    SQUARE(2500),
    SQUARE(3000),
    {8, 2000, 2000, CblasNoTrans, CblasNoTrans, 0},
    {2000, 8, 2000, CblasNoTrans, CblasNoTrans, 0},
    {2000, 2000, 8, CblasNoTrans, CblasNoTrans, 0},
    {150, 2500, 2500, CblasNoTrans, CblasNoTrans, 0},
    {2500, 150, 2500, CblasNoTrans, CblasNoTrans, 0},
    {2500, 2500, 150, CblasNoTrans, CblasNoTrans, 0},
    {600, 3001, 3001, CblasNoTrans, CblasNoTrans, 0},
    {3001, 600, 3001, CblasNoTrans, CblasNoTrans, 0},
    {3001, 3001, 600, CblasNoTrans, CblasNoTrans, 0},
    {1500, 1500, 1500, CblasTrans, CblasNoTrans, 0},
    {1500, 1500, 1500, CblasNoTrans, CblasTrans, 0},
    {1500, 1500, 1500, CblasTrans, CblasTrans, 0},
    {2300, 1700, 2001, CblasTrans, CblasTrans, 0},
    {500, 500, 500, CblasNoTrans, CblasNoTrans, 1},
    {1001, 1001, 1001, CblasNoTrans, CblasNoTrans, 1},
    {1700, 1700, 1700, CblasNoTrans, CblasNoTrans, 1},
    {2400, 2400, 2400, CblasNoTrans, CblasNoTrans, 1},
    {2400, 2400, 300, CblasNoTrans, CblasTrans, 1},
    {1800, 1801, 1802, CblasTrans, CblasTrans, 1},
};
enum { SHAPES = sizeof grid / sizeof grid[0] };

struct matrices {
    double *a, *b, *c; /* LARGEST x LARGEST */
};

static double operations(const struct product *product)
{
    return 2.0 * product->m * product->n * product->k;
}

static void multiply(bool ours, const struct product *product, struct matrices *x)
{
    const int lda = product->transpose_a == CblasNoTrans ? product->m : product->k;
    const int ldb = product->transpose_b == CblasNoTrans ? product->k : product->n;
    if (!ours)
        cblas_dgemm(CblasColMajor, product->transpose_a, product->transpose_b,
                    product->m, product->n, product->k, 1, x->a, lda, x->b, ldb,
                    product->beta, x->c, product->m);
    else if (mt_strassen_dgemm(CblasColMajor, product->transpose_a,
                               product->transpose_b, product->m, product->n, product->k,
                               1, x->a, lda, x->b, ldb, product->beta, x->c,
                               product->m) != MT_STRASSEN_OK)
        abort();
}

/* Processor seconds of one call. */
static double seconds(bool ours, const struct product *product, int calls,
                      struct matrices *x)
{
    const double begin = bench_now_computing();
    for (int i = 0; i < calls; i++)
        multiply(ours, product, x);
    return (bench_now_computing() - begin) / calls;
}

/* What pairs of calls came to. */
struct pairs {
    int count;
    double times_as_fast[MOST_PAIRS];
    double dgemm_seconds[MOST_PAIRS];
};

/* At least `least` pairs, and as many as fit into `budget` seconds. Who begins
   alternates, so that neither finds the caches in the better state. */
static void measure(struct pairs *pairs, const struct product *product, int least,
                    double budget, struct matrices *x)
{
    const int calls = 1 + (int)(fewest_operations / operations(product));
    const double begin = bench_now();
    for (pairs->count = 0; pairs->count < MOST_PAIRS &&
                           (pairs->count < least || bench_now() - begin < budget);
         pairs->count++) {
        const bool ours_first = pairs->count % 2;
        const double first = seconds(ours_first, product, calls, x);
        const double second = seconds(!ours_first, product, calls, x);
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
static double limit(const struct product *product, double dgemm_seconds,
                    double bytes_a_second)
{
    const int levels = mt_strassen_levels(mt_strassen_tuned(), product->m, product->n,
                                          product->k, product->beta);
    const struct mt_strassen_cost cost = mt_strassen_cost(
        product->m, product->n, product->k, levels, product->beta != 0);
    return dgemm_seconds / (dgemm_seconds * cost.flops / operations(product) +
                            cost.bytes / bytes_a_second);
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
    const struct product product = SQUARE(n);
    struct pairs pairs;
    measure(&pairs, &product, least, budget, x);
    const double dgemm = bench_median(pairs.dgemm_seconds, pairs.count);

    char name[64];
    snprintf(name, sizeof name, "strassen-%d", n);
    report(name, "dgemm", 1, target, &pairs);
    snprintf(name, sizeof name, "strassen-%d-of-limit", n);
    report(name, "dgemm's speed, the memory's sums",
           limit(&product, dgemm, bytes_a_second), 0, &pairs);
}

struct suspect {
    const struct product *product;
    double times_as_fast;
};

static int compare_suspects(const void *a, const void *b)
{
    const struct suspect *x = a, *y = b;
    return (x->times_as_fast > y->times_as_fast) -
           (x->times_as_fast < y->times_as_fast);
}

static const char *letter(CBLAS_TRANSPOSE transpose)
{
    return transpose == CblasNoTrans ? "" : "'";
}

/* The worst of many medians of a few pairs is mostly bad luck: the worst few are
   measured again at length. */
static void bench_grid(struct matrices *x)
{
    struct suspect suspects[SHAPES];
    struct pairs pairs;
    for (int i = 0; i < SHAPES; i++) {
        measure(&pairs, &grid[i], 3, 0.1, x);
        suspects[i].product = &grid[i];
        suspects[i].times_as_fast = bench_median(pairs.times_as_fast, pairs.count);
    }
    qsort(suspects, SHAPES, sizeof *suspects, compare_suspects);

    struct pairs worst = {0};
    const struct product *where = NULL;
    double lowest = INFINITY;
    for (int i = 0; i < SUSPECTS; i++) {
        measure(&pairs, suspects[i].product, 7, 1.5, x);
        const double now = bench_median(pairs.times_as_fast, pairs.count);
        if (now < lowest) {
            lowest = now;
            where = suspects[i].product;
            worst = pairs;
        }
    }
    char rival[128];
    snprintf(rival, sizeof rival, "dgemm; of %d shapes the worst: %dx%d%s by %dx%d%s%s",
             (int)SHAPES, where->m, where->k, letter(where->transpose_a), where->k,
             where->n, letter(where->transpose_b), where->beta != 0 ? ", added" : "");
    report("strassen-worst-shape", rival, 1, 0.99, &worst);
}

static double *random_matrix(unsigned seed)
{
    const size_t count = (size_t)LARGEST * LARGEST;
    double *matrix = malloc(count * sizeof *matrix);
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
    bench_square(1500, 1.00, 11, 3, bytes_a_second, &x);
    bench_square(4000, 1.10, 5, 0, bytes_a_second, &x);
    bench_square(8000, 1.20, 3, 0, bytes_a_second, &x);
    bench_grid(&x);
    free(x.c);
    free(x.b);
    free(x.a);
    return EXIT_SUCCESS;
}
