/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * products - Strassen's product, as tuned, and the BLAS's dgemm in turns, under
 * whatever BLAS is loaded:
 *
 *   products THREADS PAIRS N
 *       squares: the seconds of ours, of dgemm, and of dgemm once more, a line a pair
 *   products THREADS PAIRS random SHAPES SEED
 *       random sizes, transposes, alpha and beta: the median ratios of dgemm's time to
 *       ours, and to dgemm's own once more, a line a shape
 */
#include "motley/strassen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SMALLEST = 60, LARGEST = 3000, MOST_PAIRS = 101 };

/* Short products are repeated until they come to some milliseconds. */
static const double fewest_operations = 2e8;

struct shape {
    CBLAS_TRANSPOSE transpose_a, transpose_b;
    int m, n, k;
    double alpha, beta;
};

static double *a, *b, *c;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double *random_matrix(int size)
{
    double *matrix = malloc((size_t)size * (size_t)size * sizeof *matrix);
    if (!matrix) {
        fprintf(stderr, "products: no memory for matrices of %d\n", size);
        exit(EXIT_FAILURE);
    }
    for (size_t i = 0; i < (size_t)size * (size_t)size; i++)
        matrix[i] = drand48() - 0.5;
    return matrix;
}

/* Seconds of a call. */
static double time_calls(bool ours, const struct shape *s)
{
    const int lda = s->transpose_a == CblasNoTrans ? s->m : s->k;
    const int ldb = s->transpose_b == CblasNoTrans ? s->k : s->n;
    const int calls = 1 + (int)(fewest_operations / (2.0 * s->m * s->n * s->k));
    memset(c, 0, (size_t)s->m * (size_t)s->n * sizeof *c); /* otherwise it would keep
                                                              growing */
    const double begin = now();
    for (int i = 0; i < calls; i++)
        if (ours)
            mt_strassen_dgemm(CblasColMajor, s->transpose_a, s->transpose_b, s->m, s->n,
                              s->k, s->alpha, a, lda, b, ldb, s->beta, c, s->m);
        else
            cblas_dgemm(CblasColMajor, s->transpose_a, s->transpose_b, s->m, s->n, s->k,
                        s->alpha, a, lda, b, ldb, s->beta, c, s->m);
    return (now() - begin) / calls;
}

static void time_squares(int n, int pairs)
{
    const struct shape square = {CblasNoTrans, CblasNoTrans, n, n, n, 1, 0};
    time_calls(true, &square); /* memory is made ready */
    for (int i = 0; i < pairs; i++) {
        const bool ours_first = i % 2;
        const double first = time_calls(ours_first, &square);
        const double again = time_calls(false, &square);
        const double last = time_calls(!ours_first, &square);
        printf("%.9g %.9g %.9g\n", ours_first ? first : last, ours_first ? last : first,
               again);
        fflush(stdout);
    }
}

static int compare(const void *x, const void *y)
{
    const double p = *(const double *)x, q = *(const double *)y;
    return (p > q) - (p < q);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

/* Uniform in the logarithm. */
static int random_size(void)
{
    return (int)(SMALLEST * pow((double)LARGEST / SMALLEST, drand48()));
}

static struct shape random_shape(void)
{
    return (struct shape){
        .transpose_a = drand48() < 0.5 ? CblasNoTrans : CblasTrans,
        .transpose_b = drand48() < 0.5 ? CblasNoTrans : CblasTrans,
        .m = random_size(),
        .n = random_size(),
        .k = random_size(),
        .alpha = drand48() < 0.5 ? 1 : -3,
        .beta = drand48() < 0.5 ? 0 : 1,
    };
}

static void time_random_shapes(int pairs, int shapes)
{
    enum { OURS, DGEMM, AGAIN, WAYS };
    double ours[MOST_PAIRS], itself[MOST_PAIRS];
    for (int i = 0; i < shapes; i++) {
        const struct shape shape = random_shape();
        for (int pair = 0; pair < pairs; pair++) {
            double seconds[WAYS];
            for (int j = 0; j < WAYS; j++) {
                const int way = (pair + (pair % 2 ? j : WAYS - j)) % WAYS;
                seconds[way] = time_calls(way == OURS, &shape);
            }
            ours[pair] = seconds[DGEMM] / seconds[OURS];
            itself[pair] = seconds[DGEMM] / seconds[AGAIN];
        }
        printf("%.6g %.6g\n", median(ours, pairs), median(itself, pairs));
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    const bool random = argc == 6 && strcmp(argv[3], "random") == 0;
    if (argc != 4 && !random)
        return 2;
    const int pairs = atoi(argv[2]) < MOST_PAIRS ? atoi(argv[2]) : MOST_PAIRS;
    const int size = random ? LARGEST : atoi(argv[3]);
    openblas_set_num_threads(atoi(argv[1]));
    srand48(random ? atol(argv[5]) : 1);
    a = random_matrix(size);
    b = random_matrix(size);
    c = random_matrix(size);
    if (random)
        time_random_shapes(pairs, atoi(argv[4]));
    else
        time_squares(size, pairs);
    free(c);
    free(b);
    free(a);
    return EXIT_SUCCESS;
}
