/* SPDX-License-Identifier: BSD-3-Clause */
#include "learn_cases.h"

#include "lib/machine/internal.h"
#include "tests/unit/test.h"

struct mt_expr *parsed(const char *text)
{
    struct mt_expr *expression = NULL;
    assert_int_equal(mt_expr_parse(&expression, text, NULL), MT_OK);
    return expression;
}

struct mt_shape ring(void)
{
    return (struct mt_shape){.work = parsed("2*N^3"),
                             .steps = parsed("N^3/P"),
                             .working_set = parsed("24*N^2/P"),
                             .imbalance = parsed("P*ceil(N/P)/N"),
                             .messages = parsed("P - 1"),
                             .bytes = parsed("8*N^2/P"),
                             .valid = parsed("N >= P")};
}

/* Random replacement, a working set gone through again and again. */
static double hits(double excess)
{
    double share = excess <= 1;
    for (int i = 0; i < 100 && excess > 1; i++)
        share = exp(-excess * (1 - share));
    return share;
}

static double twin_seconds(const struct twin *twin, const struct mt_demand *demand)
{
    double cost = twin->step, before = 1;
    for (int i = 0; i < 2 && twin->caches[i] > 0; i++) {
        cost += twin->step * (twin->slows[i] - before) *
                (1 - hits(demand->working_set / twin->caches[i]));
        before = twin->slows[i];
    }
    const double crowds[] = {1, demand->ranks, fmin(demand->ranks, 4) / 4};
    return cost * demand->steps +
           demand->messages *
               (twin->latency + demand->bytes * twin->byte * crowds[twin->network]);
}

const struct twin torus = {.step = 0.71e-6,
                           .caches = {262144},
                           .slows = {1.69},
                           .latency = 2e-5,
                           .byte = 5e-7};
const struct twin omega = {.step = 0.25e-6,
                           .caches = {16384, 1048576},
                           .slows = {1.08, 1.44},
                           .latency = 2e-5,
                           .byte = 1.9e-6,
                           .network = SWITCHES_OF_FOUR};
const struct twin bus = {.step = 0.247e-6,
                         .caches = {16384},
                         .slows = {1.053},
                         .latency = 1e-3,
                         .byte = 1e-7,
                         .network = BUS};

const struct mt_components plain_machine = {
    .costs = {0.7e-6}, .latency = 2e-5, .bandwidth = {.base = 2e6}};

double seconds_of(const struct truth *truth, const struct mt_shape *shape, double size,
                  double ranks)
{
    struct mt_demand demand;
    assert_int_equal(mt_shape_demand(&demand, shape, size, ranks, NULL), MT_OK);
    return truth->twin ? twin_seconds(truth->twin, &demand)
                       : mt_components_time(truth->components, &demand).total;
}

/* The sum of twelve. */
double noise(unsigned *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        *random = *random * 1664525u + 1013904223u;
        sum += *random / 4294967296.0;
    }
    return sum;
}

int make_runs(struct mt_learn_run *runs, const struct truth *truth,
              const struct mt_shape *shape, double to_next_size, int most_ranks,
              double noisy)
{
    unsigned random = 42;
    int nruns = 0;
    for (double size = 48; size <= 1200; size = ceil(to_next_size * size)) {
        for (int ranks = 1; ranks <= most_ranks; ranks *= 2)
            runs[nruns++] = (struct mt_learn_run){
                size, ranks,
                seconds_of(truth, shape, size, ranks) * (1 + noisy * noise(&random))};
    }
    assert_true(nruns <= MOST_RUNS);
    return nruns;
}

void learn_truth(struct mt_learned *learned, const struct truth *truth,
                 double to_next_size, int most_ranks, double noisy)
{
    struct mt_shape shape = ring();
    struct mt_learn_run runs[MOST_RUNS];
    const int nruns = make_runs(runs, truth, &shape, to_next_size, most_ranks, noisy);
    struct mt_error err = {0};
    if (mt_learn(learned, &shape, runs, nruns, NULL, &err) != MT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(mt_components_check(&learned->components, &err), MT_OK);
    mt_shape_clear(&shape);
}

bool warns(const struct mt_learned *learned, const char *words)
{
    for (int i = 0; i < learned->nwarnings; i++)
        if (strstr(learned->warnings[i], words))
            return true;
    return false;
}
