/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The local product, as tuned, against the BLAS's own dgemm on one core, on 200 random
 * products: sizes, transposes, alpha and beta. None is to be slower than dgemm, by the
 * median of nine calls of each that are made in turns. Such medians differ by chance,
 * too, so dgemm is also compared with itself: what that comes to cannot be told from
 * equal. The lowest are measured again at length. About two minutes.
 */
#include "bench.h"

#include "motley/strassen.h"

enum { SHAPES = 200, SMALLEST = 60, LARGEST = 3000, TURNS = 9 };
enum { SUSPECTS = 20, MORE_TURNS = 24 };

/* Calls are repeated until they come to this many operations: some milliseconds. */
static const double fewest_operations = 2e8;

/* Times as fast as dgemm, at least. */
static const double allowed = 0.99;

struct shape {
    CBLAS_LAYOUT layout;
    CBLAS_TRANSPOSE transpose_a, transpose_b;
    int m, n, k, lda, ldb, ldc;
    double alpha, beta;
};

/* How many times as fast as dgemm a shape is, and dgemm itself. */
struct result {
    struct shape shape;
    double ours, itself;
};

struct matrices {
    double *a, *b, *c;
};

static double random_number(unsigned *random)
{
    *random = *random * 1664525u + 1013904223u;
    return *random / 4294967296.0;
}

/* As many small ones as large ones, by factors. */
static int random_size(unsigned *random)
{
    return (int)(SMALLEST * pow((double)LARGEST / SMALLEST, random_number(random)));
}

static int random_choice(unsigned *random, int a, int b)
{
    return random_number(random) < 0.5 ? a : b;
}

/* Every other matrix lies within a larger one. */
static int random_leading(unsigned *random, int least)
{
    return least + (int)fmax(0, 40 * random_number(random) - 20);
}

static struct shape random_shape(unsigned *random)
{
    struct shape shape = {
        .layout = (CBLAS_LAYOUT)random_choice(random, CblasColMajor, CblasRowMajor),
        .transpose_a = (CBLAS_TRANSPOSE)random_choice(random, CblasNoTrans, CblasTrans),
        .transpose_b = (CBLAS_TRANSPOSE)random_choice(random, CblasNoTrans, CblasTrans),
        .m = random_size(random),
        .n = random_size(random),
        .k = random_size(random),
        .alpha = random_choice(random, 1, -3),
        .beta = random_choice(random, random_choice(random, 1, 2), 0),
    };
    const bool by_rows = shape.layout == CblasRowMajor;
    const bool a_stands = (shape.transpose_a == CblasNoTrans) != by_rows;
    const bool b_stands = (shape.transpose_b == CblasNoTrans) != by_rows;
    shape.lda = random_leading(random, a_stands ? shape.m : shape.k);
    shape.ldb = random_leading(random, b_stands ? shape.k : shape.n);
    shape.ldc = random_leading(random, by_rows ? shape.n : shape.m);
    return shape;
}

/* Processor seconds of one call. */
static double time_calls(bool ours, const struct shape *s, struct matrices *x)
{
    const double operations = 2.0 * s->m * s->n * s->k;
    const int calls = 1 + (int)(fewest_operations / operations);
    const double begin = bench_now_computing();
    for (int i = 0; i < calls; i++)
        if (!ours)
            cblas_dgemm(s->layout, s->transpose_a, s->transpose_b, s->m, s->n, s->k,
                        s->alpha, x->a, s->lda, x->b, s->ldb, s->beta, x->c, s->ldc);
        else if (mt_strassen_dgemm(s->layout, s->transpose_a, s->transpose_b, s->m,
                                   s->n, s->k, s->alpha, x->a, s->lda, x->b, s->ldb,
                                   s->beta, x->c, s->ldc) != MT_STRASSEN_OK)
            abort();
    return (bench_now_computing() - begin) / calls;
}

static void clear_product(const struct shape *s, struct matrices *x)
{
    const size_t columns = (size_t)(s->layout == CblasColMajor ? s->n : s->m);
    for (size_t i = 0; i < columns * (size_t)s->ldc; i++)
        x->c[i] = 0;
}

