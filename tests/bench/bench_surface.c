/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a surface of 512 x 512 points takes, that of the AP1000 and algorithm A,
   against asking for one point after the other, and against the formula in C. */
#include "bench.h"
#include "lib/surface/internal.h"

#include "tests/unit/surface_cases.h"

enum { AXIS = 512, REPETITIONS = 31 };

struct context {
    const struct mt_surface *surface;
    double sizes[AXIS], nodes[AXIS];
    struct mt_surface_point *points; /* AXIS * AXIS of them */
};

static double milliseconds(double begin)
{
    return 1e3 * (bench_now_computing() - begin);
}

static double by_grid(void *data)
{
    struct context *context = data;
    const double begin = bench_now_computing();
    mt_surface_grid(context->surface, context->sizes, AXIS, context->nodes, AXIS,
                    context->points);
    return milliseconds(begin);
}

static double one_by_one(void *data)
{
    struct context *context = data;
    const double begin = bench_now_computing();
    for (int i = 0; i < AXIS; i++)
        for (int j = 0; j < AXIS; j++)
            context->points[i * AXIS + j] =
                mt_surface_at(context->surface, context->sizes[i], context->nodes[j]);
    return milliseconds(begin);
}

/* Seconds of a step, between the cache's hit and miss. */
static double step_cost(double working_set)
{
    const double hit = 256 * 1024, miss = 768 * 1024;
    if (working_set <= hit)
        return 0.71e-6;
    if (working_set >= miss)
        return 1.20e-6;
    return 0.71e-6 + 0.49e-6 * log(working_set / hit) / log(miss / hit);
}

static struct mt_surface_point point_in_c(double n, double p)
{
    const double memory = 24 * n * n / p, imbalance = p * ceil(n / p) / n;
    const double compute = n * n * n / p * imbalance * step_cost(memory);
    const double communicate = (p - 1) * (8 * n * n / p) * (1 / 2e6);
    const double work = 2 * n * n * n, seconds = compute + communicate;
    const double speed = work / (p * seconds);
    return (struct mt_surface_point){.work = work,
                                     .seconds = seconds,
                                     .compute = compute,
                                     .communicate = communicate,
                                     .speed = speed,
                                     .efficiency = speed / 2.78e6,
                                     .memory = memory,
                                     .valid = n >= p,
                                     .fits = memory <= 16 * 1024 * 1024};
}

static double in_c(void *data)
{
    struct context *context = data;
    const double begin = bench_now_computing();
    for (int i = 0; i < AXIS; i++)
        for (int j = 0; j < AXIS; j++)
            context->points[i * AXIS + j] =
                point_in_c(context->sizes[i], context->nodes[j]);
    return milliseconds(begin);
}

int main(void)
{
    static struct context context;
    struct surface_case ap1000;
    surface_case_ap1000(&ap1000);
    context.surface = ap1000.surface;
    context.points = malloc(sizeof *context.points * AXIS * AXIS);
    if (!context.points)
        return EXIT_FAILURE;
    for (int i = 0; i < AXIS; i++) {
        context.sizes[i] = 8 * (i + 1);
        context.nodes[i] = i + 1;
    }

    const struct bench grid = {
        .name = "surface-grid", .unit = "ms", .rival = "point by point", .target = 10};
    const struct bench limit = {
        .name = "surface-grid-limit", .unit = "ms", .rival = "hand-written C"};
    bench_run(&grid, by_grid, one_by_one, &context, REPETITIONS);
    bench_run(&limit, by_grid, in_c, &context, REPETITIONS);

    free(context.points);
    surface_case_clear(&ap1000);
    return EXIT_SUCCESS;
}
