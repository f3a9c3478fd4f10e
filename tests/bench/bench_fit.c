/* SPDX-License-Identifier: BSD-3-Clause */
/* Fitting 441 runs of one group by ten terms, cross-validation included. */
#include "bench.h"
#include "lib/model/internal.h"

#include <lapacke.h>

enum { SIZES = 9, NODES = 49, RUNS = SIZES * NODES, TERMS = 10, ROUNDS = 20 };
enum { REPETITIONS = 51 };

static const double sizes[SIZES] = {400, 600, 800, 1200, 1600, 2400, 3200, 4800, 6400};
static char name[] = "xeon";
static struct mt_layout one[] = {{.processes = 1}};
static struct mt_group group = {
    .name = name, .nodes = NODES, .layouts = one, .nlayouts = 1};
static const struct mt_cluster cluster = {.groups = &group, .ngroups = 1};
static const struct mt_program program = {.name = name};

struct context {
    struct mt_sample runs[RUNS];
    struct mt_terms *terms;
    double sum; /* of what was computed, so that it is */
};

static void make_runs(struct mt_sample *runs)
{
    unsigned random = 1;
    for (int i = 0; i < RUNS; i++) {
        const double n = sizes[i % SIZES];
        const int p = 1 + i / SIZES;
        random = random * 1664525u + 1013904223u;
        const double noise = 1 + 0.04 * (random / 4294967296.0 - 0.5);
        runs[i] = (struct mt_sample){.size = n,
                                     .seconds =
                                         noise * (7e-10 * n * n * n / p + 2e-8 * n * n +
                                                  1e-9 * p * n * n + 5e-3)};
        runs[i].configuration.use[0] =
            (struct mt_use){.nodes = p, .layout.processes = 1};
    }
}

static double milliseconds(double begin)
{
    return 1e3 * (bench_now_computing() - begin) / ROUNDS;
}

static double fit(struct context *context, enum mt_model_kind kind)
{
    const struct mt_fit_options options = {.kind = kind};
    const struct mt_samples samples = {.samples = context->runs, .count = RUNS};
    const double begin = bench_now_computing();
    for (int i = 0; i < ROUNDS; i++) {
        struct mt_models models = {0};
        if (mt_fit(&models, &cluster, &program, &samples, &options, NULL) != MT_OK)
            abort();
        context->sum += models.models[0].coefficients[0];
        mt_models_clear(&models);
    }
    return milliseconds(begin);
}

static double fit_auto(void *context)
{
    return fit(context, MT_MODEL_AUTO);
}

static double fit_npt(void *context)
{
    return fit(context, MT_MODEL_NPT);
}

/* Nothing but the least squares: the matrix, and LAPACK's dgels. */
static double solve_dgels(void *data)
{
    struct context *context = data;
    const double begin = bench_now_computing();
    for (int round = 0; round < ROUNDS; round++) {
        double a[RUNS * TERMS], b[RUNS];
        for (int i = 0; i < RUNS; i++) {
            const struct mt_sample *run = &context->runs[i];
            const double values[MT_NVARIABLES] = {[MT_N] = run->size,
                                                  [MT_P] =
                                                      run->configuration.use[0].nodes,
                                                  [MT_M] = 1};
            double row[TERMS];
            mt_terms_values(context->terms, values, row);
            for (int j = 0; j < TERMS; j++)
                a[j * RUNS + i] = row[j] / run->seconds;
            b[i] = 1;
        }
        if (LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', RUNS, TERMS, 1, a, RUNS, b, RUNS) != 0)
            abort();
        context->sum += b[0];
    }
    return milliseconds(begin);
}

int main(void)
{
    static struct context context;
    make_runs(context.runs);
    if (mt_terms_parse(&context.terms, mt_default_terms_npt, NULL) != MT_OK)
        return EXIT_FAILURE;

    const struct bench with_auto = {.name = "fit-auto",
                                    .unit = "ms",
                                    .rival = "dgels alone without cross-validation",
                                    .target = 1};
    const struct bench with_npt = {.name = "fit-np-t",
                                   .unit = "ms",
                                   .rival = "dgels alone without cross-validation",
                                   .target = 1};
    bench_run(&with_auto, fit_auto, solve_dgels, &context, REPETITIONS);
    bench_run(&with_npt, fit_npt, solve_dgels, &context, REPETITIONS);

    mt_terms_free(context.terms);
    return context.sum != 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