/* Ours, dgemm and dgemm again are called in turns, in another order each time. C is
   cleared for each, or else what is added to itself would grow out of all numbers. */
static void measure(struct result *result, int turns, struct matrices *x)
{
    enum { OURS, DGEMM, AGAIN, CALLERS };
    double ours[MORE_TURNS], itself[MORE_TURNS];
    for (int i = 0; i < turns; i++) {
        double seconds[CALLERS];
        for (int j = 0; j < CALLERS; j++) {
            const int caller = (i + (i % 2 ? j : CALLERS - j)) % CALLERS;
            clear_product(&result->shape, x);
            seconds[caller] = time_calls(caller == OURS, &result->shape, x);
        }
        ours[i] = seconds[DGEMM] / seconds[OURS];
        itself[i] = seconds[DGEMM] / seconds[AGAIN];
    }
    result->ours = bench_median(ours, turns);
    result->itself = bench_median(itself, turns);
}

/* The lowest first. */
static int compare_results(const void *a, const void *b)
{
    const struct result *x = a, *y = b;
    return bench_compare(&x->ours, &y->ours);
}

static void report(const char *name, const char *rival, const struct result *results,
                   int count)
{
    const struct bench bench = {.name = name,
                                .unit = "times as fast as dgemm",
                                .rival = rival,
                                .target = allowed,
                                .more_is_better = true};
    double ours[SHAPES], itself[SHAPES];
    for (int i = 0; i < count; i++) {
        ours[i] = results[i].ours;
        itself[i] = results[i].itself;
    }
    bench_report(&bench, ours, itself, count);
}

static void report_all(const struct result *results)
{
    int below = 0, below_itself = 0;
    double least_itself = INFINITY;
    char rival[160];
    for (int i = 0; i < SHAPES; i++) {
        below += results[i].ours < allowed;
        below_itself += results[i].itself < allowed;
        least_itself = fmin(least_itself, results[i].itself);
    }
    snprintf(rival, sizeof rival,
             "dgemm itself; of %d random shapes %d below %g, least %.4g; itself: %d, "
             "least %.4g",
             (int)SHAPES, below, allowed, results[0].ours, below_itself, least_itself);
    report("strassen-shapes", rival, results, SHAPES);
}

/* The lowest of those that were measured at length. */
static void report_worst(const struct result *worst)
{
    const struct shape *s = &worst->shape;
    char rival[160];
    snprintf(rival, sizeof rival,
             "dgemm itself; the worst shape: %s, %dx%d%s by %dx%d%s, alpha %g, beta %g",
             s->layout == CblasRowMajor ? "rows" : "columns", s->m, s->k,
             s->transpose_a == CblasTrans ? "'" : "", s->k, s->n,
             s->transpose_b == CblasTrans ? "'" : "", s->alpha, s->beta);
    report("strassen-shapes-again", rival, worst, 1);
}

static double *random_matrix(unsigned seed)
{
    const size_t count = (size_t)(LARGEST + 20) * LARGEST;
    double *matrix = malloc(count * sizeof *matrix);
    if (!matrix)
        abort();
    for (size_t i = 0; i < count; i++)
        matrix[i] = random_number(&seed) - 0.5;
    return matrix;
}

int main(void)
{
    openblas_set_num_threads(1);
    struct matrices x = {random_matrix(1), random_matrix(2), random_matrix(3)};
    struct result results[SHAPES];
    unsigned random = 2026;
    for (int i = 0; i < SHAPES; i++) {
        results[i].shape = random_shape(&random);
        measure(&results[i], TURNS, &x);
    }
    qsort(results, SHAPES, sizeof *results, compare_results);
    report_all(results);

    for (int i = 0; i < SUSPECTS; i++)
        measure(&results[i], MORE_TURNS, &x);
    qsort(results, SUSPECTS, sizeof *results, compare_results);
    report_worst(&results[0]);
    free(x.c);
    free(x.b);
    free(x.a);
    return EXIT_SUCCESS;
}
