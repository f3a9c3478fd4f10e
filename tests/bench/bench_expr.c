/* SPDX-License-Identifier: BSD-3-Clause */
/* How many rows of the ten terms of N and P are computed in a second, at varying N and
   P, against each term as an expression of its own, and against the same in C. */
#include "bench.h"
#include "lib/expr/internal.h"

enum { TERMS = 10, ROWS = 1 << 18, SIZES = 1 << 10, REPETITIONS = 15 };

static const char list[] = "N^3/P, N^2/P, N/P, 1/P, P*N^2, P*N, P, N^2, N, 1";

struct context {
    struct mt_terms *terms;
    struct mt_expr *single[TERMS];
    double sum; /* of some values: nothing is computed in vain */
};

/* Values of N and P that differ from row to row. */
static void set_point(int row, double values[MT_NVARIABLES])
{
    const int size = 400 + row % SIZES, ranks = 1 + row / SIZES;
    values[MT_N] = size;
    values[MT_P] = ranks;
}

static double millions_per_second(double begin)
{
    return ROWS / (bench_now_computing() - begin) / 1e6;
}

static double by_terms(void *data)
{
    struct context *context = data;
    double values[MT_NVARIABLES] = {0}, row[TERMS];
    double begin = bench_now_computing();
    for (int i = 0; i < ROWS; i++) {
        set_point(i, values);
        mt_terms_values(context->terms, values, row);
        context->sum += row[i % TERMS];
    }
    return millions_per_second(begin);
}

static double one_by_one(void *data)
{
    struct context *context = data;
    double values[MT_NVARIABLES] = {0}, row[TERMS];
    double begin = bench_now_computing();
    for (int i = 0; i < ROWS; i++) {
        set_point(i, values);
        for (int t = 0; t < TERMS; t++)
            row[t] = mt_expr_value(context->single[t], values);
        context->sum += row[i % TERMS];
    }
    return millions_per_second(begin);
}

__attribute__((noinline)) static void row_in_c(const double values[MT_NVARIABLES],
                                               double row[TERMS])
{
    const double n = values[MT_N], p = values[MT_P];
    row[0] = n * n * n / p;
    row[1] = n * n / p;
    row[2] = n / p;
    row[3] = 1 / p;
    row[4] = p * (n * n);
    row[5] = p * n;
    row[6] = p;
    row[7] = n * n;
    row[8] = n;
    row[9] = 1;
}

static double in_c(void *data)
{
    struct context *context = data;
    double values[MT_NVARIABLES] = {0}, row[TERMS];
    double begin = bench_now_computing();
    for (int i = 0; i < ROWS; i++) {
        set_point(i, values);
        row_in_c(values, row);
        context->sum += row[i % TERMS];
    }
    return millions_per_second(begin);
}

static double ranges(void *data)
{
    struct context *context = data;
    struct mt_range box[MT_NVARIABLES] = {{0, 0}}, row[TERMS];
    double values[MT_NVARIABLES] = {0};
    double begin = bench_now_computing();
    for (int i = 0; i < ROWS; i++) {
        set_point(i, values);
        box[MT_N] = (struct mt_range){values[MT_N], values[MT_N]};
        box[MT_P] = (struct mt_range){values[MT_P], 2 * values[MT_P]};
        mt_terms_ranges(context->terms, box, row);
        context->sum += row[i % TERMS].low;
    }
    return millions_per_second(begin);
}

int main(void)
{
    struct context context = {0};
    struct mt_error err;
    if (mt_terms_parse(&context.terms, list, &err) != MT_OK)
        return EXIT_FAILURE;
    for (int i = 0; i < TERMS; i++)
        if (mt_expr_parse(&context.single[i], mt_terms_text(context.terms, i), &err) !=
            MT_OK)
            return EXIT_FAILURE;

    const struct bench row = {.name = "expr-row",
                              .unit = "million rows/s",
                              .rival = "term by term",
                              .target = 20,
                              .more_is_better = true};
    const struct bench limit = {.name = "expr-row-limit",
                                .unit = "million rows/s",
                                .rival = "hand-written C",
                                .more_is_better = true};
    const struct bench bounds = {.name = "expr-row-bounds",
                                 .unit = "million rows/s",
                                 .rival = "values instead of bounds",
                                 .more_is_better = true};
    bench_run(&row, by_terms, one_by_one, &context, REPETITIONS);
    bench_run(&limit, by_terms, in_c, &context, REPETITIONS);
    bench_run(&bounds, ranges, by_terms, &context, REPETITIONS);

    for (int i = 0; i < TERMS; i++)
        mt_expr_free(context.single[i]);
    mt_terms_free(context.terms);
    return context.sum > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
