/* SPDX-License-Identifier: BSD-3-Clause */
/* Learning the components of a machine with two caches and shared switches from 200
   runs with noise. */
#include "bench.h"
#include "lib/learn/internal.h"
#include "lib/machine/internal.h"

enum { SIZES = 40, RANKS = 5, RUNS = SIZES * RANKS, REPETITIONS = 9 };

struct context {
    struct mt_shape shape;
    struct mt_learn_run runs[RUNS];
    double sum; /* of what was computed, so that it is */
};

static const struct mt_components machine = {
    .ncaches = 2,
    .costs = {0.25e-6, 0.27e-6, 0.36e-6},
    .caches = {{16384, 49152}, {1048576, 3145728}},
    .latency = 2e-5,
    .bandwidth = {.base = 533e3, .contention = MT_CONTENTION_SHARED, .strength = 4},
};

static int parse(struct mt_shape *shape)
{
    int status = mt_expr_parse(&shape->steps, "N^3/P", NULL);
    if (status == MT_OK)
        status = mt_expr_parse(&shape->working_set, "24*N^2/P", NULL);
    if (status == MT_OK)
        status = mt_expr_parse(&shape->messages, "P - 1", NULL);
    if (status == MT_OK)
        status = mt_expr_parse(&shape->bytes, "8*N^2/P", NULL);
    return status;
}

static int make_runs(struct context *context)
{
    unsigned random = 1;
    for (int i = 0; i < RUNS; i++) {
        struct mt_learn_run *run = &context->runs[i];
        struct mt_demand demand;
        run->size = round(32 * pow(1.1, i % SIZES));
        run->ranks = 1 << i / SIZES;
        if (mt_shape_demand(&demand, &context->shape, run->size, run->ranks, NULL) !=
            MT_OK)
            return MT_EINVAL;
        random = random * 1664525u + 1013904223u;
        const double noise = 1 + 0.02 * (random / 4294967296.0 - 0.5);
        run->seconds = noise * mt_components_time(&machine, &demand).total;
    }
    return MT_OK;
}

static double learn(void *data)
{
    struct context *context = data;
    struct mt_learned learned = {0};
    const double begin = bench_now_computing();
    if (mt_learn(&learned, &context->shape, context->runs, RUNS, NULL, NULL) != MT_OK)
        abort();
    const double end = bench_now_computing();
    context->sum += learned.components.costs[0];
    mt_learned_clear(&learned);
    return 1e3 * (end - begin);
}

int main(void)
{
    static struct context context;
    if (parse(&context.shape) != MT_OK || make_runs(&context) != MT_OK)
        return EXIT_FAILURE;
    const struct bench bench = {.name = "surface-fit", .unit = "ms", .target = 1000};
    bench_run(&bench, learn, NULL, &context, REPETITIONS);
    mt_shape_clear(&context.shape);
    return context.sum != 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
