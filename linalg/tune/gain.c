/* SPDX-License-Identifier: BSD-3-Clause */
/* The speed-up of one way over another, measured in interleaved pairs. */
#include "gain.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* The operands of a product; with beta 1, C accumulates, which is harmless. */
struct tune_matrices {
    double *a, *b, *c;
};

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double *make_matrix(int n)
{
    const size_t count = (size_t)n * (size_t)n;
    double *values = malloc(count * sizeof *values);
    for (size_t i = 0; values && i < count; i++)
        values[i] = (double)(i % 17) - 8;
    return values;
}

static double time_product(const struct tune_matrices *x,
                           const struct tune_square *square, clockid_t clock,
                           const struct mt_strassen_how *how)
{
    const int n = square->n;
    const double start = now(clock);
    mt_strassen_dgemm_with(how, CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1,
                           x->a, n, x->b, n, square->beta, x->c, n);
    return now(clock) - start;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int count_pairs(const struct tune_effort *effort, double seconds)
{
    const double count = effort->seconds / (2 * seconds);
    if (count < effort->pairs)
        return effort->pairs;
    return count < TUNE_PAIRS ? (int)count : TUNE_PAIRS;
}

static struct tune_gain measure(const struct tune_matrices *x,
                                const struct tune_square *square,
                                const struct tune_ways *ways,
                                const struct tune_effort *effort)
{
    const clockid_t clock =
        effort->threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
    struct tune_gain gain = {0};
    /* The first of each is slower, as it touches memory for the first time. */
    gain.seconds = time_product(x, square, clock, &ways->now);
    if (gain.seconds > effort->longest)
        return gain;
    time_product(x, square, clock, &ways->other);
    gain.pairs = count_pairs(effort, gain.seconds);
    for (int i = 0; i < gain.pairs; i++) {
        const bool turned = i % 2 == 1;
        const double first =
            time_product(x, square, clock, turned ? &ways->other : &ways->now);
        const double second =
            time_product(x, square, clock, turned ? &ways->now : &ways->other);
        gain.ratios[i] = turned ? second / first : first / second;
    }
    qsort(gain.ratios, (size_t)gain.pairs, sizeof *gain.ratios, compare);
    gain.factor = gain.ratios[(gain.pairs - 1) / 2];
    return gain;
}

int tune_gain(struct tune_gain *gain, const struct tune_square *square,
              const struct tune_ways *ways, const struct tune_effort *effort,
              struct mt_error *err)
{
    const struct tune_matrices x = {make_matrix(square->n), make_matrix(square->n),
                                    make_matrix(square->n)};
    const bool complete = x.a && x.b && x.c;
    if (complete)
        *gain = measure(&x, square, ways, effort);
    free(x.a);
    free(x.b);
    free(x.c);
    return complete ? MT_OK
                    : mt_fail(err, MT_ENOMEM, "no memory for products of %d x %d",
                              square->n, square->n);
}
