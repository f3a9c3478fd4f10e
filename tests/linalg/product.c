/* SPDX-License-Identifier: BSD-3-Clause */
/* A product of two N x N matrices by dgemm_, or with `c` by cblas_dgemm; prints a sum
   over the bits of the result; with `time` the seconds of the fastest of three; with
   `nan`, which sets the first element of A to NaN, the number of NaNs in C. */
#include <cblas.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void dgemm_(const char *transpose_a, const char *transpose_b, const int *m,
            const int *n, const int *k, const double *alpha, const double *a,
            const int *lda, const double *b, const int *ldb, const double *beta,
            double *c, const int *ldc, size_t length_a, size_t length_b);

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time); /* others take turns with us */
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void multiply(const char *how, int n, const double *a, const double *b,
                     double *c)
{
    const double one = 1, zero = 0;
    if (!strcmp(how, "c"))
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0,
                    c, n);
    else
        dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n, 1, 1);
}

static uint64_t sum_bits(const double *values, size_t count)
{
    uint64_t sum = 0, bits;
    for (size_t i = 0; i < count; i++) {
        memcpy(&bits, &values[i], sizeof bits);
        sum = sum * 31 + bits;
    }
    return sum;
}

static double least_seconds(int n, const double *a, const double *b, double *c)
{
    double least = 0;
    for (int i = 0; i < 3; i++) {
        const double start = now();
        multiply("fortran", n, a, b, c);
        const double seconds = now() - start;
        least = i == 0 || seconds < least ? seconds : least;
    }
    return least;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 100;
    const char *how = argc > 2 ? argv[2] : "fortran";
    const size_t count = (size_t)n * (size_t)n;
    double *values = malloc(3 * count * sizeof *values);
    if (!values)
        return 1;
    for (size_t i = 0; i < 3 * count; i++)
        values[i] = (double)((i * 2654435761U) % 1000) / 999 - 0.5;
    double *a = values, *b = a + count, *c = b + count;
    if (!strcmp(how, "time")) {
        printf("%.9f\n", least_seconds(n, a, b, c));
    } else if (!strcmp(how, "nan")) {
        int found = 0;
        a[0] = NAN;
        multiply("fortran", n, a, b, c);
        for (size_t i = 0; i < count; i++)
            found += isnan(c[i]) != 0;
        printf("%d\n", found);
    } else {
        multiply(how, n, a, b, c);
        printf("%016" PRIx64 "\n", sum_bits(c, count));
    }
    free(values);
    return 0;
}
