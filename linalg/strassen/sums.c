/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of quarters, two of an operand in one pass over memory, shared among threads. */
#include "sums.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>

/* Sums of cached data are faster with the wider vectors of most processors, so the
   loader picks a version at the program's start. Even wider vectors are not faster.
   Clang is left out, as its names for the clones are never called. */
#if defined __x86_64__ && !defined __clang__
#define VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define VECTORS
#endif
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* Defined by OpenMP's runtime, if the program has it. */
int omp_in_parallel(void) __attribute__((weak));

bool mt_strassen_has_cores(int threads)
{
    cpu_set_t cores;
    return threads <= MT_STRASSEN_MOST_THREADS &&
           (!omp_in_parallel || !omp_in_parallel()) &&
           sched_getaffinity(0, sizeof cores, &cores) == 0 &&
           CPU_COUNT(&cores) >= threads;
}

/* Elements per thread below which starting it costs more than it saves. */
static const size_t fewest = 1 << 17;

/* A thread's part. */
struct share {
    mt_strassen_work *work;
    const void *data;
    size_t part, parts;
    pthread_t thread;
    bool started;
};

static void *do_share(void *data)
{
    const struct share *share = data;
    share->work(share->data, share->part, share->parts);
    return NULL;
}

void mt_strassen_share(int threads, size_t elements, mt_strassen_work *work,
                       const void *data)
{
    struct share shares[MT_STRASSEN_MOST_THREADS];
    const size_t most = elements / fewest, wanted = threads > 1 ? (size_t)threads : 1;
    const size_t count = most < 1 ? 1 : most < wanted ? most : wanted;
    for (size_t i = 0; i < count; i++) {
        shares[i] = (struct share){work, data, i, count, .started = false};
        if (i > 0)
            shares[i].started =
                pthread_create(&shares[i].thread, NULL, do_share, &shares[i]) == 0;
    }
    do_share(&shares[0]);
    for (size_t i = 1; i < count; i++)
        if (shares[i].started)
            pthread_join(shares[i].thread, NULL);
        else
            do_share(&shares[i]);
}

/* The first of a part's columns; also the end of the part before. */
static size_t begin_of(size_t columns, size_t part, size_t parts)
{
    return columns * part / parts;
}

/* Columns of an operand's quarters and sums. */
struct column {
    const double *corner, *side, *opposite, *last;
    double *x, *y;
};

static struct column column_of(const struct quarter_sums *sums, size_t j)
{
    return (struct column){
        .corner = sums->corner.data + j * sums->corner.ld,
        .side = sums->side.data + j * sums->side.ld,
        .opposite = sums->opposite.data + j * sums->opposite.ld,
        .last = sums->last.data + j * sums->last.ld,
        .x = sums->x + j * sums->ld,
        .y = sums->y + j * sums->ld,
    };
}

VECTORS static void first_columns(const struct quarter_sums *sums, size_t begin,
                                  size_t end)
{
    const size_t rows = sums->rows;
    const double sign = sums->sign;
    for (size_t j = begin; j < end; j++) {
        const struct column c = column_of(sums, j);
        INDEPENDENT
        for (size_t i = 0; i < rows; i++) {
            const double side = c.side[i];
            c.y[i] = c.corner[i] - side;
            c.x[i] = side + sign * c.opposite[i];
        }
    }
}

VECTORS static void second_columns(const struct quarter_sums *sums, size_t begin,
                                   size_t end)
{
    const size_t rows = sums->rows;
    const double sign = sums->sign;
    for (size_t j = begin; j < end; j++) {
        const struct column c = column_of(sums, j);
        INDEPENDENT
        for (size_t i = 0; i < rows; i++) {
            const double y = sign * (c.x[i] - c.corner[i]);
            c.y[i] = y;
            c.x[i] = c.last[i] - y;
        }
    }
}

/* A's and B's sums, and the function that computes some of their columns. */
struct pass {
    void (*columns)(const struct quarter_sums *sums, size_t begin, size_t end);
    const struct quarter_sums *operands[2];
};

static void pass_part(const void *data, size_t part, size_t parts)
{
    const struct pass *pass = data;
    for (int i = 0; i < 2; i++) {
        const size_t columns = pass->operands[i]->columns;
        pass->columns(pass->operands[i], begin_of(columns, part, parts),
                      begin_of(columns, part + 1, parts));
    }
}

static size_t count_elements(const struct quarter_sums *sums)
{
    return sums->rows * sums->columns;
}

void mt_strassen_first_sums(int threads, const struct quarter_sums *a,
                            const struct quarter_sums *b)
{
    const struct pass pass = {first_columns, {a, b}};
    mt_strassen_share(threads, count_elements(a) + count_elements(b), pass_part, &pass);
}

void mt_strassen_second_sums(int threads, const struct quarter_sums *a,
                             const struct quarter_sums *b)
{
    const struct pass pass = {second_columns, {a, b}};
    mt_strassen_share(threads, count_elements(a) + count_elements(b), pass_part, &pass);
}

VECTORS static void split_part(const void *data, size_t part, size_t parts)
{
    const struct result_quarters *c = data;
    const size_t end = begin_of(c->columns, part + 1, parts);
    for (size_t j = begin_of(c->columns, part, parts); j < end; j++) {
        double *restrict c11 = c->data + j * c->ld, *restrict c21 = c11 + c->rows;
        double *restrict c12 = c11 + c->columns * c->ld, *restrict c22 = c12 + c->rows;
        for (size_t i = 0; i < c->rows; i++) {
            double x21 = c22[i] - c12[i], x22 = c22[i] - c21[i];
            c12[i] = c12[i] - x22 - c11[i];
            c21[i] = x21;
            c22[i] = x22;
        }
    }
}

VECTORS static void join_part(const void *data, size_t part, size_t parts)
{
    const struct result_quarters *c = data;
    const size_t end = begin_of(c->columns, part + 1, parts);
    for (size_t j = begin_of(c->columns, part, parts); j < end; j++) {
        double *restrict c11 = c->data + j * c->ld, *restrict c21 = c11 + c->rows;
        double *restrict c12 = c11 + c->columns * c->ld, *restrict c22 = c12 + c->rows;
        for (size_t i = 0; i < c->rows; i++) {
            double u2 = c11[i] + c12[i], u3 = u2 + c21[i];
            c12[i] = u2 + c22[i];
            c21[i] = u3;
            c22[i] = u3 + c22[i];
        }
    }
}

void mt_strassen_split(int threads, const struct result_quarters *c)
{
    mt_strassen_share(threads, c->rows * c->columns, split_part, c);
}

void mt_strassen_join(int threads, const struct result_quarters *c)
{
    mt_strassen_share(threads, c->rows * c->columns, join_part, c);
}

/* Adding one to an exponent of all ones carries into the sign. */
VECTORS bool mt_strassen_finite(size_t rows, size_t columns, const double *data,
                                size_t ld)
{
    static const uint64_t exponent = UINT64_C(0x7ff) << 52, one = UINT64_C(1) << 52,
                          sign = UINT64_C(1) << 63;
    uint64_t carried = 0;
    for (size_t j = 0; j < columns && !(carried & sign); j++)
        for (size_t i = 0; i < rows; i++) {
            uint64_t bits;
            memcpy(&bits, &data[j * ld + i], sizeof bits);
            carried |= (bits & exponent) + one;
        }
    return !(carried & sign);
}
